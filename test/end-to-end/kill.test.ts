/**
 * `kill -9` while the index is being written, at a hundred random moments, with files changing in
 * between: after a restart the answers are those of an index that was never disturbed.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { randomNumbers } from '../../bench/harness.ts'
import { cairnJson, startCairn } from '../support/cairn-process.ts'
import { type Session, openSession } from '../support/stdio-session.ts'
import { temporaryFolder, writeFiles } from '../support/temporary-folder.ts'
import { generatedNotes, notePath, noteText } from './generated-notes.ts'

const KILLS = 100
/** One commit each, so that a run has several moments to be killed between. */
const SOURCES = ['alpha', 'beta', 'gamma']
const NOTES = 200
/** Every so often the victim is a server that is asked questions while it catches up. */
const SERVER_EVERY = 10

const QUERIES = [
  'harbour lantern',
  'what does the captain say about fog and storm signals',
  '"rope sail"',
  'gull -tide',
  'alpha note 7',
  'compas ruder',
  'revised keel',
]

it(`answers rightly after ${KILLS} kills at random moments`, { timeout: 600_000 }, async () => {
  const base = openBase(20_261_115)
  const started = performance.now()
  await cairnJson(['index', ...base.words, '--force'])
  const runMs = performance.now() - started
  // How long a run takes, learned from those that were done before their moment came.
  const lasts = { forced: runMs, plain: runMs, server: runMs }

  let kills = 0
  let finished = 0
  for (let round = 0; kills < KILLS; round++) {
    expect(finished, 'most runs end before they are killed').toBeLessThan(KILLS)
    base.change()
    const kind = round % SERVER_EVERY === 0 ? 'server' : round % 3 === 0 ? 'plain' : 'forced'
    const afterMs = (0.2 + 0.8 * base.random()) * lasts[kind]
    const begun = performance.now()
    const killed =
      kind === 'server'
        ? await killServer(base, afterMs)
        : await killIndexing(base, afterMs, kind === 'forced')
    if (killed) kills++
    else {
      finished++
      lasts[kind] = 0.95 * (performance.now() - begun)
    }
  }

  await cairnJson(['index', ...base.words])
  const { ok, findings } = await cairnJson(['doctor', ...base.words])
  expect(findings.filter(({ level }: { level: string }) => level === 'error')).toEqual([])
  expect(ok).toBe(true)

  const disturbed = await openSession([...base.words, '--no-watch'])
  const undisturbed = [...base.folders, '--state', temporaryFolder()]
  await cairnJson(['index', ...undisturbed])
  const fresh = await openSession([...undisturbed, '--no-watch'])
  await Promise.all([disturbed.caughtUp(), fresh.caughtUp()])
  const [answers, expected] = await Promise.all([answersOf(disturbed), answersOf(fresh)])
  for (const [question, answer] of answers) {
    expect(answer, question).toEqual(expected.get(question))
  }
  expect(answers.size).toBe(expected.size)
  expect(answers.get('coverage')).toMatchObject({ summary: { indexed: base.files.size } })
  const { generation } = await cairnJson(['status', ...base.words])
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  console.log(
    `${kills} kills within runs of about ${runMs.toFixed(0)} ms, ${finished} runs were done before; ${generation} batches were committed in between. ${seconds} s in all.`,
  )
})

interface Base {
  /** `name=path` of every source. */
  readonly folders: readonly string[]
  /** The same with the state folder that goes through it all. */
  readonly words: readonly string[]
  /** What is on disk: `<source>/<path>` → text. */
  readonly files: Map<string, string>
  readonly random: () => number
  /** Edits, deletes and adds some notes. */
  change(): void
}

