/**
 * History as far as it is about what is seen now. What happened to a document is hidden with the
 * document, under all the names that it had: one that was moved to where nobody may look, or that
 * asks to be left alone by now, was there for everybody once, and is not any more.
 */
import { documentId, parsePlace } from '../../domain/document.ts'
import type { Place } from '../../domain/document.ts'
import { eachInSteps, stepsInSlices } from '../../kit/slices.ts'
import type { History, LoggedOperation } from '../../history/history.ts'

type Sees = (place: Place) => boolean

/** `sight` is asked at the beginning of every look; undefined: everything is seen. */
export function visibleHistory(
  history: History,
  sight: () => Sees | undefined | Promise<Sees | undefined>,
): History {
  const each: History['each'] = async (visit, mentions, unread) => {
    const sees = await sight()
    if (!sees) return history.each(visit, mentions, unread)
    const isSeen = visibleTo(sees)
    // Moves tell who is who, so none of them may be passed over.
    return history.each((operation) => !isSeen(operation) || visit(operation), undefined, unread)
  }
  return {
    aheadMs: async () => (await history.aheadMs?.()) ?? 0,
    begin: (...operations) => history.begin(...operations),
    takeWarning: () => history.takeWarning?.(),
    settle: (ids, state) => history.settle(ids, state),
    amend: (id, instead) => history.amend(id, instead),
    unsettled: () => history.unsettled(),
    stateOf: (id) => history.stateOf(id),
    changesOf: (operation) => history.changesOf(operation),
    disarm: async () => history.disarm?.(),
    examine: () => history.examine(),
    repair: () => history.repair(),
    isOutgrown: () => history.isOutgrown(),
    prune: (keep, options) => history.prune(keep, options),
    each,
    async find(id) {
      if (!(await sight())) return history.find(id)
      let found: LoggedOperation | undefined
      await each((operation) => {
        if (operation.id === id) found = operation
        return found === undefined
      })
      return found
    },
    async names() {
      if (!(await sight())) return history.names()
      const documents = new Set<string>()
      const authors = new Set<string>()
      await each(({ changes, by }) => {
        for (const { source, path, from = path } of changes) {
          documents.add(documentId({ source, path })).add(documentId({ source, path: from }))
        }
        for (const name of [by.client, by.principal]) if (name !== undefined) authors.add(name)
        return true
      })
      return { documents, authors }
    },
  }
}

/** Asked about operations newest first. One that touched something unseen, if only a link in it, never happened. */
function visibleTo(sees: Sees): (operation: LoggedOperation) => boolean {
  /** Names that what is hidden now had at the time of the operations that are being looked at. */
  const former = new Set<string>()
  return ({ changes, state }) => {
    const isHidden = (source: string, path: string): boolean =>
      !sees({ source, path }) || former.has(documentId({ source, path }))
    const seen = changes.every(
      ({ source, path, from = path }) =>
        !isHidden(source, path) && (from === path || sees({ source, path: from })),
    )
    if (state !== 'done') return seen
    for (const { source, path, from = path, before } of changes) {
      const [name, older] = [documentId({ source, path }), documentId({ source, path: from })]
      const hidden = isHidden(source, path)
      // Before it came here, somebody else may have had the name.
      if (from !== path || before === undefined) former.delete(name)
      if (from === path) continue
      if (hidden) former.add(older)
      else former.delete(older)
    }
    return seen
  }
}

/**
 * What of the history is about documents that ask to be left alone now. Those that are in the index
 * do not; the others are looked for, those of a source together.
 */
export function withoutPrivate(
  history: History,
  {
    indexed,
    privateAmong,
  }: {
    indexed: () => Promise<ReadonlySet<string>>
    privateAmong: (source: string, paths: readonly string[]) => Promise<readonly string[]>
  },
): History {
  return visibleHistory(history, async () => {
    const [{ documents }, known] = [await history.names(), await indexed()]
    const others = new Map<string, string[]>()
    const sorting = eachInSteps(documents, (name) => {
      if (known.has(name)) return
      const { source, path } = parsePlace(name)
      const paths = others.get(source)
      if (paths) paths.push(path)
      else others.set(source, [path])
    })
    await stepsInSlices(sorting)
    const hidden = new Set<string>()
    for (const [source, paths] of others) {
      for (const path of await privateAmong(source, paths)) hidden.add(documentId({ source, path }))
    }
    return hidden.size === 0 ? undefined : (place) => !hidden.has(documentId(place))
  })
}
