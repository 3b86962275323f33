/**
 * The files of the built page, named by their content. They lie in the package and in memory as they
 * are sent to nearly everybody, compressed with Brotli; other forms are made when somebody asks.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { brotliDecompressSync, gzipSync } from 'node:zlib'

export interface Assets {
  /** The page itself; the same for every address. */
  readonly page: Asset
  readonly icon: Asset | undefined
  find(name: string): Asset | undefined
  /** Changes with every build: a page knows by it that it is old. */
  readonly build: string
}

export interface Asset {
  readonly type: string
  readonly br: Uint8Array | undefined
  readonly plain: () => Uint8Array
  readonly gzip: () => Uint8Array
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const PACKED = '.br'

/** Undefined where the page was not built: a checkout of the sources runs without it. */
export function loadAssets(folder: URL): Assets | undefined {
  let names: readonly string[]
  try {
    names = readdirSync(folder)
  } catch {
    return undefined
  }
  const files = new Map<string, Asset>()
  for (const packed of names) {
    const name = packed.slice(0, -PACKED.length)
    const type = packed.endsWith(PACKED) ? TYPES[extname(name)] : undefined
    if (type === undefined) continue
    const br = readFileSync(new URL(packed, folder))
    const plain = () => brotliDecompressSync(br)
    files.set(name, { type, br, plain, gzip: onceAsked(plain) })
  }
  const page = files.get('index.html')
  if (!page) return undefined
  const build =
    /<meta name="build" content="([\w-]+)"/.exec(Buffer.from(page.plain()).toString())?.[1] ?? ''
  files.delete('index.html')
  const icon = [...files].find(([name]) => name.startsWith('icon-'))?.[1]
  return { page, icon, build, find: (name) => files.get(name) }
}

/** Browsers ask for it where they are not at home: it is made once, and nothing is shipped. */
function onceAsked(plain: () => Uint8Array): () => Uint8Array {
  let made: Uint8Array | undefined
  return () => (made ??= gzipSync(plain(), { level: 9 }))
}

/** In the form the browser likes best. */
export function respondWith(
  { type, plain, br, gzip }: Asset,
  accepted: string | null,
  headers: Readonly<Record<string, string>>,
): Response {
  const all = { ...headers, 'content-type': type, vary: 'Accept-Encoding' }
  if (br && /\bbr\b/.test(accepted ?? '')) {
    return new Response(bodyOf(br), { headers: { ...all, 'content-encoding': 'br' } })
  }
  if (/\bgzip\b/.test(accepted ?? '')) {
    return new Response(bodyOf(gzip()), { headers: { ...all, 'content-encoding': 'gzip' } })
  }
  return new Response(bodyOf(plain()), { headers: all })
}

/** Bytes in a form that every definition of a body knows. */
export function bodyOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes)
}
