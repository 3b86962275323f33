/** The last few generations by name, for those who want to be told what changed. */
import { CHANGES_KEPT } from '../plan-commit.ts'
import type { Change, ChangeKind } from '../plan-commit.ts'
import type { BaseRows } from './base-rows.ts'
import { placeOf } from './documents-table.ts'
import { numberArray, textArray } from './values.ts'

export async function changesAfter(base: BaseRows, generation: number): Promise<Change[]> {
  const rows = await base.rows(
    `SELECT kind, no, source, path FROM cairn.changes WHERE base = $1 AND generation > $2
     ORDER BY generation, ordinal`,
    generation,
  )
  return rows.map((row) => ({
    kind: String(row['kind']) as ChangeKind,
    no: Number(row['no']),
    ...placeOf(row),
  }))
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
