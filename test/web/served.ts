/** The built program serving a folder, for tests that look at its page. */
import { cpSync, readdirSync, utimesSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { vi } from 'vitest'
import { SOON } from '../support/soon.ts'
import { endCairn, ROOT, spawnCairn, type CairnProcess } from '../support/cairn-process.ts'
import { temporaryFolder, writeFiles, type OnFinished } from '../support/temporary-folder.ts'

export interface Served {
  readonly url: string
  readonly folder: string
  readonly state: string
  readonly flags: readonly string[]
  readonly cairn: CairnProcess
}

export interface ServeOptions {
  /** Written into the folder; the sample handbook is there unless `bare`. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  readonly bare?: boolean
  readonly flags?: readonly string[]
  readonly port?: number
}

export async function serve(onFinished: OnFinished, options: ServeOptions = {}): Promise<Served> {
  const root = temporaryFolder({}, onFinished)
  const folder = `${root}/handbook`
  const { files = {}, bare = false, flags = [], port = 0 } = options
  if (!bare) {
    cpSync(resolve(ROOT, 'examples/handbook'), folder, {
      recursive: true,
      filter: (path) => !path.includes('.cairn'),
    })
    dateByName(folder)
  }
  writeFiles(folder, { ...files, ...(bare && { '.keep': '' }) })
  return start(onFinished, { root, folder, state: `${root}/state`, port, flags })
}

/** A second apart, the last by name just now: which is the newest is the same on every machine. */
function dateByName(folder: string): void {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
  const now = Math.floor(Date.now() / 1000)
  for (const [at, path] of paths.entries()) {
    const time = now - (paths.length - at)
    utimesSync(resolve(folder, path), time, time)
  }
}

/** The same base at the same address, after its server went. */
export function serveAgain(
  onFinished: OnFinished,
  { url, folder, state, flags }: Served,
): Promise<Served> {
  const port = Number(new URL(url).port)
  return start(onFinished, { root: dirname(state), folder, state, port, flags })
}

interface Start extends Pick<Served, 'folder' | 'state' | 'flags'> {
  readonly root: string
  readonly port: number
}

async function start(
  onFinished: OnFinished,
  { root, folder, state, port, flags }: Start,
): Promise<Served> {
  const cairn = spawnCairn(
    ['serve', folder, '--http', String(port), '--state', state, '--json', ...flags],
    { env: { HOME: root } },
  )
  onFinished(() => endCairn(cairn))
  const url = await vi.waitFor(() => {
    const found = /http:\/\/[^"\s/]+(?=["\s/])/.exec(cairn.stdout())?.[0]
    if (!found) throw new Error(`not listening yet: ${cairn.stderr()}`)
    return found
  }, SOON)
  return { url, folder, state, flags, cairn }
}

/** As the page asks. */
export async function ask(
  url: string,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly json: any; readonly headers: Headers }> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-cairn': '1', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, json: await response.json(), headers: response.headers }
}

/** Once everything was looked through. */
export async function untilIndexed({ url }: Pick<Served, 'url'>, documents = 1): Promise<void> {
  await vi.waitFor(async () => {
    const { json } = await ask(url, '/web/read/facts', {})
    if (json.documents < documents || json.indexing) throw new Error(JSON.stringify(json))
  }, SOON)
}
