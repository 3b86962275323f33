/** Several servers on one base, as when several clients start one each: one indexes, all answer. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { cairnJson, handbookCopy } from '../support/cairn-process.ts'
import { SOON } from '../support/soon.ts'
import { type Session, openSession } from '../support/stdio-session.ts'

/** Until every one of them finds the word, and how long that took. */
async function allFind(sessions: readonly Session[], word: string, id: string): Promise<number> {
  const started = performance.now()
  for (const session of sessions) {
    await vi.waitFor(async () => expect(await session.found(word)).toEqual([id]), SOON)
  }
  return performance.now() - started
}

/** The process that holds the right to index, as `cairn status` tells it. */
async function indexingPid(folder: string): Promise<number> {
  return vi.waitFor(async () => {
    const { indexed_by: owner } = await cairnJson(['status', folder])
    const pid = Number.parseInt(owner ?? '', 10)
    expect(pid).toBeGreaterThan(0)
    return pid
  }, SOON)
}

it('shares the work, and the next one takes over when the one that indexes is killed', async () => {
  const folder = handbookCopy()
  const sessions = await Promise.all([1, 2, 3].map(() => openSession([folder])))
  await Promise.all(sessions.map((session) => session.caughtUp()))
  for (const session of sessions) {
    expect((await session.call('insights')).summary.documents).toBe(33)
  }

  const edit = (word: string): void =>
    writeFileSync(join(folder, 'glossary.md'), `# Glossary\n\nToday's word is ${word}.\n`)
  edit('axolotl')
  const quiet = await allFind(sessions, 'axolotl', 'handbook/glossary.md')

  let left = sessions
  const takeovers: number[] = []
  for (const word of ['binturong', 'coelacanth']) {
    const pid = await indexingPid(folder)
    const leader = left.find((session) => session.pid === pid)
    expect(leader, 'one of them indexes').toBeDefined()
    leader!.child.kill('SIGKILL')
    await leader!.ended
    left = left.filter((session) => session !== leader)
    edit(word)
    takeovers.push(await allFind(left, word, 'handbook/glossary.md'))
    expect(left.map(({ pid: each }) => each)).toContain(await indexingPid(folder))
  }
  expect(left).toHaveLength(1)
  const seconds = takeovers.map((ms) => (ms / 1000).toFixed(1)).join(' and ')
  console.log(
    `An edit was visible in three processes after ${quiet.toFixed(0)} ms; after a kill of the one that indexes, an edit was visible after ${seconds} s.`,
  )

  // A command beside a server reads the index the server keeps.
  const { results } = await cairnJson(['search', 'coelacanth', '--folder', folder])
  expect(results).toMatchObject([{ id: 'handbook/glossary.md' }])
  expect((await cairnJson(['doctor', folder])).ok).toBe(true)
  for (const session of sessions) expect(session.stderr()).toBe('')
})

it('hands over at once when the one that indexes ends in peace', async () => {
  const folder = handbookCopy()
  const first = await openSession([folder])
  await first.caughtUp()
  const second = await openSession([folder])
  await second.caughtUp()
  first.child.stdin.end()
  expect((await first.ended).code).toBe(0)
  writeFileSync(join(folder, 'new.md'), '# New\n\nA dik-dik and a kinkajou.\n')
  await allFind([second], 'kinkajou', 'handbook/new.md')
  expect(await indexingPid(folder)).toBe(second.pid)
})
