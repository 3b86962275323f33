/** A base whose meaning comes from a server: indexed, searched, lost, changed and given up. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openBase, type Base } from '../../src/serve/wiring/open-base.ts'
import { runCairn } from '../support/cairn-process.ts'
import { startEmbeddingServer, type EmbeddingServer } from '../support/embedding-server.ts'
import { configOf } from '../support/serve-folder.ts'
import { temporaryFolder, writeFiles } from '../support/temporary-folder.ts'

const NOTES = {
  'garage.md': '# Garage\n\nThe automobile stands under the roof, next to the sedan.\n',
  'kitchen.md': '# Kitchen\n\nA brew needs boiling water and patience.\n',
  'clinic.md': '# Clinic\n\nThe physician is in on Mondays.\n',
  'harbour.md': '# Harbour\n\nEvery vessel pays for its berth.\n',
}

type OpenedBase = Base & { readonly folder: string }

interface Asked {
  readonly ids: readonly string[]
  readonly note: string | undefined
  readonly mode: string
}

async function open(folder: string, env: Record<string, string>): Promise<OpenedBase> {
  const config = await configOf(folder, {}, { folders: [`notes=${folder}`], env })
  const base = await openBase(config)
  onTestFinished(() => base.close())
  return { ...base, folder }
}

const using = (server: EmbeddingServer, model = 'one', more = {}) => ({
  CAIRN_EMBEDDING: 'openai',
  CAIRN_EMBEDDING_BASE_URL: server.url,
  CAIRN_EMBEDDING_MODEL: model,
  ...more,
})

async function index(base: Base): Promise<string[]> {
  const { warnings } = await base.index({ waitForMeaning: true })
  return warnings.map(({ message }) => message)
}

/** What words find whole needs no meaning: questions that do have a word in them nobody wrote. */
async function ask(base: Base, query: string, args = {}): Promise<Asked> {
  const { structured, isError } = await base.call('search', { query, explain: true, ...args })
  expect(isError).toBe(false)
  const { results, note, mode } = structured as {
    results: { id: string }[]
    note?: string
    mode: string
  }
  return { ids: results.map(({ id }) => id), note, mode }
}

async function servingOf(base: Base): Promise<Record<string, unknown>> {
  return (await base.status())['embedding'] as Record<string, unknown>
}

describe('an embedding server', () => {
  it('finds by meaning what no word would find', async () => {
    const server = await startEmbeddingServer()
    const base = await open(temporaryFolder(NOTES), using(server))
    expect(await index(base)).toEqual([])
    const { ids, note, mode } = await ask(base, 'car')
    expect(ids[0]).toBe('notes/garage.md')
    expect([note, mode]).toEqual([undefined, 'hybrid'])
    expect((await ask(base, 'medic')).ids[0]).toBe('notes/clinic.md')
  })

  it('is asked once for a question that comes again', async () => {
    const server = await startEmbeddingServer()
    const base = await open(temporaryFolder(NOTES), using(server))
    await index(base)
    for (const _ of [1, 2, 3]) await ask(base, 'boat')
    expect(server.texts().filter((text) => text === 'boat')).toHaveLength(1)
  })

  it('embeds what changed and nothing else', async () => {
    const server = await startEmbeddingServer()
    const folder = temporaryFolder(NOTES)
    const base = await open(folder, using(server))
    await index(base)
    server.requests.length = 0
    writeFiles(folder, { 'bank.md': '# Bank\n\nCurrency is changed at the counter.\n' })
    await index(base)
    expect(server.texts().filter((text) => text.includes('#'))).toEqual([
      expect.stringContaining('Currency'),
    ])
    expect((await ask(base, 'money')).ids[0]).toBe('notes/bank.md')
    rmSync(join(folder, 'bank.md'))
    await index(base)
    expect((await ask(base, 'money')).ids).not.toContain('notes/bank.md')
  })

  it('gets the key from the named variable, which nothing repeats', async () => {
    const server = await startEmbeddingServer()
    process.env['TEST_EMBEDDING_KEY'] = 'sk-secret'
    onTestFinished(() => void delete process.env['TEST_EMBEDDING_KEY'])
    const key = { CAIRN_EMBEDDING_API_KEY_ENV: 'TEST_EMBEDDING_KEY' }
    const base = await open(temporaryFolder(NOTES), using(server, 'one', key))
    expect(await index(base)).toEqual([])
    await ask(base, 'car')
    expect(new Set(server.requests.map((each) => each.key))).toEqual(new Set(['Bearer sk-secret']))
    server.manners = 'wrong_key'
    const { note } = await ask(base, 'tea')
    expect(note).toMatch(/^Only words were searched\. .* refused with 401\.$/)
    expect(JSON.stringify(await base.status())).not.toContain('sk-secret')
  })

  it('asks for vectors of the length that is wanted', async () => {
    const server = await startEmbeddingServer()
    const short = { CAIRN_EMBEDDING_DIMENSIONS: '7' }
    const base = await open(temporaryFolder(NOTES), using(server, 'one', short))
    expect(await index(base)).toEqual([])
    expect((await servingOf(base))['serving']).toContain(',"one",7,')
    expect((await ask(base, 'car')).ids[0]).toBe('notes/garage.md')
  })
})

