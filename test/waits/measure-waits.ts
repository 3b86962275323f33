/**
 * How long does a second client wait while a first one sends what is hostile? Every string argument
 * of every tool and prompt that the server lists, every route, resources and completions.
 */
import { Agent, request } from 'node:http'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { SURFACE_NAMES } from '../../src/serve/config/config.ts'
import { PAGE_INPUTS } from '../../src/explorer/surface/open-explorer.ts'
import { noteRoutes } from '../../src/vocabularies/nexus/routes/note-routes.ts'
import { hostileCalls } from './hostile-calls.ts'
import type { Schema, Tool } from './hostile-calls.ts'
import { HOSTILE_IDS } from './hostile-base.ts'
import type { HostileText } from './hostile-texts.ts'
import { openSecondClient } from './second-client.ts'

export interface Attempt {
  readonly name: string
  readonly send: () => Promise<Answer>
}

export interface Answer {
  readonly status: number
  readonly text: string
  readonly headers: Readonly<Record<string, unknown>>
}

export interface Wait {
  readonly name: string
  /** Of the second client, at best; during all that were made together. */
  readonly waitMs: number
  /** Of the call itself. */
  readonly tookMs: number
  /** Length of its answer. */
  readonly bytes: number
}

export interface MeasureOptions {
  readonly url: string
  /** Of the server. */
  readonly pid: number
  readonly folder: string
  readonly texts: readonly HostileText[]
  /** Asked again where the second client waited longer: a busy machine is slow once, not always. */
  readonly doubtMs: number
  /** Which of the attempts are made. */
  readonly picks?: (index: number, name: string) => boolean
  /** So many are made during one look at the second client; one by one where that waited long. */
  readonly together?: number
  /** Whether to leave it at what was measured so far. */
  readonly isOver?: () => boolean
  readonly onSlow?: (wait: Wait) => void
}

const TRIES = 3

/** The longest waits first. */
export async function measureWaits(options: MeasureOptions): Promise<readonly Wait[]> {
  const { url, pid, folder, texts, doubtMs, picks = () => true, onSlow } = options
  const { together = 1, isOver = () => false } = options
  const client = openClient(url)
  const attempts = (await allAttempts(client, texts)).filter(({ name }, index) =>
    picks(index, name),
  )
  const second = await openSecondClient(url, pid)
  const waits: Wait[] = []
  const oneByOne = async ({ name, send }: Attempt): Promise<void> => {
    let best: Wait | undefined
    for (let tries = 0; tries < TRIES; tries++) {
      const started = performance.now()
      let [tookMs, bytes] = [0, 0]
      const { waitMs } = await second.during(async () => {
        bytes = (await send()).text.length
        tookMs = performance.now() - started
      })
      if (!best || waitMs < best.waitMs) best = { name, waitMs, tookMs, bytes }
      if (waitMs <= doubtMs) break
    }
    waits.push(best!)
    if (best!.waitMs > doubtMs) onSlow?.(best!)
    putBack(folder)
  }
  /** Undefined where somebody waited long, and who kept them waiting is to be found. */
  const allTogether = async (group: readonly Attempt[]): Promise<readonly Wait[] | undefined> => {
    const { result, waitMs } = await second.during(async () => {
      const made: Omit<Wait, 'waitMs'>[] = []
      for (const { name, send } of group) {
        const started = performance.now()
        const bytes = (await send()).text.length
        made.push({ name, bytes, tookMs: performance.now() - started })
        putBack(folder)
      }
      return made
    })
    return waitMs > doubtMs ? undefined : result.map((each) => ({ ...each, waitMs }))
  }
  try {
    for (let from = 0; from < attempts.length && !isOver(); from += together) {
      const group = attempts.slice(from, from + together)
      const made = together > 1 ? await allTogether(group) : undefined
      if (made) waits.push(...made)
      else for (const attempt of group) await oneByOne(attempt)
    }
  } finally {
    await second.close()
    client.close()
  }
  return waits.toSorted((a, b) => b.waitMs - a.waitMs)
}

const LARGE_BYTES = 256 * 1024

