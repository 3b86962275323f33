/** Counts what a server does for a call: what it asks the store, the files and the history. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Source } from '../../src/core/domain/source.ts'
import type { Store } from '../../src/core/store/store.ts'

const work = new Map<string, number>()
const answering = new AsyncLocalStorage<true>()

/** What is done besides, such as looking for changes now and then, is nobody's question. */
export function whileAnswering<Result>(answer: () => Result): Result {
  return answering.run(true, answer)
}

/** What was done since the last look. */
export function takeWork(): Readonly<Record<string, number>> {
  const taken = Object.fromEntries([...work].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  work.clear()
  return taken
}

/** How often one looks whether the index is new depends on how long a call takes, not on its answer. */
const ONCE = new Set(['store stamps'])

function count(what: string, times = 1): void {
  if (times === 0 || !answering.getStore()) return
  work.set(what, ONCE.has(what) ? 1 : (work.get(what) ?? 0) + times)
}

/** The same thing; every method that is called is counted, and `also` sees its arguments. */
function counted<Thing extends object>(
  thing: Thing,
  name: string,
  also: (method: string, args: readonly unknown[]) => void = () => {},
): Thing {
  return new Proxy(thing, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key, target)
      if (typeof value !== 'function') return value
      return (...args: unknown[]): unknown => {
        count(`${name} ${String(key)}`)
        also(String(key), args)
        return Reflect.apply(value, target, args)
      }
    },
  })
}

export const countedStore = (store: Store): Store => counted(store, 'store')

export const countedHistory = <History extends object>(history: History): History =>
  counted(history, 'history')

export function countedSource(source: Source): Source {
  const files = counted(source, 'source', (method, args) => {
    if (method === 'read' || method === 'rescan') {
      const [paths] = args as [readonly string[]]
      count(`files of ${method}`, paths.length)
    }
  })
  const writer = source.writer && counted(source.writer, 'writer')
  return new Proxy(files, {
    get: (target, key) => (key === 'writer' ? writer : Reflect.get(target, key, target)),
  })
}
