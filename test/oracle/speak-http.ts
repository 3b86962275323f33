/** A server over HTTP, spoken to one request at a time, and its answer as text. */
import { labelOf } from './sequence.ts'
import type { Step } from './sequence.ts'

const REVISION = '2026-07-28'
/** Headers that say something about the answer, and not about the connection. */
const TOLD = ['content-type', 'www-authenticate', 'location', 'allow', 'retry-after'] as const

export async function sendOver(
  url: string,
  step: Step,
  credentials: Readonly<Record<string, string>>,
): Promise<string> {
  const response =
    'route' in step
      ? await sendRoute(url, step.route, step.body, credentials)
      : await sendMessage(url, step, credentials)
  const headers = TOLD.flatMap((name) => {
    const value = response.headers.get(name)
    return value === null ? [] : [`${name}: ${value}`]
  })
  return [`HTTP ${response.status}`, ...headers, '', await response.text()].join('\n')
}

function sendRoute(
  url: string,
  route: string,
  body: unknown,
  credentials: Readonly<Record<string, string>>,
): Promise<Response> {
  const [method, path] = route.split(' ') as [string, string]
  return fetch(new URL(path, url), {
    method,
    redirect: 'manual',
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...credentials },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

/** One request of the newer revision: nothing before it, nothing after it. */
function sendMessage(
  url: string,
  step: Exclude<Step, { route: string }>,
  credentials: Readonly<Record<string, string>>,
): Promise<Response> {
  if (step.surface === undefined) throw new Error(`${labelOf(step)}: which surface?`)
  const method = 'tool' in step ? 'tools/call' : step.method
  const params: Record<string, unknown> =
    'tool' in step ? { name: step.tool, arguments: step.args ?? {} } : { ...step.params }
  const name = params['name'] ?? params['uri']
  return fetch(new URL(`/mcp/${step.surface}`, url), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
      ...credentials,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': REVISION,
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  })
}