/** What some call has taken away, or made ever larger, is there again for the next one. */
function putBack(folder: string): void {
  for (const name of ['plain.md', 'tea.md']) {
    const file = join(folder, name)
    const size = statSync(file, { throwIfNoEntry: false })?.size
    if (size === undefined || size > LARGE_BYTES) {
      writeFileSync(file, `# ${name}\n\n## Part\n\nText.\n`)
    }
  }
}

export interface Client {
  /** The body of the answer, whatever its status. */
  send(
    method: string,
    path: string,
    body?: string,
    headers?: Record<string, string>,
  ): Promise<Answer>
  close(): void
}

export function openClient(url: string): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    send(method, path, body, headers = {}) {
      const { promise, resolve, reject } = Promise.withResolvers<Answer>()
      const { hostname, port } = new URL(url)
      const outgoing = request({
        hostname,
        port,
        path,
        method,
        agent,
        headers: {
          accept: 'application/json, text/event-stream',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          'x-cairn': '1',
          ...headers,
          ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
        },
      })
      outgoing.once('response', async (response) => {
        let text = ''
        try {
          for await (const part of response.setEncoding('utf8')) text += part
        } catch (error) {
          reject(error)
        }
        resolve({ status: response.statusCode ?? 0, text, headers: response.headers })
      })
      outgoing.once('error', reject)
      outgoing.end(body)
      // A request that is refused while it is still being sent ends the connection.
      return promise.catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') throw error
        return { status: 0, text: '', headers: {} }
      })
    },
    close: () => agent.destroy(),
  }
}

export async function allAttempts(
  client: Client,
  texts: readonly HostileText[],
): Promise<readonly Attempt[]> {
  const surfaces: Attempt[] = []
  for (const name of SURFACE_NAMES) surfaces.push(...(await surfaceAttempts(client, name, texts)))
  return [...surfaces, ...pageAttempts(client, texts), ...routeAttempts(client, texts)]
}

/** Tools, resources, prompts and completions of one surface, as it lists them itself. */
async function surfaceAttempts(
  client: Client,
  surface: string,
  texts: readonly HostileText[],
): Promise<readonly Attempt[]> {
  const path = `/mcp/${surface}`
  const rpc = (
    method: string,
    params: Record<string, unknown>,
    headers?: Record<string, string>,
  ) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    return client.send('POST', path, body, headers)
  }
  const { headers } = await rpc('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'hostile', version: '1' },
  })
  const session = { 'mcp-session-id': String(headers['mcp-session-id']) }
  const ask = async (method: string, params: Record<string, unknown> = {}): Promise<any> => {
    const { text } = await rpc(method, params, session)
    return JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text).result
  }
  const attempt = (name: string, method: string, params: Record<string, unknown>): Attempt => ({
    name: `${surface} ${name}`,
    send: () => rpc(method, params, session),
  })
  const { tools } = (await ask('tools/list')) as { tools: readonly Tool[] }
  if (!tools?.length) throw new Error(`${surface} lists no tools.`)
  // What changes the base comes last.
  const sorted = tools.toSorted((a, b) => Number(changes(a)) - Number(changes(b)))
  const templates = (await ask('resources/templates/list'))?.resourceTemplates ?? []
  const prompts = (await ask('prompts/list'))?.prompts ?? []
  return [
    ...texts.flatMap(({ name, text }) => [
      attempt(`resources/read ${name}`, 'resources/read', { uri: text }),
      attempt(`resources/read below ${name}`, 'resources/read', { uri: `kb://notes/${text}` }),
      attempt(`resources/list ${name}`, 'resources/list', { cursor: text }),
      attempt(`no such method ${name}`, text, {}),
      attempt(`no such tool ${name}`, 'tools/call', { name: text, arguments: {} }),
      attempt(`no such argument ${name}`, 'tools/call', {
        name: sorted[0]!.name,
        arguments: { [text]: text },
      }),
      ...templates.map(({ uriTemplate }: { uriTemplate: string }) =>
        attempt(`complete ${uriTemplate} ${name}`, 'completion/complete', {
          ref: { type: 'ref/resource', uri: uriTemplate },
          argument: { name: /\{\+?(\w+)\}/.exec(uriTemplate)?.[1] ?? '', value: text },
        }),
      ),
      ...prompts.flatMap(
        (prompt: { name: string; arguments?: readonly { readonly name: string }[] }) =>
          (prompt.arguments ?? []).flatMap((argument) => [
            attempt(`prompt ${prompt.name}(${argument.name}) ${name}`, 'prompts/get', {
              name: prompt.name,
              arguments: { [argument.name]: text },
            }),
            attempt(`complete ${prompt.name}(${argument.name}) ${name}`, 'completion/complete', {
              ref: { type: 'ref/prompt', name: prompt.name },
              argument: { name: argument.name, value: text },
            }),
          ]),
      ),
    ]),
    ...sorted.flatMap((tool) =>
      hostileCalls(tool, texts).map(({ name, args }) =>
        attempt(name, 'tools/call', { name: tool.name, arguments: args }),
      ),
    ),
  ]
}

