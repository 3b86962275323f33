/**
 * The home of files that another server writes: a change is planned here and carried out there. A
 * home is a lease, so it may be elsewhere, or here, with the next question.
 */
import { randomInt } from 'node:crypto'
import { GraphError } from '../../core/domain/entity-graph.ts'
import type { GraphAddition } from '../../core/domain/entity-graph.ts'
import { KnowledgeError, unavailable, unsupported } from '../../core/domain/error.ts'
import { storedTime } from '../../core/domain/stored-time.ts'
import { newOperationId } from '../../core/history/open-history.ts'
import type { View } from '../../core/operations/view/view.ts'
import { isChange, operationOf } from '../../core/operations/writing/carry-out.ts'
import type { FileEdit } from '../../core/operations/writing/carry-out.ts'
import type { Place } from '../../core/operations/writing/place.ts'
import type { Homes, SentEdit } from './homes.ts'

export function homePlace(homes: Homes): Place {
  return {
    // What another server has sent is carried out here.
    looksAhead: async ({ kb, options }) =>
      options.operation === undefined && (await homes.whereAre(sourcesWithHome(kb))) !== 'here',
    async takes({ kb }, { edits }) {
      const sources = sourcesWithHome(kb, edits)
      if (sources.length === 0) return false
      const others = sources.filter((source) => !homes.hasFiles(source))
      if (others.length > 0) throw otherCopy(others)
      const where = await homes.whereAre(sources)
      if (where === 'several') throw severalHomes(sources)
      return where !== 'here'
    },
    async commit({ kb, kind, options }, plan) {
      const operation = await operationOf(kind, options.by, plan)
      const { id, by, undoes } = operation
      const edits = plan.edits.filter(isChange).map(sentEdit)
      const sent = { id, kind, by, ...(undoes && { undoes }), edits }
      const answer = await homes.send(sent, sourcesWithHome(kb, plan.edits))
      if (answer.kind === 'here') return { again: 'moved' }
      if (answer.kind === 'done') return { plan, operation, warnings: answer.warnings }
      // Somebody saved the file in between: work from what is there now.
      if (answer.raced) return { again: 'raced' }
      throw new KnowledgeError(answer.code, answer.message, answer.hint)
    },
    async record(source, addition) {
      if ((await homes.whereAre([source])) === 'here') return undefined
      const sent = { id: newOperationId(Date.now()), source, addition: withTime(addition) }
      const answer = await homes.send(sent, [source])
      if (answer.kind === 'here') return undefined
      if (answer.kind === 'done') return { ...answer.added!, source, warnings: answer.warnings }
      const { code, message, hint, refusal } = answer
      if (refusal) throw new GraphError(refusal, code, message, hint)
      throw new KnowledgeError(code, message, hint)
    },
  }
}

/** Sources that have files, and hence a home; of all or of these edits. */
function sourcesWithHome({ sources }: View, edits?: readonly FileEdit[]): string[] {
  const changed = edits && new Set(edits.filter(isChange).map(({ source }) => source))
  return [...sources.values()]
    .filter(({ name, writer, inDatabase }) => writer && !inDatabase && (changed?.has(name) ?? true))
    .map(({ name }) => name)
}

function sentEdit({ before, ...edit }: FileEdit): SentEdit {
  return { ...edit, before: before?.digest }
}

/** To a microsecond of which three digits are drawn by lot. */
function withTime(addition: GraphAddition): GraphAddition {
  if (addition.kind === 'merge') return addition
  const time = `${storedTime(new Date()).slice(0, -3)}${String(randomInt(1_000)).padStart(3, '0')}`
  return addition.kind === 'entity'
    ? { ...addition, draft: { ...addition.draft, updatedAt: addition.draft.updatedAt ?? time } }
    : { ...addition, draft: { ...addition.draft, createdAt: addition.draft.createdAt ?? time } }
}

/** What was planned from other files would be made of what is not there. */
function otherCopy(sources: readonly string[]): KnowledgeError {
  return unavailable(
    `This server has another copy of ${sources.join(' and ')} than the one that is indexed and written.`,
    'Nothing was changed. Ask another server, or give this one the same folder, such as a volume, and start it again.',
  )
}

function severalHomes(sources: readonly string[]): KnowledgeError {
  return unsupported(
    `The change is about ${sources.join(' and ')}, whose files are written by different servers.`,
    'Nothing was changed. Make one change for each of them.',
  )
}
