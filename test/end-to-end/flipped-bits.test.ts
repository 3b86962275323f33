/**
 * A disk that gives back other bits than it was given. Every answer is the same as before, or an
 * error that says so; none is silently another one.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openBase } from '../../src/serve/wiring/open-base.ts'
import { configOf } from '../support/serve-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** How many bits are flipped, one at a time; each is followed by all the questions. */
const FLIPS = Number(process.env['TEST_FLIPS'] ?? 40)

const WORDS = 'kettle leaf cup steam water garden mountain river lantern bridge'.split(' ')

function notes(): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => {
      const word = (step: number) => WORDS[(index * step + step) % WORDS.length]!
      const text = Array.from(
        { length: 12 },
        (_line, line) => `The ${word(line + 1)} stands by the ${word(line + 3)}, ${index}-${line}.`,
      ).join('\n\n')
      return [
        `${word(2)}/note-${index}.md`,
        `---\ntags: [${word(3)}, t${index % 7}]\n---\n# Note ${index} of the ${word(1)}\n\n` +
          `See [[note-${(index * 7 + 1) % 60}]] and [[note-${(index * 3 + 2) % 60}]].\n\n${text}\n`,
      ]
    }),
  )
}

const QUESTIONS: readonly (readonly [string, Record<string, unknown>])[] = [
  ...WORDS.map((word) => ['search', { query: `${word} by the river` }] as const),
  ['search', { query: 'Note 12', limit: 5 }],
  ['list', { tags: ['t3'] }],
  ['list', { path: 'cup/' }],
  ['neighbors', { id: 'note-5', depth: 2 }],
  ['path', { from: 'note-1', to: 'note-40' }],
  ['insights', { report: 'hubs' }],
  ['fetch', { id: 'note-9', include: ['links', 'backlinks'] }],
]

async function answers(folder: string, state: string): Promise<string[]> {
  const config = await configOf(folder, { state }, { folders: [`notes=${folder}`] })
  const base = await openBase(config)
  try {
    // A file that cannot be opened is set aside, and the index built anew from the files.
    const { structured: all } = await base.call('list', { limit: 1 })
    if (all['total'] === 0) await base.index({ waitForMeaning: true })
    const given: string[] = []
    for (const [tool, args] of QUESTIONS) {
      const { structured, isError } = await base.call(tool, { ...args })
      given.push(isError ? `error ${JSON.stringify(structured)}` : JSON.stringify(structured))
    }
    return given
  } finally {
    await base.close()
  }
}

/** The same numbers in every run, so that a bit that was missed can be looked at again. */
function* randomNumbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state / 2 ** 32
  }
}

it(`never answers differently after ${FLIPS} flipped bits`, { timeout: 600_000 }, async () => {
  const folder = temporaryFolder(notes())
  const state = join(temporaryFolder(), 'state')
  const config = await configOf(folder, { state }, { folders: [`notes=${folder}`] })
  const base = await openBase(config)
  await base.index({ waitForMeaning: true })
  await base.close()
  const whole = await answers(folder, state)
  expect(whole.filter((answer) => answer.startsWith('error'))).toEqual([])
  const bytes = readFileSync(join(state, 'index.db'))
  const random = randomNumbers(20_260)
  const counts = { same: 0, refused: 0, different: 0 }
  const missed: string[] = []
  for (let flip = 0; flip < FLIPS; flip++) {
    const copy = join(temporaryFolder(), 'state')
    mkdirSync(copy)
    for (const name of readdirSync(state).filter((each) => !/index\.db|lock/.test(each))) {
      if (!/^(?:history|\.gitignore)$/.test(name)) copyFileSync(join(state, name), join(copy, name))
    }
    const damaged = Buffer.from(bytes)
    const at = Math.floor(random.next().value * bytes.length)
    damaged[at] = damaged[at]! ^ (1 << Math.floor(random.next().value * 8))
    writeFileSync(join(copy, 'index.db'), damaged)
    const given = await answers(folder, copy).catch(() => whole.map(() => 'error'))
    for (const [index, answer] of given.entries()) {
      const kind =
        answer === whole[index] ? 'same' : answer.startsWith('error') ? 'refused' : 'different'
      counts[kind]++
      if (kind === 'different') missed.push(`byte ${at}: ${JSON.stringify(QUESTIONS[index])}`)
    }
  }
  console.log(`${FLIPS} flipped bits, ${bytes.length} bytes: ${JSON.stringify(counts)}`)
  expect(missed).toEqual([])
})
