/**
 * How often servers are killed, replaced and kept away in the tests of faults: a few times in every
 * run, and as often as docs/scaling.md reports where `TEST_FAULTS=full` asks for it.
 */
const isFull = process.env['TEST_FAULTS'] === 'full'

export const FAULTS = {
  replicaKills: isFull ? 50 : 3,
  databaseKills: isFull ? 10 : 3,
  promotions: isFull ? 5 : 1,
  /** Where the home of a folder is killed while it carries out a change. */
  homeMoments: isFull ? ['asked', 'taken', 'logged', 'written', 'answering'] : ['written'],
  outageMs: isFull ? 30_000 : 3_000,
  readers: isFull ? 100 : 20,
  /** Documents of 20 MB and of 20,000 links. */
  withHuge: isFull,
} as const

/** For tests whose length is that of their counts. */
export const FAULTS_TIMEOUT = isFull ? 1_800_000 : 600_000

/**
 * Nobody waits so long for a database that says nothing: the patience of a statement that is at work
 * is twice that, and answers from memory take a thirtieth of it.
 */
export const FAR_TOO_LONG_MS = 60_000

/** Figures for the documentation, seen only where they were asked for. */
export function tellFigures(what: string, figures: Readonly<Record<string, unknown>>): void {
  if (isFull) console.info(`${what}: ${JSON.stringify(figures)}`)
}
