/** A graph on a disk that is full or may not be written: an error, nothing changed, and on later. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openGraph } from '../../src/serve/parts/open-graph.ts'
import { mountSmallDisk, NO_MOUNT } from '../support/small-disk.ts'

const CONCEPTS = 'knowledge/entities/concepts.jsonl'

function draft(id: string, desc = 'd') {
  return { category: 'concepts', id, type: 't', name: 'n', desc }
}

it('takes back half a line when the disk is full', async (context) => {
  const root = mountSmallDisk()
  if (root === undefined) return context.skip(NO_MOUNT)
  const graph = openGraph(root)
  const { writer } = graph
  await writer!.addEntity(draft('first'))
  fill(join(root, 'filler'))
  const before = readFileSync(join(root, CONCEPTS), 'utf8')
  // Longer than what is left of the last page, so that the beginning of the line fits.
  const outcomes = await Promise.allSettled([
    writer!.addEntity(draft('second', 'x'.repeat(50_000))),
    writer!.addEntity({ ...draft('third'), category: 'people' }),
    writer!.addRelation({ src: 'first', rel: 'r', dst: 'first' }),
  ])
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({
      status: 'rejected',
      reason: {
        code: 'unavailable',
        message: expect.stringContaining('cannot be written: the disk is full'),
      },
    })
  }
  expect(readFileSync(join(root, CONCEPTS), 'utf8')).toBe(before)
  expect(existsSync(join(root, 'knowledge/entities/people.jsonl'))).toBe(false)
  expect(existsSync(join(root, 'knowledge/relations'))).toBe(false)
  expect([...graph.entities()].map(({ id }) => id)).toEqual(['first'])

  rmSync(join(root, 'filler'))
  await writer!.addEntity(draft('second', 'x'.repeat(50_000)))
  expect([...graph.entities()].map(({ id }) => id)).toEqual(['first', 'second'])
  expect(graph.warnings()).toEqual([])
  await graph.close()
})

it('reads a graph that may not be written, and says so to writers', async (context) => {
  const root = mountSmallDisk()
  if (root === undefined) return context.skip(NO_MOUNT)
  const first = openGraph(root)
  await first.writer!.addEntity(draft('first'))
  await first.close()
  execFileSync('mount', ['-o', 'remount,ro', root])
  const graph = openGraph(root)
  expect(graph.findEntity('first')).toBeDefined()
  const refused = graph.writer!.addEntity(draft('second'))
  await expect(refused).rejects.toMatchObject({ name: 'KnowledgeError', code: 'unavailable' })
  // What can be answered without writing is.
  await expect(graph.writer!.addEntity(draft('first'))).rejects.toMatchObject({ code: 'exists' })
  await graph.close()
  execFileSync('mount', ['-o', 'remount,rw', root])
  const again = openGraph(root)
  await again.writer!.addEntity(draft('second'))
  expect(again.entityCount).toBe(2)
  await again.close()
})

function fill(place: string): void {
  writeFileSync(place, '')
  for (const size of [64 * 1024, 4096, 1]) {
    try {
      for (;;) appendFileSync(place, Buffer.alloc(size))
    } catch {
      // It filled what there was.
    }
  }
}
