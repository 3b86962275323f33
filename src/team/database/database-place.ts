/**
 * Optimistic lock and group commit, for changes of documents in the database. Bytes, history and
 * index are one transaction that checks every digest, so nobody holds a lock while a change is
 * planned: whoever was overtaken plans again. What waits in this process while a transaction is
 * under way goes into the next one together.
 */
import { ContentClash } from '../../core/domain/contents.ts'
import type { ContentChange, ContentWrite } from '../../core/domain/contents.ts'
import { documentId } from '../../core/domain/document.ts'
import { KnowledgeError } from '../../core/domain/error.ts'
import { foldName } from '../../core/kit/fold-name.ts'
import { onePer } from '../../core/kit/one-per.ts'
import type { Operation } from '../../core/domain/history.ts'
import { WriteError } from '../../core/domain/source.ts'
import type { InDatabase } from '../../core/domain/source.ts'
import type { Warning } from '../../core/domain/warning.ts'
import { indexWritten } from '../../core/indexing/index-written.ts'
import type { WrittenFiles } from '../../core/indexing/index-written.ts'
import { hasEntities } from '../../core/indexing/indexer.ts'
import { resolveLink } from '../../core/indexing/resolve-link.ts'
import type { Knowledge } from '../../core/operations/view/knowledge.ts'
import { trunkOf } from '../../core/operations/view/narrow-base.ts'
import { wholeView } from '../../core/operations/view/view.ts'
import { isChange, operationOf } from '../../core/operations/writing/carry-out.ts'
import type { FileEdit } from '../../core/operations/writing/carry-out.ts'
import type { Plan } from '../../core/operations/writing/change-files.ts'
import { checked } from '../../core/operations/writing/check-plan.ts'
import type { Again, Place, Wanted, Written } from '../../core/operations/writing/place.ts'
import {
  deadEnds,
  isMuch,
  keepSegmentsFew,
  leaveToIndexer,
} from '../../core/operations/writing/put-into-index.ts'
import { inTurn } from './in-turn.ts'

/** Whoever is overtaken plans again, for as long as one waits for a lock. */
const PATIENCE_MS = 30_000

/** Changes that lie in the database as a whole. */
export const databasePlace: Place = {
  looksAhead: ({ kb }) => [...kb.sources.values()].some(({ inDatabase }) => inDatabase),
  takes,
  async commit(wanted, plan) {
    const first = await tryCommit(wanted, plan)
    if (!('again' in first)) return first
    const { kb, options } = wanted
    const deadline = performance.now() + PATIENCE_MS
    const document = documentId(plan.edits.find(isChange)!)
    return inTurn(trunkOf(kb.base), document, PATIENCE_MS, async () => {
      for (;;) {
        const next = await checked(kb, wanted.plan, options)
        if (!takes(wanted, next)) return { again: 'moved' }
        const written = await tryCommit(wanted, next)
        if (!('again' in written)) return written
        if (performance.now() > deadline) throw written.error
      }
    })
  },
}

function takes({ kb }: Wanted, { edits }: Plan): boolean {
  return edits
    .filter(isChange)
    .every(({ source }) => kb.sources.get(source)?.inDatabase !== undefined)
}

async function tryCommit(
  { kb, kind, options }: Wanted,
  plan: Plan,
): Promise<Written | (Again & { readonly error: WriteError })> {
  const edits = plan.edits.filter(isChange)
  if (edits.length === 0) return { plan, operation: undefined, warnings: [] }
  const operation = await operationOf(kind, options.by, plan)
  try {
    const late = await gatheringOf(trunkOf(kb.base)).write(operation, edits)
    return { plan, operation, warnings: [...late, ...(await deadEnds(kb, plan))] }
  } catch (error) {
    const raced = error instanceof WriteError && error.code === 'conflict'
    if (!raced || options.ifDigest !== undefined) throw error
    return { again: 'raced', error }
  }
}

const gatheringOf = onePer((trunk: Knowledge) => new Gathering(trunk))

/** Those who wait for one transaction. */
const WRITES_AT_ONCE = 64
const BYTES_AT_ONCE = 4 * 1024 * 1024
/** How often whoever writes looks after small segments, in transactions. */
const TIDY_EVERY = 16
/** What is older than what is kept goes with every so many operations. */
const PRUNED_EVERY = 256

interface Waiting {
  readonly operation: Operation
  readonly edits: readonly FileEdit[]
  /** Documents it is about, in one spelling. */
  readonly names: ReadonlySet<string>
  readonly bytes: number
  resolve(warnings: Warning[]): void
  reject(error: unknown): void
}

class Gathering {
  readonly #base: Knowledge
  #waiting: Waiting[] = []
  #isRunning = false
  #done = 0
  #operations = 0

  constructor(base: Knowledge) {
    this.#base = base
  }

  write(operation: Operation, edits: readonly FileEdit[]): Promise<Warning[]> {
    for (const { source, path, after } of edits) this.#shelf(source).check(path, after)
    const { promise, resolve, reject } = Promise.withResolvers<Warning[]>()
    const names = new Set(
      edits.flatMap(({ source, path, from = path }) =>
        [path, from].map((each) => foldName(documentId({ source, path: each }))),
      ),
    )
    const bytes = edits.reduce((sum, { after }) => sum + (after?.length ?? 0), 0)
    this.#waiting.push({ operation, edits, names, bytes, resolve, reject })
    if (!this.#isRunning) void this.#run()
    return promise
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#waiting.length > 0) await this.#commit(this.#take())
    this.#isRunning = false
  }

  /**
   * Writes to one document follow each other: the later was planned before the earlier was done.
   */
  #take(): Waiting[] {
    const [first, ...others] = this.#waiting
    const group = [first!]
    const names = new Set(first!.names)
    const rest: Waiting[] = []
    let bytes = first!.bytes
    for (const each of others) {
      const fits =
        !this.#isLarge(first!) &&
        !this.#isLarge(each) &&
        group.length < WRITES_AT_ONCE &&
        bytes + each.bytes <= BYTES_AT_ONCE &&
        ![...each.names].some((name) => names.has(name))
      for (const name of each.names) names.add(name)
      if (fits) bytes += each.bytes
      ;(fits ? group : rest).push(each)
    }
    this.#waiting = rest
    return group
  }

