/** Plugs the parts of a knowledge base together for reading. */
import type { Source } from '../../core/domain/source.ts'
import { isAmong } from '../access/grant.ts'
import type { Answerer } from '../../core/models/answerer.ts'
import type { Progress } from '../../core/indexing/indexer.ts'
import { openIndex } from '../../core/operations/view/open-index.ts'
import type { Keeping } from '../../core/operations/keeping/keeping.ts'
import type { Knowledge, Writing } from '../../core/operations/view/knowledge.ts'
import { createSimilarity } from '../../core/operations/searching/rank-by-meaning.ts'
import { indexedNames } from '../../core/operations/view/indexed-names.ts'
import { withoutPrivate } from '../../core/operations/view/visible-history.ts'
import { withProtected } from '../../core/operations/view/narrow-base.ts'
import { openWorkTree } from '../../core/sources/git/open-work-tree.ts'
import type { Changes, Store } from '../../core/store/store.ts'
import type { Config } from '../config/config.ts'
import { formatsFor } from './formats.ts'
import { embedderOpener } from './models.ts'
import type { Patience } from './models.ts'

export interface KnowledgeParts {
  /** Without a word on the embedder, the base's own text is it. */
  readonly config: Pick<Config, 'http'> &
    Partial<Pick<Config, 'embedding' | 'reading' | 'protect' | 'store'>>
  readonly store: Store
  readonly sources: ReadonlyMap<string, Source>
  readonly catchingUp?: () => Progress | undefined
  readonly trouble?: () => string | undefined
  readonly noticeChange?: (source: string, path: string) => void
  /** Whether a thread follows the files meanwhile. */
  readonly indexedBeside?: boolean
  readonly subscribe?: (listener: (changes: Changes) => void) => () => void
  readonly writing?: Writing
  readonly answerer?: Answerer
  readonly keeping?: Keeping
  /** How long a question waits for an embedder, where that is not the usual second. */
  readonly patience?: Patience
}

export function openKnowledge(parts: KnowledgeParts): Knowledge {
  const provider = parts.config.embedding?.provider
  const embeds = provider !== 'none'
  const kb: Knowledge = {
    store: parts.store,
    sources: parts.sources,
    index: openIndex(
      parts.store,
      embedderOpener(parts.config.embedding, { patience: parts.patience }),
      { keepsLinks: parts.config.store === undefined },
    ),
    formatOf: formatsFor(parts.config.reading),
    publicUrl: parts.config.http.publicUrl,
    catchingUp: parts.catchingUp ?? (() => undefined),
    trouble: parts.trouble ?? (() => undefined),
    noticeChange: parts.noticeChange ?? (() => {}),
    indexedBeside: parts.indexedBeside ?? false,
    subscribe: parts.subscribe ?? (() => () => {}),
    writing: parts.writing && withoutPrivateHistory(parts.writing, parts),
    workTreeOf: (name) => {
      const source = parts.sources.get(name)
      return source?.holdsCode ? openWorkTree(source.root) : undefined
    },
    fileHistoryOf: async (name) => {
      const source = parts.sources.get(name)
      if (!source || source.inDatabase) return undefined
      const { openFileHistory } = await import('../../core/sources/git/file-history.ts')
      return openFileHistory(source.root)
    },
    ...(parts.answerer && { answerer: parts.answerer }),
    ...(parts.keeping && { keeping: parts.keeping }),
  }
  const outside = provider === 'openai' || provider === 'onnx'
  const whole = embeds ? { ...kb, similar: createSimilarity(kb, { outside }) } : kb
  const { protect = [] } = parts.config
  const isProtected = isAmong(protect)
  return protect.length > 0 ? withProtected(whole, (place) => !isProtected(place)) : whole
}

/** What the history has of notes that say they are private by now is kept, and told to nobody. */
function withoutPrivateHistory(
  writing: Writing,
  { store, sources }: Pick<KnowledgeParts, 'store' | 'sources'>,
): Writing {
  const indexed = indexedNames(store)
  const history = withoutPrivate(writing.history, {
    indexed: indexed.now,
    privateAmong: async (source, paths) => (await sources.get(source)?.privateAmong?.(paths)) ?? [],
  })
  return { ...writing, history }
}
