/** The last few generations by name, for those who want to be told what changed. */
import { CHANGES_KEPT } from '../../core/store/plan-commit.ts'
import type { Change } from '../../core/store/plan-commit.ts'
import type { BaseRows } from './base-rows.ts'
import { reading } from './rows.ts'
import { numberArray, textArray } from './values.ts'

export async function changesAfter(base: BaseRows, generation: number): Promise<Change[]> {
  const rows = await base.rows(
    `SELECT kind, no, source, path FROM cairn.changes WHERE base = $1 AND generation > $2
     ORDER BY generation, ordinal`,
    generation,
  )
  return rows.map(reading.changeOf)
}

/** The same, with the generation that they lead to: one statement, so both are of one moment. */
export async function changesUpToNow(
  base: BaseRows,
  since: number,
): Promise<{ readonly generation: number; readonly changes: readonly Change[] }> {
  const rows = await base.rows(
    `SELECT b.generation, c.kind, c.no, c.source, c.path FROM cairn.bases AS b
     LEFT JOIN cairn.changes AS c ON c.base = b.id AND c.generation > $2
     WHERE b.id = $1 ORDER BY c.generation, c.ordinal`,
    since,
  )
  return {
    generation: Number(rows[0]?.['generation'] ?? 0),
    changes: rows.filter((row) => row['kind'] !== null).map(reading.changeOf),
  }
}

export async function noteChanges(
  base: BaseRows,
  generation: number,
  changes: readonly Change[],
): Promise<void> {
  await base.rows(
    `WITH forgotten AS (DELETE FROM cairn.changes WHERE base = $1 AND generation <= $3)
     INSERT INTO cairn.changes (base, generation, ordinal, no, kind, source, path)
     SELECT $1, $2, ordinal, no, kind, source, path
     FROM unnest($4::integer[], $5::text[], $6::text[], $7::text[]) WITH ORDINALITY
       AS c (no, kind, source, path, ordinal)`,
    generation,
    generation - CHANGES_KEPT,
    numberArray(changes.map(({ no }) => no)),
    textArray(changes.map(({ kind }) => kind)),
    textArray(changes.map(({ source }) => source)),
    textArray(changes.map(({ path }) => path)),
  )
}
