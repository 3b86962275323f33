/**
 * Is this still the history that was seen? Everything that is committed is a step with a mark drawn
 * by lot. Whoever saw a step asks whether it is still there under the same mark: where it is not,
 * the database was brought back from an earlier time, or a standby that was behind has taken over,
 * and numbers seen before mean nothing. No clock, no server's name and no timeline is trusted.
 */
import type { BaseRows } from './base-rows.ts'

/** Whoever has slept through more than these is not told what changed, and loads everything again. */
export const STEPS_KEPT = 2_000

/** A change of the base: in a transaction, with the mark that it leaves. */
export type Changing = <Result>(
  work: (rows: BaseRows, mark: string) => Promise<Result>,
) => Promise<Result>

export async function takeStep(rows: BaseRows, mark: string): Promise<void> {
  await rows.rows(
    `WITH taken AS (UPDATE cairn.bases SET step = step + 1 WHERE id = $1 RETURNING step),
     forgotten AS (DELETE FROM cairn.steps
       WHERE base = $1 AND step <= (SELECT step FROM taken) - ${STEPS_KEPT})
     INSERT INTO cairn.steps (base, step, mark) SELECT $1, step, $2 FROM taken`,
    mark,
  )
}