describe('a server that fails', () => {
  it.each([
    ['broken', /busy or broken \(500\)/],
    ['wrong_key', /refused with 401/],
    ['nonsense', /not a list of vectors/],
    ['longer', /16 dimensions, not 12/],
    ['hanging', /did not answer/],
  ] as const)('costs meaning alone when it is %s', async (manners, reason) => {
    const server = await startEmbeddingServer()
    // It rests for two seconds, which a busy machine takes for a few questions.
    const clock = vi.spyOn(Date, 'now')
    onTestFinished(() => clock.mockRestore())
    const base = await open(temporaryFolder(NOTES), using(server))
    await index(base)
    server.manners = manners
    clock.mockReturnValue(Date.now())
    const lost = await ask(base, 'automobile tonight')
    expect(lost.ids).toEqual(['notes/garage.md'])
    expect(lost.mode).toBe('lexical')
    expect(lost.note).toMatch(reason)
    expect(lost.note).toMatch(/^Only words were searched\./)
    // Asked for meaning alone, words are better than nothing.
    expect((await ask(base, 'the vessel', { mode: 'semantic' })).ids).toEqual(['notes/harbour.md'])
    const before = server.requests.length
    for (const word of ['physician tonight', 'patience tonight', 'berth tonight']) {
      expect((await ask(base, word)).note).toMatch(/^Only words/)
    }
    expect(server.requests.length).toBe(before)
  })

  it('is found again when it is back', async () => {
    const server = await startEmbeddingServer()
    const base = await open(temporaryFolder(NOTES), using(server))
    await index(base)
    server.manners = 'wrong_key'
    expect((await ask(base, 'car')).mode).toBe('lexical')
    server.manners = 'well'
    await expect
      .poll(async () => (await ask(base, 'car')).ids[0], { interval: 200 })
      .toBe('notes/garage.md')
  })

  it('answers late: the next question has the answer', async () => {
    const server = await startEmbeddingServer()
    const base = await open(temporaryFolder(NOTES), using(server))
    await index(base)
    const late = Promise.withResolvers<void>()
    server.hold = () => late.promise
    expect((await ask(base, 'car')).note).toMatch(/did not answer within 1000 ms/)
    late.resolve()
    await expect.poll(async () => (await ask(base, 'car')).mode, { interval: 100 }).toBe('hybrid')
    expect(server.texts().filter((text) => text === 'car')).toHaveLength(1)
  })

  it.each(['broken', 'wrong_key', 'nonsense'] as const)(
    'leaves a base with words when it was never there (%s)',
    async (manners) => {
      const server = await startEmbeddingServer()
      server.manners = manners
      const base = await open(temporaryFolder(NOTES), using(server))
      const [warning] = await index(base)
      expect(warning).toMatch(/The embedding server 127\.0\.0\.1:\d+ .+\. .*[Cc]heck/)
      const { ids, note } = await ask(base, 'vessel tonight')
      expect(ids).toEqual(['notes/harbour.md'])
      expect(note).toMatch(/^Only words were searched\. The embedding server/)
      const { findings } = await base.doctor({ repair: false })
      const wrong = findings.filter(({ level }) => level === 'error')
      expect(wrong).toEqual([
        {
          level: 'error',
          what: expect.stringContaining('The openai model does not run: The embedding server'),
          fix: expect.stringMatching(/[Cc]heck/),
        },
      ])
      server.manners = 'well'
      expect(await index(base)).toEqual([])
      expect(await ask(base, 'car')).toMatchObject({ mode: 'hybrid', note: undefined })
      expect(await servingOf(base)).not.toHaveProperty('trouble')
    },
  )

  it('does not keep a question from the shell waiting', async () => {
    const server = await startEmbeddingServer()
    server.manners = 'hanging'
    const base = await open(temporaryFolder(NOTES), using(server))
    await base.index({})
    expect((await ask(base, 'vessel')).ids).toEqual(['notes/harbour.md'])
  })

  it('refuses one page: the others are found by meaning', async () => {
    const server = await startEmbeddingServer()
    server.poison = 'berth'
    const base = await open(temporaryFolder(NOTES), using(server))
    expect(await index(base)).toEqual([expect.stringContaining('1 document is found by words')])
    expect((await ask(base, 'car')).ids[0]).toBe('notes/garage.md')
    expect((await ask(base, 'berth')).ids[0]).toBe('notes/harbour.md')
  })

  it('refuses every page: the old vectors stay', async () => {
    const server = await startEmbeddingServer()
    const folder = temporaryFolder(NOTES)
    const old = await open(folder, using(server, 'one'))
    await index(old)
    await old.close()
    server.poison = '#'
    const base = await open(folder, using(server, 'two'))
    expect((await index(base))[0]).toContain('refused with 400')
    expect((await servingOf(base))['serving']).toContain('"one"')
    expect((await ask(base, 'car')).ids[0]).toBe('notes/garage.md')
  })
})

