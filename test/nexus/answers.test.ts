/** Asking a wiki: the model of `cairn.yaml`, over real HTTP from end to end. */
import { expect, it, onTestFinished } from 'vitest'
import { loadConfig } from '../../src/app/config.ts'
import { loadNexusConfig } from '../../src/app/nexus-config.ts'
import { startServer } from '../../src/app/start-server.ts'
import { startAnswerServer } from '../support/answer-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { verifies } from '../support/verifies.ts'
import { FIXTURE } from './open-nexus.ts'

const AI_ON = 'features: { ai_search: true }\nsearch: { ai: { enabled: true } }\n'

async function ask(settings: string, provider = 'openai') {
  const server = await startAnswerServer('openai')
  server.reply = () => 'X'
  const folder = temporaryFolder({
    ...FIXTURE,
    'nexus.config.yaml': settings,
    'cairn.yaml': `answerer: { provider: ${provider}, baseUrl: "${server.url}", model: m }\n`,
  })
  const input = { folders: [folder], configFile: undefined, env: {}, cwd: folder, home: folder }
  const flags = { port: 0, surface: ['nexus'] }
  const { config } = await loadConfig({ ...input, flags })
  const nexus = await loadNexusConfig({ ...input, flags: {} })
  const started = await startServer(config, { transport: 'http', nexus })
  onTestFinished(() => started.close())
  const response = await fetch(new URL('/api/mcp', started.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tool: 'ask', input: { question: 'Where is the needle?' } }),
  })
  return { status: response.status, json: await response.json(), asked: server.requests.length }
}

it('answers in the model’s words where both files allow it, and else is not available', async () => {
  verifies('nexus:ask-unavailable')
  const off = { json: { error: 'AI search is not available' }, status: 503, asked: 0 }
  expect(await ask('')).toEqual(off)
  expect(await ask(AI_ON, 'none')).toEqual(off)
  expect(await ask(AI_ON)).toEqual({
    status: 200,
    json: { result: { answer: 'X', sources: [{ slug: 'gamma', title: 'Gamma' }] } },
    asked: 1,
  })
})
