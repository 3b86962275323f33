/**
 * What search is meant to reach on the notes of vault-mdn, in one table. Benchmarks say what they
 * have measured of it with `goal`; `bench/run.ts` gathers that, and the page shows every row, also
 * those that nothing was measured for.
 */
import { formatMs, GATHERING, markdownTable, type Panel } from './harness.ts'

interface Goal {
  readonly what: string
  /** Which benchmark measures it. */
  readonly by: string
  readonly unit: keyof typeof UNITS
  /** When the goals were set. */
  readonly was: number
  readonly must: number
  readonly aim: number
}

/** `more` is better only where it says so. */
const UNITS = {
  ms: { show: formatMs, more: false },
  MB: { show: (value: number) => `${value.toFixed(0)} MB`, more: false },
  KB: { show: (value: number) => `${value.toFixed(2)} KB`, more: false },
  ratio: { show: (value: number) => `${value.toFixed(2)}x`, more: false },
  faster: { show: (value: number) => `${value.toFixed(value < 10 ? 2 : 0)} times`, more: true },
  share: { show: (value: number) => `${value.toFixed(0)} %`, more: true },
} as const

export const GOALS = {
  firstAnswer: {
    what: 'first answer while it indexes for the first time',
    by: 'server',
    unit: 'ms',
    was: 7_900,
    must: 1_200,
    aim: 800,
  },
  coldWords: {
    what: 'cold index, words, time of FTS5 from the same files',
    by: 'search',
    unit: 'ratio',
    was: 2.2,
    must: 1,
    aim: 0.75,
  },
  coldMeaning: {
    what: 'cold index with meaning, time of FTS5 (words) from the same files',
    by: 'search',
    unit: 'ratio',
    was: 6,
    must: 2.2,
    aim: 1.6,
  },
  tenWords: {
    what: '10 words of a sentence, p50, faster than FTS5',
    by: 'search',
    unit: 'faster',
    was: 42,
    must: 90,
    aim: 120,
  },
  phrase: {
    what: 'a phrase, p50, faster than FTS5',
    by: 'search',
    unit: 'faster',
    was: 0.36,
    must: 1,
    aim: 2,
  },
  stdioMiddle: {
    what: 'search over stdio after 400 questions, p50',
    by: 'server',
    unit: 'ms',
    was: 8.2,
    must: 4,
    aim: 2,
  },
  stdioSlow: {
    what: 'search over stdio after 400 questions, p95',
    by: 'server',
    unit: 'ms',
    was: 12.7,
    must: 6.5,
    aim: 4,
  },
  firstQuestions: {
    what: 'first 400 questions, processor each',
    by: 'server',
    unit: 'ms',
    was: 16.7,
    must: 7,
    aim: 5,
  },
  warmStart: {
    what: 'warm start to the first answer',
    by: 'server',
    unit: 'ms',
    was: 386,
    must: 180,
    aim: 120,
  },
  shell: {
    what: 'one search from a shell on 6,571 notes, processor',
    by: 'shell',
    unit: 'ms',
    was: 880,
    must: 300,
    aim: 200,
  },
  settled: {
    what: 'resident memory of a server, settled',
    by: 'server',
    unit: 'MB',
    was: 233,
    must: 170,
    aim: 150,
  },
  afterQuestions: {
    what: 'resident memory after 2,000 questions',
    by: 'server',
    unit: 'MB',
    was: 470,
    must: 200,
    aim: 160,
  },
  perPassage: {
    what: 'resident memory for one more passage, up to 760,000',
    by: 'large',
    unit: 'KB',
    was: 0.78,
    must: 0.45,
    aim: 0.3,
  },
  disk: {
    what: 'index on disk (millions of bytes)',
    by: 'server',
    unit: 'MB',
    was: 92,
    must: 68,
    aim: 60,
  },
  httpAgain: {
    what: 'searches over HTTP of a constant’s, questions that repeat, by processor',
    by: 'load',
    unit: 'share',
    was: 44,
    must: 70,
    aim: 80,
  },
  httpNew: {
    what: 'searches over HTTP of a constant’s, new questions, by processor',
    by: 'load',
    unit: 'share',
    was: 22,
    must: 40,
    aim: 55,
  },
  firstEdit: {
    what: 'first edit after a start, 146,000 notes',
    by: 'large',
    unit: 'ms',
    was: 2_800,
    must: 300,
    aim: 100,
  },
} as const satisfies Record<string, Goal>

