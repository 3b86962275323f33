/** Which entity does a name mean? An id is exact among entities, and as loose as a title elsewhere. */
import { foldName } from '../kit/fold-name.ts'
import type { DocNo } from '../domain/document.ts'
import { ENTITY_SCHEME, entityIdOf, isEntityPath } from '../domain/entity-document.ts'
import type { NamedDocument } from '../store/store.ts'

/** The end of a relation: the entity with exactly this id, of the same source if there is one. */
export function relatedEntity(
  id: string,
  source: string,
  candidates: readonly NamedDocument[],
): DocNo | undefined {
  const same = candidates.filter(({ path }) => isEntityPath(path) && entityIdOf(path) === id)
  return (same.find((each) => each.source === source) ?? same[0])?.no
}

/** What a note calls an entity: by its id, else by its name, in any case and with any separators. */
export function entityNamed(
  written: string,
  candidates: readonly NamedDocument[],
): DocNo | undefined {
  const name = written.startsWith(ENTITY_SCHEME) ? written.slice(ENTITY_SCHEME.length) : written
  const entities = candidates.filter(({ path }) => isEntityPath(path))
  const rules: ((each: NamedDocument) => boolean)[] = [
    ({ path }) => entityIdOf(path) === name,
    ({ path }) => fold(entityIdOf(path)) === fold(name),
    ({ title }) => fold(title) === fold(name),
    ({ path }) => separated(entityIdOf(path)) === separated(name),
    ({ title }) => separated(title) === separated(name),
    // What was merged into it.
    ({ aliases }) => aliases.some((alias) => separated(alias) === separated(name)),
  ]
  for (const rule of rules) {
    const found = entities.find(rule)
    if (found) return found.no
  }
  return undefined
}

/** `Tool Use`, `tool_use` and `tool-use` are one name; `C++` and `C` are two. */
function separated(name: string): string {
  return fold(name)
    .replace(/\.(?:md|markdown|mdx)$/, '')
    .replace(/[\s_-]+/g, '-')
}

function fold(text: string): string {
  return foldName(text).trim()
}
