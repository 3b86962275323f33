/** A nexus server over real files, reached over HTTP. */
import { onTestFinished } from 'vitest'
import type { Knowledge } from '../../src/core/operations/view/knowledge.ts'
import type { WriteAnswer } from '../../src/vocabularies/nexus/ask.ts'
import { openNexus } from '../../src/vocabularies/nexus/open-nexus.ts'
import { NEXUS_DEFAULTS } from '../../src/vocabularies/nexus/settings.ts'
import type { NexusSettings } from '../../src/vocabularies/nexus/settings.ts'
import { serveHttp } from '../../src/serve/transports/http/serve-http.ts'
import type { HttpOptions } from '../../src/serve/transports/http/serve-http.ts'
import { nexusMount } from '../../src/vocabularies/nexus/routes/nexus-mount.ts'
import type { PasswordOptions } from '../../src/vocabularies/nexus/routes/password-gate.ts'
import { openTestBase } from '../support/open-test-base.ts'
import type { TestBase } from '../support/open-test-base.ts'

/** The fixture of the contract's acceptance checks. */
export const FIXTURE: Readonly<Record<string, string>> = {
  'alpha.md': note('Alpha', '2025-01-01', 'Start. See [[beta]] and [[beta]] and [[ghost]].'),
  'beta.md': note('Beta', '2025-01-02', 'Back to [[alpha]]. Links to [[gamma]].'),
  'gamma.md': note('Gamma', '2025-01-03', 'Needle in gamma.'),
}

export function note(title: string, created: string, content: string): string {
  return `---\ntitle: ${title}\ncreated_at: ${created}\n---\n${content}`
}

export interface NexusServerOptions {
  readonly settings?: Partial<NexusSettings>
  readonly answer?: WriteAnswer
  readonly password?: PasswordOptions
  readonly http?: Partial<HttpOptions>
  /** Puts something else in the place of parts of the base. */
  readonly change?: (kb: Knowledge) => Partial<Knowledge>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: any
}

export interface NexusServer {
  readonly base: TestBase
  readonly url: string
  /** Errors that a client must not see. */
  readonly bugs: unknown[]
  send(method: string, path: string, options?: SendOptions): Promise<Answer>
  /** A tool over the private form: its result, or the error that it is. */
  call(tool: unknown, input?: unknown): Promise<Answer>
  result(tool: string, input?: unknown): Promise<any>
}

export interface SendOptions {
  /** Sent as it is when it is text or a form, else as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export async function openNexusServer(
  files: Readonly<Record<string, string | Uint8Array>> = FIXTURE,
  { settings, answer, password, http, change }: NexusServerOptions = {},
): Promise<NexusServer> {
  const base = await openTestBase(files)
  const bugs: unknown[] = []
  const log = (error: unknown) => void bugs.push(error)
  const kb = { ...base.base, ...change?.(base.base) }
  const nexus = openNexus(kb, {
    settings: { ...NEXUS_DEFAULTS, ...settings },
    ...(answer && { answer }),
    log,
  })
  const mounts = [nexusMount(nexus, { ...(password && { password }), onBug: log })]
  const server = await serveHttp({ surfaces: [], mounts, port: 0, onBug: log, ...http })
  onTestFinished(() => server.close())

  const send: NexusServer['send'] = async (method, path, { body, headers } = {}) => {
    const raw = typeof body === 'string' || body instanceof FormData || body === undefined
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { ...(!raw && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: raw ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
    const json = isJson && text !== '' ? JSON.parse(text) : undefined
    return { status: response.status, headers: response.headers, text, json }
  }
  const call: NexusServer['call'] = (tool, input) =>
    send('POST', '/api/mcp', { body: { tool, input } })
  return {
    base,
    url: server.url,
    bugs,
    send,
    call,
    async result(tool, input) {
      const { status, json, text } = await call(tool, input)
      if (status !== 200) throw new Error(`${status}: ${text}`)
      return json.result
    },
  }
}
