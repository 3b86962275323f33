/**
 * Ties tests to requirements. A test says `verifies('roux:check-1-exposure')` in its body; the
 * coverage test reads those calls from the files, so it sees them whichever tests are run.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { requirements } from './requirements.ts'
import type { RequirementId } from './requirements.ts'

/** Names the requirements that the test around it proves. The compiler knows which there are. */
export function verifies(..._ids: readonly RequirementId[]): void {}

/** Ids of a surface that no test cites. */
export function uncitedRequirements(surface: keyof typeof requirements): readonly string[] {
  const cited = citedRequirements()
  return Object.keys(requirements[surface])
    .map((id) => `${surface}:${id}`)
    .filter((id) => !cited.has(id))
}

function citedRequirements(): ReadonlySet<string> {
  const root = resolve(import.meta.dirname, '../..')
  const files = ['src', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.test.ts'))
      .map((path) => join(root, folder, path)),
  )
  const calls = files.flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(/\bverifies\(([^)]*)\)/g),
  ])
  return new Set(
    calls.flatMap(([, ids = '']) => [...ids.matchAll(/'([^']+)'/g)].map(([, id = '']) => id)),
  )
}
