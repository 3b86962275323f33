/** Asking a wiki: the model of `cairn.yaml`, over real HTTP from end to end. */
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { loadBaseConfig, loadNexusConfig } from '../../src/vocabularies/nexus/start/nexus-config.ts'
import { trustFile } from '../../src/serve/config/trust.ts'
import { startServer } from '../../src/serve/wiring/start-server.ts'
import { startAnswerServer } from '../support/answer-server.ts'
import type { AnswerManners } from '../support/answer-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { verifies } from '../support/verifies.ts'
import { FIXTURE } from './open-nexus.ts'

// More than the usual minute, for a machine that has much else to do.
vi.setConfig({ testTimeout: 300_000 })

const AI_ON = 'features: { ai_search: true }\nsearch: { ai: { enabled: true } }\n'

interface Asking {
  readonly manners?: AnswerManners
  /** What `cairn.yaml` says of the answerer, for the server that is there. */
  readonly cairn?: (url: string) => string
  readonly env?: (url: string) => Record<string, string>
}

const named =
  (provider: string, timeoutMs = 20_000) =>
  (url: string) =>
    `answerer: { provider: ${provider}, baseUrl: "${url}", model: m, timeoutMs: ${timeoutMs} }\n`

async function ask(settings: string, { manners = 'well', cairn, env }: Asking = {}) {
  const server = await startAnswerServer('openai')
  server.manners = manners
  server.reply = () => 'X'
  const folder = temporaryFolder({
    ...FIXTURE,
    'nexus.config.yaml': settings,
    'cairn.yaml': cairn?.(server.url) ?? '{}',
  })
  const place = { folders: [folder], configFile: undefined, cwd: folder, home: folder }
  const input = { ...place, env: env?.(server.url) ?? {} }
  trustFile(input, join(folder, 'nexus.config.yaml'))
  trustFile(input, join(folder, 'cairn.yaml'))
  const nexus = await loadNexusConfig({ ...input, flags: {} })
  const flags = { port: 0, surface: ['nexus'] }
  const { config } = await loadBaseConfig({ ...input, flags }, nexus)
  const started = await startServer(config, { transport: 'http', nexus })
  onTestFinished(() => started.close())
  const response = await fetch(new URL('/api/mcp', started.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tool: 'ask', input: { question: 'Where is the needle?' } }),
  })
  return { status: response.status, json: await response.json(), asked: server.requests.length }
}

const ANSWERED = {
  status: 200,
  json: { result: { answer: 'X', sources: [{ slug: 'gamma', title: 'Gamma' }] } },
  asked: 1,
}

it('answers in the model’s words where both files allow it, and else is not available', async () => {
  verifies('nexus:ask-unavailable')
  const off = { json: { error: 'AI search is not available' }, status: 503, asked: 0 }
  expect(await ask('')).toEqual(off)
  expect(await ask('', { cairn: named('openai') })).toEqual(off)
  expect(await ask(AI_ON)).toEqual(off)
  expect(await ask(AI_ON, { cairn: named('none') })).toEqual(off)
  expect(await ask(AI_ON, { cairn: named('openai') })).toEqual(ANSWERED)
})

it('sends the question to the address that was set, whoever named the provider', async () => {
  const env = (url: string) => ({ CAIRN_ANSWERER_BASE_URL: url, OPENAI_API_KEY: 'key-1' })
  expect(await ask(AI_ON, { env })).toEqual(ANSWERED)
})

it.each(['broken', 'wrong_key', 'no_json', 'disconnecting', 'hanging'] as const)(
  'says no more than that something failed where the model is %s',
  async (manners) => {
    verifies('nexus:error-internal')
    const cairn = named('openai', manners === 'hanging' ? 1_000 : undefined)
    const { status, json } = await ask(AI_ON, { manners, cairn })
    expect([status, json]).toEqual([500, { error: 'Internal server error' }])
  },
)