function changes({ annotations }: Tool): boolean {
  return annotations?.readOnlyHint === false
}

/** What the page reads besides calling tools. */
function pageAttempts(client: Client, texts: readonly HostileText[]): readonly Attempt[] {
  return Object.entries(PAGE_INPUTS).flatMap(([name, input]) => {
    const inputSchema = z.toJSONSchema(input, { io: 'input' }) as Schema
    return hostileCalls({ name, inputSchema }, texts).map((call) => ({
      name: `page ${call.name}`,
      send: () => client.send('POST', `/web/read/${name}`, JSON.stringify(call.args)),
    }))
  })
}

/** Longer ones are refused before anyone looks at them. */
const LONGEST_PATH = 12_000
const BODY_FIELDS = ['query', 'title', 'content', 'slug', 'tags', 'section']

function routeAttempts(client: Client, texts: readonly HostileText[]): readonly Attempt[] {
  const attempt = (name: string, ...sent: Parameters<Client['send']>): Attempt => ({
    name: `http ${name}`,
    send: () => client.send(...sent),
  })
  const routes = Object.entries(noteRoutes).flatMap(([path, all]) =>
    all.map(({ method }) => ({ path, method })),
  )
  const starts = ['/', '/n/', '/mcp', '/mcp/', '/api', '/web/file/notes', '/web/assets/', '/web/']
  return [
    ...routes.map(({ path, method }) => attempt(`${method} ${path}`, method, path)),
    ...['/metrics', '/web/graph', '/health', '/'].map((path) => attempt(path, 'GET', path)),
    ...HOSTILE_IDS.map((id) =>
      attempt(`GET /api/notes/${id}`, 'GET', `/api/notes/${encodeURIComponent(id)}`),
    ),
    ...texts.flatMap(({ name, text }) => {
      const short = text.slice(0, LONGEST_PATH)
      const spelled = encodeURI(short.toWellFormed()).slice(0, LONGEST_PATH)
      const header = short.replaceAll(/[^\x20-\x7e]/g, 'x')
      return [
        ...starts.map((start) => attempt(`GET ${start} ${name}`, 'GET', `${start}${spelled}`)),
        attempt(`GET ?query ${name}`, 'GET', `/api/notes?limit=${spelled}&cursor=${spelled}`),
        ...[
          'cookie',
          'authorization',
          'origin',
          'if-none-match',
          'accept-encoding',
          'x-api-key',
        ].map((each) =>
          attempt(`header ${each} ${name}`, 'GET', '/web/graph', undefined, { [each]: header }),
        ),
        attempt(`no JSON ${name}`, 'POST', '/mcp', text),
        ...routes
          .filter(({ method }) => method !== 'GET')
          .flatMap(({ path, method }) =>
            BODY_FIELDS.map((field) =>
              attempt(
                `${method} ${path} ${field} ${name}`,
                method,
                path.replace('*', field === 'slug' ? spelled : 'plain'),
                JSON.stringify({
                  ...(field !== 'title' && { title: `Note ${name} ${field}` }),
                  [field]: field === 'tags' ? [text] : text,
                }),
              ),
            ),
          ),
        attempt(`import ${name}`, 'POST', '/api/import', formOf(name, text), {
          'content-type': 'multipart/form-data; boundary=BOUNDARY',
        }),
      ]
    }),
  ]
}

function formOf(name: string, text: string): string {
  const head = `content-disposition: form-data; name="files"; filename="${name.replaceAll(' ', '-')}.md"`
  return `--BOUNDARY\r\n${head}\r\ncontent-type: text/markdown\r\n\r\n${text}\r\n--BOUNDARY--\r\n`
}
