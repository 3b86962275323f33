import { expect, it } from 'vitest'
import { showProgress } from './progress.ts'
import { openTerminal } from './terminal.ts'

/** What stands on the line, one after the other. */
function watched(isTTY: boolean, options: { announce: boolean; expected?: number }) {
  let time = 1_000
  const written: string[] = []
  const stream = { isTTY, write: (text: string) => written.push(text) }
  const progress = showProgress(openTerminal(stream, stream, {}), { ...options, now: () => time })
  return {
    progress,
    later: (ms: number) => (time += ms),
    lines: () => written.join('').split('\r\u001b[K').slice(1),
  }
}

it('is one line from the first moment, and names what is done and of how many', () => {
  const { progress, later, lines } = watched(true, { announce: true, expected: 6_571 })
  expect(lines()).toEqual(['Reading 0 of 6,571  [------------------------]'])
  for (const update of [
    { phase: 'scan', done: 0, total: 0 },
    { phase: 'index', done: 1_200, total: 6_571 },
    { phase: 'index', done: 0, total: 0 },
    { phase: 'learn', done: 6_571, total: 6_571 },
  ]) {
    later(100)
    progress.update(update)
  }
  progress.finish()
  expect(lines().slice(1)).toEqual([
    'Reading 1,200 of 6,571  [####--------------------]',
    'Learning what words mean 6,571 of 6,571  [########################]',
    '',
  ])
})

it('says what it does before anything is counted', () => {
  expect(watched(true, { announce: true }).lines()).toEqual(['Looking for files…'])
})

it('does not flash before a search, and is quiet in a log', () => {
  const quick = watched(true, { announce: false })
  quick.later(200)
  quick.progress.update({ phase: 'index', done: 1, total: 2 })
  quick.progress.finish()
  expect(quick.lines()).toEqual([])
  const log = watched(false, { announce: true, expected: 3 })
  log.progress.update({ phase: 'index', done: 1, total: 3 })
  expect(log.lines()).toEqual([])
})