function openBase(seed: number): Base {
  const root = temporaryFolder()
  const random = randomNumbers(seed)
  const files = new Map<string, string>()
  for (const [index, source] of SOURCES.entries()) {
    for (const [path, text] of Object.entries(generatedNotes(NOTES, index + 1, source))) {
      files.set(`${source}/${path}`, text)
    }
  }
  writeFiles(root, Object.fromEntries(files))
  const pick = (below: number): number => Math.floor(random() * below)
  const put = (id: string, text: string): void => {
    files.set(id, text)
    writeFiles(root, { [id]: text })
  }
  const folders = SOURCES.map((source) => `${source}=${join(root, source)}`)
  return {
    folders,
    words: [...folders, '--state', temporaryFolder()],
    files,
    random,
    change() {
      const ids = [...files.keys()]
      for (let n = 0; n < 12; n++) {
        const id = ids[pick(ids.length)]!
        const text = files.get(id)
        // It may have been deleted a moment ago.
        if (text === undefined) continue
        const choice = random()
        if (choice < 0.2) {
          files.delete(id)
          rmSync(join(root, id))
        } else if (choice < 0.5) {
          put(id, text.replace(/^title: .*$/m, `title: revised ${pick(1_000)}`))
        } else {
          put(id, `${text}\nRevised ${pick(1_000)}: the keel of [[note-${pick(NOTES)}]].\n`)
        }
      }
      for (let n = 0; n < 3; n++) {
        const source = SOURCES[pick(SOURCES.length)]!
        const number = pick(NOTES * 2)
        put(`${source}/${notePath(source, number)}`, noteText(source, number, NOTES, random))
      }
    },
  }
}

/** False when it was done before. */
async function killIndexing(base: Base, afterMs: number, force: boolean): Promise<boolean> {
  const indexing = startCairn(['index', ...base.words, ...(force ? ['--force'] : [])])
  await Promise.race([delay(afterMs), indexing.ended])
  indexing.child.kill('SIGKILL')
  const { signal, code } = await indexing.ended
  if (signal === null) expect([code, indexing.stderr()]).toEqual([0, expect.any(String)])
  return signal === 'SIGKILL'
}

/** Asks until the moment comes; whatever it answers must be in the files. */
async function killServer(base: Base, afterMs: number): Promise<boolean> {
  const session = await openSession(base.words)
  const deadline = performance.now() + afterMs
  do {
    for (const query of QUERIES) expectHonest(base, await session.call('search', { query }))
  } while (performance.now() < deadline)
  session.child.kill('SIGKILL')
  return (await session.ended).signal === 'SIGKILL'
}

function expectHonest({ files }: Base, answer: Record<string, any>): void {
  expect(answer['error']).toBeUndefined()
  for (const { id, title, snippet } of answer['results']) {
    const text = files.get(id)
    expect(text, `${id} is shown and does not exist`).toBeDefined()
    expect(text).toContain(`title: ${title}\n`)
    const passage = snippet.replace(/^… /, '').replace(/ …$/, '')
    expect(text).toContain(passage)
  }
}

/** Everything one can ask that does not depend on when the index was made. */
async function answersOf({ call }: Session): Promise<Map<string, unknown>> {
  const answers = new Map<string, unknown>()
  for (const query of QUERIES) {
    answers.set(query, await call('search', { query, limit: 50, detail: 'detailed' }))
  }
  const { items } = await call('list', { limit: 500 })
  answers.set('list', items)
  for (const report of ['overview', 'hubs', 'orphans', 'broken_links', 'coverage', 'tags']) {
    const answer = await call('insights', { report, limit: 100 })
    // How many segments there are is nobody's business but the index's.
    if (report === 'overview') delete answer['summary'].segments
    answers.set(report, answer)
  }
  const hubs = await call('insights', { report: 'hubs', metric: 'pagerank', limit: 100 })
  answers.set('pagerank', hubs)
  for (const { id } of hubs['items'].slice(0, 40)) {
    answers.set(`neighbors ${id}`, await call('neighbors', { id, as: 'graph', limit: 100 }))
    answers.set(`fetch ${id}`, await call('fetch', { id, include: ['links', 'backlinks'] }))
  }
  return answers
}