  /** Whether the thread that indexes does the reading, because it would keep everybody waiting. */
  #isLarge({ edits }: Waiting): boolean {
    return this.#base.indexedBeside === true && isMuch(edits)
  }

  async #commit(group: readonly Waiting[]): Promise<void> {
    let left = group
    try {
      // Alone, it is looked at in its transaction soon enough.
      if (left.length > 1) left = await this.#withoutOvertaken(left)
      while (left.length > 0) {
        const clash = await this.#tryCommit(left)
        if (!clash) break
        const { operations } = clash
        const lost = left.filter(({ operation }) => operations.includes(operation.id))
        if (lost.length === 0) throw clash
        for (const each of lost) each.reject(clash)
        left = left.filter((each) => !lost.includes(each))
      }
    } catch (error) {
      for (const each of left) each.reject(error)
      return
    }
    this.#operations += left.length
    if (++this.#done % TIDY_EVERY === 0) await this.#tidy().catch(() => {})
  }

  /** Others were quicker: their documents are looked at in one question, before much is done. */
  async #withoutOvertaken(group: readonly Waiting[]): Promise<readonly Waiting[]> {
    const overtaken = new Map<Waiting, ContentClash>()
    const edits = group.flatMap((waiting) => waiting.edits.map((edit) => ({ waiting, edit })))
    for (const [source, some] of Map.groupBy(edits, ({ edit }) => edit.source)) {
      const { contents, shelf } = this.#shelf(source)
      const now = await contents().look(
        shelf,
        some.map(({ edit: { path, from = path } }) => from),
      )
      for (const [index, { waiting, edit }] of some.entries()) {
        const found = now[index]?.digest
        if (found === edit.before?.digest) continue
        const { id } = waiting.operation
        overtaken.set(waiting, new ContentClash([{ operation: id, path: edit.path, found }]))
      }
    }
    for (const [waiting, clash] of overtaken) waiting.reject(clash)
    return group.filter((waiting) => !overtaken.has(waiting))
  }

  /** Gives what was in the way of some of them; then nothing was changed. */
  async #tryCommit(group: readonly Waiting[]): Promise<ContentClash | undefined> {
    try {
      const warnings = await this.#put(group)
      for (const { resolve } of group) resolve(warnings)
      return undefined
    } catch (error) {
      if (error instanceof ContentClash) return error
      throw error
    }
  }

  async #put(group: readonly Waiting[]): Promise<Warning[]> {
    const { store, formatOf, sources } = this.#base
    const aheadMs = (await this.#base.writing?.history.aheadMs?.()) ?? 0
    const modifiedAt = Date.now() + aheadMs
    const writes = group.map(({ operation: made, edits }): ContentWrite => {
      const operation = { ...made, at: made.at + aheadMs }
      const changes = edits.flatMap((edit) => {
        const { shelf } = this.#shelf(edit.source)
        return changesOf(edit, modifiedAt).map((each) => ({ ...each, source: shelf }))
      })
      return { operation, changes }
    })
    const edits = group.flatMap((each) => each.edits)
    if (this.#isLarge(group[0]!)) {
      await store.commit({ writes }, resolveLink)
      return leaveToIndexer(wholeView(this.#base), edits)
    }
    try {
      const joined = hasEntities(sources.values())
      await indexWritten(store, formatOf, { ...this.#read(edits, modifiedAt), joined, writes })
      return []
    } catch (error) {
      if (error instanceof KnowledgeError) throw error
      // Whatever cannot be read must not keep anybody from writing it.
      await store.commit({ writes }, resolveLink)
      for (const { source, path } of edits) this.#base.noticeChange(source, path)
      const why = error instanceof Error ? error.message : String(error)
      const message = `The change is saved; the index will show it a little later (${why}).`
      return [{ kind: 'index', message }]
    }
  }

  /** The documents as they will be read. */
  #read(edits: readonly FileEdit[], modifiedAt: number): Pick<WrittenFiles, 'put' | 'removed'> {
    const put: WrittenFiles['put'][number][] = []
    const removed: WrittenFiles['removed'][number][] = []
    for (const { source, path, from = path, after } of edits) {
      if (from !== path) removed.push({ source, path: from })
      const content = after && this.#shelf(source).contentOf(path, after, modifiedAt)
      if (content?.kind === 'text') put.push({ source, file: content })
      else removed.push({ source, path })
    }
    return { put, removed }
  }

  #shelf(source: string): InDatabase {
    const shelf = this.#base.sources.get(source)?.inDatabase
    if (!shelf) throw new Error(`${source} is not in the database`)
    return shelf
  }

  async #tidy(): Promise<void> {
    await keepSegmentsFew(wholeView(this.#base))
    if (this.#operations < PRUNED_EVERY) return
    this.#operations = 0
    await this.#base.writing?.history.prune()
  }
}

/** A move is a new document and one that goes. */
function changesOf(edit: FileEdit, modifiedAt: number): ContentChange[] {
  const { path, from = path, before, after: bytes } = edit
  if (from === path) return [{ path, expect: before?.digest, bytes, modifiedAt }]
  return [
    { path, expect: undefined, bytes, modifiedAt },
    { path: from, expect: before?.digest, bytes: undefined, modifiedAt },
  ]
}