describe('changing the embedder', () => {
  it('goes on with the old vectors until the new ones are complete, then swaps', async () => {
    const server = await startEmbeddingServer()
    const folder = temporaryFolder(NOTES)
    const first = await open(folder, using(server, 'one'))
    await index(first)
    const second = await open(folder, using(server, 'two'))
    const working = Promise.withResolvers<void>()
    server.hold = (input) =>
      input.some((text) => text.includes('#')) ? working.promise : undefined
    await first.close()
    const changing = second.index({ waitForMeaning: true })
    await expect.poll(() => server.texts('two').length).toBeGreaterThan(1)
    expect((await servingOf(second))['serving']).toContain('"one"')
    expect((await servingOf(second))['next']).toContain('"two"')
    expect((await ask(second, 'car')).ids[0]).toBe('notes/garage.md')
    expect(server.requests.findLast(({ input }) => input[0] === 'car')?.model).toBe('one')
    working.resolve()
    await changing
    expect((await servingOf(second))['serving']).toContain('"two"')
    expect((await ask(second, 'medic')).ids[0]).toBe('notes/clinic.md')
    expect(server.requests.findLast(({ input }) => input[0] === 'medic')?.model).toBe('two')
  })

  it('keeps the old vectors when the new server is not there', async () => {
    const server = await startEmbeddingServer()
    const folder = temporaryFolder(NOTES)
    const first = await open(folder, using(server))
    await index(first)
    await first.close()
    const gone = { ...using(server, 'two'), CAIRN_EMBEDDING_BASE_URL: 'http://127.0.0.1:9/v1' }
    const base = await open(folder, gone)
    expect((await index(base))[0]).toContain('could not be reached')
    expect(await ask(base, 'car')).toMatchObject({ mode: 'hybrid', note: undefined })
  })

  it('comes back to the base’s own words, and leaves nothing of an attempt given up', async () => {
    const server = await startEmbeddingServer()
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [
        `n${i}.md`,
        `# Note ${i}\n\nAbout tea and cars ${i}.\n`,
      ]),
    )
    const folder = temporaryFolder(many)
    const own = await open(folder, {})
    await index(own)
    const { serving } = await servingOf(own)
    expect(serving).toMatch(/^corpus:/)
    await own.close()
    // Stopped by the budget of a reading command, with some documents done.
    let done: readonly string[] | undefined
    server.hold = (input) => {
      if (input.length > 1) done ??= input
      return input.length === 1 || done === input || done?.includes(input[0]!)
        ? undefined
        : new Promise(() => {})
    }
    const tried = await open(folder, using(server))
    await expect
      .poll(async () => {
        await tried.index({})
        return servingOf(tried)
      })
      .toMatchObject({ serving, next_documents: 32 })
    await tried.close()
    const back = await open(folder, {})
    await index(back)
    expect(await servingOf(back)).toEqual({ provider: 'corpus', serving })
  })

  it('to none removes the vectors and searches words, without a remark', async () => {
    const server = await startEmbeddingServer()
    const folder = temporaryFolder(NOTES)
    const first = await open(folder, using(server))
    await index(first)
    await first.close()
    const base = await open(folder, { CAIRN_EMBEDDING: 'none' })
    // Even before the vectors are gone nobody is asked.
    const before = server.requests.length
    expect(await ask(base, 'automobile tonight')).toMatchObject({
      mode: 'lexical',
      note: undefined,
    })
    await index(base)
    expect(await servingOf(base)).toEqual({ provider: 'none', serving: null })
    const { ids, mode } = await ask(base, 'car')
    expect([ids, mode]).toEqual([[], 'lexical'])
    expect(server.requests.length).toBe(before)
  })
})

