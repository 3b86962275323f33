/**
 * Memoised values, invalidated by stamps: what is derived from the index and kept in memory. One
 * rule says when it is out of date: it holds for one index (`epoch`) up to one stamp of it. Nothing
 * else in the operations may remember what the store said.
 */
import { KnowledgeError } from '../../domain/error.ts'
import type { Stamps, Store } from '../../store/store.ts'
import { stampsOf } from './snapshot.ts'

export type StampName = Exclude<keyof Stamps, 'epoch' | 'remembered'>

export interface Derived<Value> {
  /**
   * As of one look at the stamps, or newer: whoever asks for several things takes the same look.
   */
  at(stamps: Stamps): Promise<Value>
  now(): Promise<Value>
  /** As far as it is loaded, for whoever cannot wait; it may be out of date. */
  known(): Value | undefined
  /** Has the next one who asks look again, although no stamp has risen. */
  outdate(): void
}

export interface DerivedOptions<Value> {
  /** The stamps that say that it has changed. */
  readonly on: readonly StampName[]
  readonly load: (stamps: Stamps) => Promise<Value>
  /** Brings the last value up to date for less than loading costs; undefined where it cannot. */
  readonly follow?: (before: Value, from: Stamps, to: Stamps) => Promise<Value | undefined>
}

interface Held<Value> {
  /** Rises as long as it waits for the one before. */
  stamps: Stamps
  readonly value: Promise<Value>
  /** What changes from here on is not in it. */
  begun: boolean
}

/** Loaded when it is first asked for; callers who ask at the same time share one load. */
export function derived<Value>(
  store: Pick<Store, 'stamps'>,
  { on, load, follow }: DerivedOptions<Value>,
): Derived<Value> {
  let held: Held<Value> | undefined
  /** The last one that could be loaded. */
  let loaded: Held<Value> | undefined
  let known: Value | undefined

  const next = async (
    before: Held<Value> | undefined,
    mine: Omit<Held<Value>, 'value'>,
  ): Promise<Value> => {
    // One after the other, so that what follows has something to follow.
    const last = await before?.value.catch(() => undefined)
    mine.begun = true
    const { stamps } = mine
    const followed =
      before && follow && last !== undefined ? await follow(last, before.stamps, stamps) : undefined
    return followed ?? load(stamps)
  }

  const at = (stamps: Stamps): Promise<Value> => {
    const same = held?.stamps.epoch === stamps.epoch
    if (held && same && on.every((name) => held!.stamps[name] >= stamps[name])) return held.value
    if (stamps.remembered && before(stamps)) return before(stamps)!.value
    if (held && same && !held.begun) {
      // One more load for all who ask while one is under way, however often it changes meanwhile.
      held.stamps = latest(held.stamps, stamps)
      return held.value.catch((error: unknown) => orBefore(error, stamps))
    }
    if (!same) known = undefined
    const waits = { stamps, begun: false }
    const mine: Held<Value> = Object.assign(waits, { value: next(same ? held : undefined, waits) })
    held = mine
    mine.value.then(
      (value) => {
        if (held?.stamps.epoch !== stamps.epoch) return
        known = value
        loaded = mine
      },
      () => {
        // A failure is told to those who wait for it; whoever asks next tries again.
        if (held === mine) held = before(stamps)
      },
    )
    return mine.value.catch((error: unknown) => orBefore(error, stamps))
  }

  /** What was loaded of the same index. */
  const before = ({ epoch }: Stamps): Held<Value> | undefined =>
    loaded?.stamps.epoch === epoch ? loaded : undefined

  /** Where nobody answers any more, what there was before has to do; whoever shows it says so. */
  const orBefore = async (error: unknown, stamps: Stamps): Promise<Value> => {
    const isOutOfReach = error instanceof KnowledgeError && error.code === 'unavailable'
    const last = before(stamps)
    if (isOutOfReach && last && (await store.stamps()).remembered) return last.value
    throw error
  }

  return {
    at,
    now: async () => at(await stampsOf(store)),
    known: () => known,
    outdate() {
      const before = { generation: -1, graph: -1, vectors: -1 }
      if (held) held = { ...held, begun: true, stamps: { ...held.stamps, ...before } }
    },
  }
}

function latest(one: Stamps, other: Stamps): Stamps {
  return {
    ...other,
    generation: Math.max(one.generation, other.generation),
    graph: Math.max(one.graph, other.graph),
    vectors: Math.max(one.vectors, other.vectors),
  }
}
