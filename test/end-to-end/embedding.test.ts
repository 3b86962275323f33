/** The built program with an embedding server that comes, goes, and is killed beside. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { cairnJson, runCairn, startCairn } from '../support/cairn-process.ts'
import { startEmbeddingServer } from '../support/embedding-server.ts'
import { SOON } from '../support/soon.ts'
import { openSession, type Session } from '../support/stdio-session.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const PATIENCE = { ...SOON, interval: 100 }

/** So many that a server is busy for several steps. */
function notes(count: number): Record<string, string> {
  const many = Array.from({ length: count }, (_, i) => [
    `logs/day-${i}.md`,
    `# Day ${i}\n\nNothing happened on day ${i}.\n`,
  ])
  return {
    ...Object.fromEntries(many),
    'garage.md': '# Garage\n\nThe automobile stands under the roof.\n',
    'clinic.md': '# Clinic\n\nThe physician is in on Mondays.\n',
  }
}

const environment = (url: string, model = 'one') => ({
  CAIRN_EMBEDDING: 'openai',
  CAIRN_EMBEDDING_BASE_URL: url,
  CAIRN_EMBEDDING_MODEL: model,
  OPENAI_API_KEY: 'sk-secret',
})

async function best(session: Session, query: string): Promise<string | undefined> {
  const { results } = await session.call('search', { query })
  return results[0]?.id
}

describe('serving with an embedding server', () => {
  it('finds words at once, and meaning as soon as the server is there', async () => {
    const server = await startEmbeddingServer()
    server.manners = 'wrong_key'
    const folder = temporaryFolder(notes(10))
    const session = await openSession([`n=${folder}`], { env: environment(server.url) })
    await session.caughtUp()
    await expect.poll(() => session.stderr(), PATIENCE).toContain('refused with 401')
    const words = await session.call('search', { query: 'automobile tonight' })
    expect(words.results[0].id).toBe('n/garage.md')
    expect(words.note).toContain('Only words were searched.')
    // Indexing goes on meanwhile.
    writeFileSync(join(folder, 'new.md'), '# New\n\nA zeppelin landed.\n')
    await expect.poll(() => session.found('zeppelin'), PATIENCE).toEqual(['n/new.md'])
    server.manners = 'well'
    await expect.poll(() => best(session, 'car'), PATIENCE).toBe('n/garage.md')
    await server.stop()
    const lost = await session.call('search', { query: 'physician tonight' })
    expect(lost.results[0].id).toBe('n/clinic.md')
    expect(lost.note).toContain('could not be reached')
    expect(session.stdout() + session.stderr()).not.toContain('sk-secret')
  })

  it('re-embeds in the background when the model changes', async () => {
    const server = await startEmbeddingServer()
    const folder = temporaryFolder(notes(80))
    const env = environment(server.url)
    await runCairn(['index', `n=${folder}`], { env })
    const { promise: until, resolve: letGo } = Promise.withResolvers<void>()
    server.hold = (_, model) => (model === 'two' ? until : undefined)
    const session = await openSession([`n=${folder}`], { env: environment(server.url, 'two') })
    await expect.poll(() => best(session, 'car'), PATIENCE).toBe('n/garage.md')
    expect(server.requests.findLast(({ input }) => input[0] === 'car')?.model).toBe('one')
    letGo()
    // A question that is asked again would be answered from memory.
    let asked = 0
    const modelOf = async () => {
      const query = `car ${'zq'.repeat(++asked)}`
      expect(await best(session, query)).toBe('n/garage.md')
      return server.requests.findLast(({ input }) => input[0] === query)?.model
    }
    await expect.poll(modelOf, PATIENCE).toBe('two')
    expect(new Set(server.texts('two')).size).toBeGreaterThan(82)
  })
})

describe('a kill in the middle', () => {
  it('loses at most a step: the next run goes on from there', async () => {
    const server = await startEmbeddingServer()
    // Several steps are done, and the next one never will be.
    server.hangsAfter = 100
    const folder = temporaryFolder(notes(200))
    const env = environment(server.url)
    const first = startCairn(['index', `n=${folder}`], { env })
    await expect.poll(() => server.texts().length, PATIENCE).toBeGreaterThan(100)
    first.child.kill('SIGKILL')
    await first.ended
    const { embedding } = await cairnJson(['status', `n=${folder}`], { env })
    expect(embedding.serving).toBeNull()
    expect(embedding.next_documents).toBeGreaterThanOrEqual(32)
    server.requests.length = 0
    server.hangsAfter = Infinity
    expect((await runCairn(['index', `n=${folder}`], { env })).code).toBe(0)
    const again = server.texts().filter((text) => text.includes('#')).length
    expect(again).toBe(202 - embedding.next_documents)
    // A question waits a second for its vector, which a busy machine may miss.
    await vi.waitFor(async () => {
      const { results } = await cairnJson(['search', 'car', '-f', `n=${folder}`], { env })
      expect(results[0].id).toBe('n/garage.md')
    }, PATIENCE)
  })
})

describe('the shell', () => {
  it('indexes with a warning that says what to do, and takes none for an answer', async () => {
    const folder = temporaryFolder(notes(10))
    const env = environment('http://127.0.0.1:9/v1')
    const indexed = await runCairn(['index', `n=${folder}`], { env })
    expect(indexed.code).toBe(0)
    expect(indexed.stderr).toContain('127.0.0.1:9 could not be reached')
    const found = await cairnJson(['search', 'automobile', 'tonight', '-f', `n=${folder}`], { env })
    expect(found.results[0].id).toBe('n/garage.md')
    expect(found.note).toContain('Only words were searched.')
    const none = ['search', 'automobile', 'tonight', '-f', `n=${folder}`, '--embedding', 'none']
    expect(await cairnJson(none, { env })).not.toHaveProperty('note')
  })

  it('says what the onnx provider needs', async () => {
    const folder = temporaryFolder(notes(10))
    const model = temporaryFolder()
    const env = { CAIRN_EMBEDDING: 'onnx', CAIRN_EMBEDDING_MODEL_PATH: model }
    const { code, stderr } = await runCairn(['index', `n=${folder}`], { env })
    expect(code).toBe(0)
    expect(stderr).toContain('no readable model.onnx')
  })

  it('shows settings without the key', async () => {
    const env = environment('http://localhost:11434/v1')
    const { stdout } = await runCairn(['config', 'show'], { env })
    expect(stdout).toContain('OPENAI_API_KEY')
    expect(stdout).toContain('http://localhost:11434/v1')
    expect(stdout).not.toContain('sk-secret')
  })
})
