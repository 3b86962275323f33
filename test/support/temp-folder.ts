/** Real folders for tests, removed when the test is over. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A folder with these files: `vault({ 'tea.md': 'Needs a [[kettle]].' })`. */
export function vault(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = tempFolder()
  for (const [path, content] of Object.entries(files)) put(folder, path, content)
  return folder
}

export function put(folder: string, path: string, content: string | Uint8Array): void {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}