it('measures the embedder that is asked for on a test set', async () => {
  const server = await startEmbeddingServer()
  const docs = Object.entries(NOTES).map(([path, text]) => [`docs/${path}`, text])
  const set = temporaryFolder({
    ...Object.fromEntries(docs),
    'queries.jsonl': '{"_id":"q","text":"medic"}\n',
    'qrels.tsv': 'q\tclinic.md\t1\n',
  })
  const scores = async (...words: string[]) => {
    const { stdout } = await runCairn(['eval', set, '--json', ...words], {
      env: using(server),
    })
    return JSON.parse(stdout).scores.success1
  }
  expect(await scores('--embedding', 'none')).toBe(0)
  expect(await scores()).toBe(1)
  expect(server.texts()).toContain('medic')
})

describe('doctor', () => {
  async function said(base: Base): Promise<string[]> {
    const { findings } = await base.doctor({ repair: false })
    return findings
      .filter(({ what }) => /model|Meaning|vectors|table of/.test(what))
      .map(({ level, what }) => `${level}: ${what.replace(/\d+ ms/, 'N ms')}`)
  }

  it('runs the model that the settings name, and says whether its vectors answer yet', async () => {
    const server = await startEmbeddingServer()
    const base = await open(temporaryFolder(NOTES), using(server))
    await base.index({ waitForMeaning: true })
    const runs = 'ok: The openai model runs: 12 dimensions, N ms for a question.'
    expect(await said(base)).toEqual([runs])
    const other = await open(base.folder, using(server, 'two'))
    const yet = 'warning: The vectors that answer are not those of this model yet.'
    expect(await said(other)).toEqual([runs, yet])
  })

  it('notices a model that cannot tell texts apart', async () => {
    const server = await startEmbeddingServer()
    server.manners = 'dull'
    const base = await open(temporaryFolder(NOTES), using(server))
    expect((await said(base))[0]).toMatch(/^warning: .* no nearer to a car than to a cup of tea/)
  })

  it('has a word about the providers that need no model', async () => {
    const none = await open(temporaryFolder(NOTES), { CAIRN_EMBEDDING: 'none' })
    expect(await said(none)).toEqual(['ok: Meaning is turned off: words alone are searched.'])
    const corpus = await open(temporaryFolder(NOTES), {})
    expect(await said(corpus)).toEqual([
      expect.stringMatching(/^ok: The table of \d+ English words is whole/),
    ])
  })

  it('does not read every file again because a server is gone', async () => {
    const env = {
      CAIRN_EMBEDDING: 'openai',
      CAIRN_EMBEDDING_BASE_URL: 'http://127.0.0.1:9/v1',
    }
    const base = await open(temporaryFolder(NOTES), env)
    await base.index({})
    const { ok, findings } = await base.doctor({ repair: true })
    expect(ok).toBe(false)
    expect(findings.map(({ what }) => what).join()).not.toContain('The index was repaired')
  })
})
