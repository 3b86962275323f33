/** A base that is kept current for as long as it is served. */
import { KnowledgeError } from '../../core/domain/error.ts'
import type { SharedSessions } from '../../core/domain/shared-sessions.ts'
import type { SignIns } from '../../core/domain/sign-ins.ts'
import type { Answerer } from '../../core/models/answerer.ts'
import { wholeView } from '../../core/operations/view/view.ts'
import { warmUp } from '../../core/operations/view/warm-up.ts'
import { recoverNames, recoverWrites } from '../../core/operations/writing/change-files.ts'
import type { Knowledge } from '../../core/operations/view/knowledge.ts'
import type { Config } from '../config/config.ts'
import { answererFor } from '../parts/answerers.ts'
import { openKeeping } from '../../keep/open-keeping.ts'
import { openKnowledge } from '../parts/open-knowledge.ts'
import { openSources } from '../parts/sources.ts'
import { noticeNewIndex } from '../lifecycle/notice-new-index.ts'
import { openServingMarks } from '../lifecycle/serving-marks.ts'
import { oneAfterTheOther } from '../../core/kit/one-after-the-other.ts'
import { startIndexing } from '../lifecycle/start-indexing.ts'
import type { Opening } from './start-serving.ts'
import { isInReach, storeMetrics } from '../parts/store-facts.ts'
import { openStore } from '../parts/stores.ts'
import { openWriting } from './writing.ts'

export interface ServedBase {
  readonly kb: Knowledge
  readonly answerer: Answerer | undefined
  /** Resolves when the index has caught up with the files for the first time. */
  readonly caughtUp: Promise<void>
  /** Where several servers are asked by the same clients. */
  readonly sessions: SharedSessions | undefined
  readonly signIns: SignIns
  /** Whether the store answers at the moment; one in a file does. */
  readonly inReach: () => boolean
  /** What the store has to say in `/metrics`. */
  readonly metrics: () => Promise<string>
}

export async function openServedBase(
  config: Config,
  { closing, log }: Opening,
  /** Settles when somebody has been answered. */
  answered?: Promise<unknown>,
): Promise<ServedBase> {
  const warn = (message: string): void => log('warn', message)
  // Bad folders are reported before anything is created.
  const sources = openSources(config, { contents: () => opened.remembered })
  closing.add(async () => {
    for (const source of sources.values()) await source.close?.()
  })
  const opened = await openStore(config)
  const { warning } = opened
  const store = noticeNewIndex(opened.store, () => indexing.beginAnew())
  closing.add(() => store.close())
  closing.add(async () => opened.signIns.close())
  if (warning) warn(warning.message)
  const marks = openServingMarks(config.state)
  closing.add(() => marks.close())
  marks.put([...sources.values()].map(({ root }) => root))
  let otherCopies = (): readonly string[] => []
  const isHere = (source: string): boolean => !otherCopies().includes(source)
  const writing = config.readOnly ? undefined : await openWriting(opened, config, isHere)
  closing.add(() => writing?.close())
  if (writing?.warning !== undefined) warn(writing.warning)
  const indexing = startIndexing({
    config,
    store,
    listen: opened.listen,
    onWarning: warn,
    ...(answered && { answered }),
  })
  closing.add(() => indexing.close())
  otherCopies = indexing.otherCopies
  const answerer = answererFor(config.answerer, { log: warn })
  const keeping = openKeeping({ sources, writing }, config)
  const kb = openKnowledge({
    config,
    store,
    sources,
    ...indexing,
    ...(opened.trouble && { trouble: () => opened.trouble?.() ?? indexing.trouble() }),
    indexedBeside: true,
    writing,
    answerer,
    keeping,
  })
  writing?.serve?.(wholeView(kb), opened.listen)
  if (opened.trouble) {
    const warm = oneAfterTheOther(() => warmUp(kb))
    closing.add(kb.subscribe(warm))
    warm()
  }
  // So that clients of others are known also when the database is gone.
  opened.sessions?.key().catch(() => {})
  recoverWrites(wholeView(kb)).catch((error: unknown) =>
    warn(error instanceof KnowledgeError ? error.message : String(error)),
  )
  closing.add(recoverNamesNowAndThen(kb))
  return {
    kb,
    answerer,
    caughtUp: indexing.caughtUp,
    sessions: opened.sessions,
    signIns: opened.signIns,
    inReach: () => isInReach(opened),
    metrics: () => storeMetrics(opened, { leads: indexing.leads() }),
  }
}

const NAMES_MS = 2_000

/**
 * Another process may be killed at any time, and nobody might write for long. A note that it had
 * moved aside is missing until then, also for programs that know nothing of Cairn.
 */
function recoverNamesNowAndThen(kb: Knowledge): () => void {
  let looking = false
  const look = async (): Promise<void> => {
    if (looking) return
    looking = true
    await recoverNames(wholeView(kb)).catch(() => {})
    looking = false
  }
  const timer = setInterval(() => void look(), NAMES_MS).unref()
  return () => clearInterval(timer)
}
