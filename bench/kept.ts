/**
 * A log of measurements: what each benchmark has last shown, whole and quick, with its day, its
 * commit and how busy the machine was. The page is written from it, so a part that takes an hour
 * need not be measured again because another has changed.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Reached } from './goals.ts'
import { PROJECT, type Headline, type Panel } from './harness.ts'

export interface Kept {
  readonly name: string
  readonly quick: boolean
  /** When it began, as an ISO time. */
  readonly at: string
  /** The code that was measured; a plus says that it was changed since. */
  readonly commit: string
  /** Calibration and load before and after. */
  readonly noise: readonly [before: string, after: string]
  readonly text: string
  readonly headlines: readonly Headline[]
  readonly panels: readonly Panel[]
  readonly reached: readonly Reached[]
}

/** Not in the repository: what one machine has measured. */
export const KEPT_FOLDER = join(PROJECT, 'bench', 'out')

/** A quick run leaves rows out, so what a whole one has shown stays beside it. */
export function keep(kept: Kept, folder = KEPT_FOLDER): void {
  mkdirSync(folder, { recursive: true })
  const file = `${kept.name}${kept.quick ? '.quick' : ''}.json`
  writeFileSync(join(folder, file), `${JSON.stringify(kept, undefined, 2)}\n`)
}

/** Everything that is kept, the oldest first. */
export function readKept(folder = KEPT_FOLDER): Kept[] {
  mkdirSync(folder, { recursive: true })
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Kept)
    .toSorted((a, b) => a.at.localeCompare(b.at))
}

/** Of every benchmark the last that was measured, in the order of `names`. */
export function lastOfEach(kept: readonly Kept[], names: readonly string[]): Kept[] {
  return names.flatMap((name) => kept.findLast((each) => each.name === name) ?? [])
}

/** Of every goal what was measured last, and when: not every run measures all of them. */
export function reachedIn(kept: readonly Kept[]): Reached[] {
  return kept.flatMap(({ reached, at, commit, quick }) =>
    reached.map((each) => ({ ...each, measured: measuredAt({ at, commit, quick }) })),
  )
}

export function measuredAt({ at, commit, quick }: Pick<Kept, 'at' | 'commit' | 'quick'>): string {
  return `${at.slice(0, 10)}, ${commit}${quick ? ', quick' : ''}`
}

export function commitHere(): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: PROJECT, encoding: 'utf8' }).trim()
  try {
    // What a run of benchmarks writes itself is no change of what is measured.
    const others = git('status', '--porcelain', '--', '.', ':!docs')
    return `${git('rev-parse', '--short=8', 'HEAD')}${others === '' ? '' : '+'}`
  } catch {
    return 'no commit'
  }
}
