/** What is changed outside becomes visible to a running server by itself. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { handbookCopy } from '../support/cairn-process.ts'
import { SOON } from '../support/soon.ts'
import { type Session, openSession } from '../support/stdio-session.ts'
import { temporaryFolder, writeFiles } from '../support/temporary-folder.ts'

/** Waits until a search finds exactly these, and tells how long that took. */
async function seen(session: Session, query: string, ids: readonly string[]): Promise<number> {
  const started = performance.now()
  await vi.waitFor(async () => {
    const found = await session.found(query)
    expect(found.toSorted()).toEqual(ids.toSorted())
  }, SOON)
  return performance.now() - started
}

it('sees single changes: edit, new file, new folders, rename, atomic save, delete', async () => {
  const folder = handbookCopy()
  const session = await openSession([folder])
  await session.caughtUp()
  const write = (path: string, text: string): void => writeFiles(folder, { [path]: text })

  const times: number[] = []
  for (const word of ['aardvark', 'bongo', 'caracal', 'dugong', 'echidna', 'fossa', 'gerenuk']) {
    write('glossary.md', `# Glossary\n\nThe word of the day is ${word}.\n`)
    times.push(await seen(session, word, ['handbook/glossary.md']))
  }
  const middle = times.toSorted((a, b) => a - b)[3]!
  console.log(`An edit was searchable after ${middle.toFixed(0)} ms (middle of ${times.length}).`)
  expect(await session.found('backfill')).not.toContain('handbook/glossary.md')

  write('new.md', '# New\n\nA quagga came by.\n')
  await seen(session, 'quagga', ['handbook/new.md'])

  write('deep/er/and/deeper/note.md', '# Deep\n\nAn okapi sleeps. See [[new]].\n')
  await seen(session, 'okapi', ['handbook/deep/er/and/deeper/note.md'])
  const { neighbors } = await session.call('neighbors', { id: 'handbook/new.md' })
  expect(neighbors).toMatchObject([{ id: 'handbook/deep/er/and/deeper/note.md' }])
  // Also in a folder that came into being a moment ago.
  write('deep/er/and/deeper/second.md', 'Another okapi.\n')
  await seen(session, 'okapi', [
    'handbook/deep/er/and/deeper/note.md',
    'handbook/deep/er/and/deeper/second.md',
  ])

  renameSync(join(folder, 'new.md'), join(folder, 'renamed.md'))
  await seen(session, 'quagga', ['handbook/renamed.md'])
  renameSync(join(folder, 'deep'), join(folder, 'shallow'))
  await seen(session, 'okapi', [
    'handbook/shallow/er/and/deeper/note.md',
    'handbook/shallow/er/and/deeper/second.md',
  ])
  write('shallow/er/and/deeper/third.md', 'A third okapi.\n')
  await seen(session, 'third okapi', [
    'handbook/shallow/er/and/deeper/third.md',
    'handbook/shallow/er/and/deeper/note.md',
    'handbook/shallow/er/and/deeper/second.md',
  ])

  writeFileSync(join(folder, '.renamed.md.swp'), '# New\n\nA vicuna came by.\n')
  renameSync(join(folder, '.renamed.md.swp'), join(folder, 'renamed.md'))
  await seen(session, 'vicuna', ['handbook/renamed.md'])
  await seen(session, 'quagga', [])

  rmSync(join(folder, 'renamed.md'))
  await seen(session, 'vicuna', [])
  rmSync(join(folder, 'shallow'), { recursive: true })
  await seen(session, 'okapi', [])
  // Back to what it was, but for the glossary.
  await vi.waitFor(async () => {
    const { summary } = await session.call('insights')
    expect(summary.documents).toBe(33)
  }, SOON)
  expect(session.stderr()).toBe('')
})

it('sees a burst of files, a checkout that rewrites them, and their end', async () => {
  const folder = temporaryFolder({ 'index.md': '# Index\n' })
  const session = await openSession([`notes=${folder}`])
  await session.caughtUp()
  const COUNT = 1_500
  const branch = (word: string): void => {
    for (let n = 0; n < COUNT; n++) {
      mkdirSync(join(folder, `part-${n % 10}`), { recursive: true })
      // As git does: the old file goes, the new one comes.
      const file = join(folder, `part-${n % 10}/n${n}.md`)
      rmSync(file, { force: true })
      writeFileSync(file, `# Note ${n}\n\nWritten on the branch ${word}, number${n}.\n`)
    }
  }
  const total = async (): Promise<number> => (await session.call('list', { limit: 1 }))['total']
  const settled = async (word: string): Promise<number> => {
    const started = performance.now()
    await vi.waitFor(async () => {
      expect(await total()).toBe(COUNT + 1)
      for (const n of [0, 1, 749, COUNT - 1]) {
        expect(await session.found(`"${word} number${n}"`)).toEqual([
          `notes/part-${n % 10}/n${n}.md`,
        ])
      }
    }, SOON)
    return performance.now() - started
  }

  branch('meerkat')
  const first = await settled('meerkat')
  branch('wombat')
  const second = await settled('wombat')
  console.log(
    `${COUNT} new files were searchable ${first.toFixed(0)} ms after the last was written, ${COUNT} rewritten ones after ${second.toFixed(0)} ms.`,
  )
  // The last of the old files may still be on its way out.
  await vi.waitFor(async () => expect(await session.found('meerkat')).toEqual([]), SOON)
  for (let part = 0; part < 10; part++) rmSync(join(folder, `part-${part}`), { recursive: true })
  await vi.waitFor(async () => expect(await total()).toBe(1), SOON)
  expect(await session.found('wombat')).toEqual([])
  expect(session.stderr()).toBe('')
})
