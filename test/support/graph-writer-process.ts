/**
 * A process that adds to a graph and says what was acknowledged, one JSON line each.
 * `graph-writer-process.ts ROOT NAME [COUNT]`: without a count it goes on until it is killed.
 */
import { writeSync } from 'node:fs'
import { openGraph } from '../../src/serve/parts/open-graph.ts'
import { KnowledgeError } from '../../src/core/domain/error.ts'

const [root = '', name = '', count = 'Infinity'] = process.argv.slice(2)
const CATEGORIES = ['concepts', 'people'] as const
/** Several calls are under way at once, so that a flush is shared. */
const AT_ONCE = 5

const { writer } = openGraph(root)

async function add(index: number): Promise<void> {
  const id = `${name}-${index}`
  const category = CATEGORIES[index % 2]!
  const desc = `begin ${'描述 '.repeat(index % 50)}end`
  await say({ id }, () => writer!.addEntity({ category, id, type: 't', name: id, desc }))
  // Everybody wants these, and one is to get each.
  const contested = `shared-${index}`
  const wanted = { category, id: contested, type: 't', name, desc }
  await say({ id: contested, contested: true }, () => writer!.addEntity(wanted))
  const relation = { src: id, rel: 'follows', dst: contested }
  await say({ relation: `${id} ${contested}` }, () => writer!.addRelation(relation))
}

async function say(what: object, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
    tell({ ...what, ok: true })
  } catch (error) {
    if (!(error instanceof KnowledgeError) || error.code !== 'exists') throw error
    tell({ ...what, ok: false })
  }
}

function tell(what: object): void {
  writeSync(1, `${JSON.stringify({ ...what, by: name })}\n`)
}

tell({ started: true })
for (let index = 0; index < Number(count); index += AT_ONCE) {
  await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => add(index + n)))
}
