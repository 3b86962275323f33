/** The last few generations by name, for those who want to be told what changed. */
import { CHANGES_KEPT } from '../plan-commit.ts'
import type { Change } from '../plan-commit.ts'
import type { Connection } from './connection.ts'
import { reading } from './rows.ts'

export function changesAfter(connection: Connection, generation: number): Change[] {
  const rows = connection.all(
    'SELECT kind, no, source, path FROM changes WHERE generation > ? ORDER BY generation, rowid',
    generation,
  )
  return rows.map(reading.changeOf)
}

export function noteChanges(
  connection: Connection,
  generation: number,
  changes: readonly Change[],
): void {
  connection.run('DELETE FROM changes WHERE generation <= ?', generation - CHANGES_KEPT)
  for (const { kind, no, source, path } of changes) {
    connection.run(
      'INSERT INTO changes (generation, kind, no, source, path) VALUES (?, ?, ?, ?, ?)',
      generation,
      kind,
      no,
      source,
      path,
    )
  }
}