export type GoalKey = keyof typeof GOALS

export interface Reached {
  readonly key: GoalKey
  readonly now: number
  /** The same by the processor's time, which knows no neighbours; said in words. */
  readonly processor?: string
  /** When that was, and of which code. */
  readonly measured?: string
}

const GOAL = 'bench-goal '

/** Says what was measured; what is missing (NaN) was not. */
export function goal(key: GoalKey, now: number | undefined, processor?: string): void {
  if (!process.env[GATHERING] || now === undefined || Number.isNaN(now)) return
  const reached: Reached = { key, now, ...(processor !== undefined && { processor }) }
  process.stdout.write(`${GOAL}${JSON.stringify(reached)}\n`)
}

/** Takes what was said with `goal` out of what a benchmark printed. */
export function splitGoals(output: string): { readonly text: string; readonly reached: Reached[] } {
  const lines = output.split('\n')
  return {
    text: lines.filter((line) => !line.startsWith(GOAL)).join('\n'),
    reached: lines
      .filter((line) => line.startsWith(GOAL))
      .map((line) => JSON.parse(line.slice(GOAL.length)) as Reached),
  }
}

const rows = Object.entries(GOALS) as readonly (readonly [GoalKey, Goal])[]

export function goalTable(reached: readonly Reached[]): string {
  return markdownTable(
    ['what', 'once', 'now', 'by the processor', 'must', 'aim', 'verdict', 'measured'],
    rows.map(([key, { what, by, unit, was, must, aim }]) => {
      const { show } = UNITS[unit]
      const found = reached.findLast((each) => each.key === key)
      return [
        what,
        show(was),
        found ? show(found.now) : '–',
        found?.processor ?? '',
        show(must),
        show(aim),
        found ? verdict(GOALS[key], found.now) : `not measured (\`npm run bench -- ${by}\`)`,
        found?.measured ?? '',
      ]
    }),
  )
}

function verdict({ unit, must, aim }: Goal, now: number): string {
  const { more } = UNITS[unit]
  if (more ? now >= aim : now <= aim) return 'met, aim too'
  if (more ? now >= must : now <= must) return 'met'
  const missing = more ? 1 - now / must : now / must - 1
  return `not met, by ${Math.max(1, Math.round(100 * missing))} %`
}

/** How far each is from what it must be: at 1 it is there, and less is better. */
export function goalPanel(reached: readonly Reached[]): Panel {
  const measured = rows.flatMap(([key, each]) => {
    const found = reached.findLast((one) => one.key === key)
    return found ? [{ key, goal: each, now: found.now }] : []
  })
  const share = ({ unit, must }: Goal, value: number): number =>
    UNITS[unit].more ? must / value : value / must
  return {
    title: 'Against what must be reached: 1 is there, less is better',
    unit: 'times the must',
    series: ['Cairn', 'aim'],
    groups: measured.map(({ key, goal: each, now }) => ({
      label: LABELS[key],
      values: [share(each, now), share(each, each.aim)],
    })),
  }
}

const LABELS: Readonly<Record<GoalKey, string>> = {
  firstAnswer: 'first',
  coldWords: 'cold',
  coldMeaning: 'meaning',
  tenWords: '10 words',
  phrase: 'phrase',
  stdioMiddle: 'p50',
  stdioSlow: 'p95',
  firstQuestions: 'CPU',
  warmStart: 'start',
  shell: 'shell',
  settled: 'settled',
  afterQuestions: 'asked',
  perPassage: 'passage',
  disk: 'disk',
  httpAgain: 'again',
  httpNew: 'new',
  firstEdit: 'edit',
}
