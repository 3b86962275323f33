/** Whatever stands in a graph, its documents say exactly that, and nothing that only looks like it. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { entityIdOf, entityPath, isEntityPath } from '../../src/core/domain/entity-document.ts'
import type { Entity, Relation } from '../../src/core/domain/entity.ts'
import { parseEntity } from '../../src/core/parsing/entity/parse-entity.ts'
import { renderEntity } from '../../src/core/sources/jsonl/render-entity.ts'

const tricky = fc.constantFrom(
  '→',
  ' → ',
  ' — ',
  '—',
  '"',
  '\\',
  '\n',
  '\r',
  '- ',
  '---',
  '\n---\n',
  '#',
  'a',
  'é',
  '协',
  ' ',
  '\u2028',
  '[[',
  '%2F',
  '/',
)
const text = fc.oneof(
  fc.string(),
  fc.array(tricky, { maxLength: 8 }).map((parts) => parts.join('')),
)
const name = text.filter((each) => each.trim() !== '')

it('gives back every relation, whatever the names, contexts and descriptions', () => {
  const relation = fc.record({ rel: name, dst: name, context: text })
  fc.assert(
    fc.property(
      name,
      name,
      text,
      fc.array(relation, { maxLength: 6 }),
      (id, called, desc, drafts) => {
        const origin = { file: 'x.jsonl', line: 1 }
        const entity: Entity = {
          id,
          name: called,
          desc,
          type: 't',
          category: 'c',
          tags: ['x'],
          updatedAt: '',
          extra: { 'odd: key\n': desc },
          origin,
        }
        const relations = drafts.map((draft): Relation => ({
          ...draft,
          src: id,
          createdAt: '',
          extra: {},
          origin,
        }))
        const { document } = parseEntity(renderEntity(entity, relations), entityPath(id))
        expect(document.links.map(({ label, target }) => [label, target])).toEqual(
          drafts.map(({ rel, dst }) => [rel, dst]),
        )
        expect(document.title).toBe(called)
        expect([called, ...document.aliases]).toContain(id)
        expect(document.tags).toEqual(['x'])
      },
    ),
    { numRuns: 1_000 },
  )
})

it('makes a path of every id and the id of every path', () => {
  fc.assert(
    fc.property(text, (id) => {
      const path = entityPath(id)
      expect(entityIdOf(path)).toBe(id)
      expect(isEntityPath(path)).toBe(true)
      expect(path.slice('entity://'.length)).not.toMatch(/[/\\\n]/)
    }),
  )
})
