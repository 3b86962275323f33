/**
 * Diagrams are drawn by a package of its own, in a sandboxed frame: a document that loads nothing,
 * may run nothing but what stands in it, and belongs to no origin. The page hands it the source and
 * gets a picture. Without the package, a diagram is shown as its source.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Asset } from './assets.ts'

/** The package to install for diagrams. */
export const DIAGRAM_PACKAGE = '@mermaid-js/tiny'

const load = createRequire(import.meta.url)

function packageFile(): string | undefined {
  try {
    const file = load.resolve(DIAGRAM_PACKAGE)
    return existsSync(file) ? file : undefined
  } catch {
    return undefined
  }
}

/** Whether the package is installed. */
export function hasDiagrams(): boolean {
  return packageFile() !== undefined
}

/** One document with all that draws; read when a diagram is first shown. */
export async function loadDiagramFrame(script: Asset): Promise<DiagramFrame | undefined> {
  const file = packageFile()
  if (file === undefined) return undefined
  const scripts = [await readFile(file, 'utf8'), Buffer.from(script.plain()).toString()].map(inline)
  const html =
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Diagrams</title><body>' +
    scripts.map((text) => `<script>${text}</script>`).join('')
  const plain = Buffer.from(html)
  const packed = await promisify(gzip)(plain, { level: 6 })
  const sources = scripts.map((text) => `'sha256-${digest(text, 'base64')}'`)
  return {
    asset: {
      type: 'text/html; charset=utf-8',
      plain: () => plain,
      gzip: () => packed,
      br: undefined,
    },
    etag: `"${digest(html, 'hex').slice(0, 32)}"`,
    policy: [
      "default-src 'none'",
      `script-src ${sources.join(' ')}`,
      "style-src 'unsafe-inline'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'self'",
      'sandbox allow-scripts',
    ].join('; '),
  }
}

export interface DiagramFrame {
  readonly asset: Asset
  readonly etag: string
  /** `Content-Security-Policy`. */
  readonly policy: string
}

/** Nothing in it ends the script too early. */
function inline(script: string): string {
  return script.replaceAll(/<(?=\/script|!--|script)/gi, '\\x3c')
}

function digest(text: string, form: 'base64' | 'hex'): string {
  return createHash('sha256').update(text).digest(form)
}
