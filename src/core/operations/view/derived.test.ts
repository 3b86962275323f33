import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { KnowledgeError } from '../../domain/error.ts'
import type { Stamps } from '../../store/store.ts'
import { derived } from './derived.ts'
import type { DerivedOptions } from './derived.ts'

/** A store that says what the test says, and a value that counts how often it was made. */
function watched(options: Partial<DerivedOptions<string>> = {}) {
  let stamps: Stamps = { epoch: 'a', generation: 1, graph: 1, vectors: 1 }
  const made: string[] = []
  const value = derived<string>(
    { stamps: async () => stamps },
    {
      on: ['graph'],
      load: async ({ epoch, graph }) => {
        made.push(`${epoch}${graph}`)
        return `${epoch}${graph}`
      },
      ...options,
    },
  )
  return { value, made, set: (next: Partial<Stamps>) => (stamps = { ...stamps, ...next }) }
}

describe('what is derived from the index', () => {
  it('is loaded once, also for those who ask at the same time', async () => {
    const { value, made } = watched()
    expect(await Promise.all([value.now(), value.now()])).toEqual(['a1', 'a1'])
    expect(await value.now()).toBe('a1')
    expect(made).toEqual(['a1'])
  })

  it('is loaded once more for all who ask while it is loaded, however often it changes', async () => {
    const gate = Promise.withResolvers<void>()
    const begun: number[] = []
    const { value, set } = watched({
      load: async ({ graph }) => {
        begun.push(graph)
        if (graph === 1) await gate.promise
        return `${graph}`
      },
    })
    const asked = [value.now()]
    for (const graph of [2, 3, 4]) {
      await setImmediate()
      set({ graph })
      asked.push(value.now())
    }
    await setImmediate()
    gate.resolve()
    expect(await Promise.all(asked)).toEqual(['1', '4', '4', '4'])
    expect(begun).toEqual([1, 4])
  })

  it('is loaded again when its stamp rises, and not for another stamp', async () => {
    const { value, made, set } = watched()
    await value.now()
    set({ generation: 9, vectors: 9 })
    await value.now()
    set({ graph: 2 })
    expect(await value.now()).toBe('a2')
    expect(made).toEqual(['a1', 'a2'])
  })

  it('is loaded again when another index stands behind the store, whatever its stamps', async () => {
    const { value, made, set } = watched()
    await value.now()
    set({ epoch: 'b', graph: 0 })
    expect(await value.now()).toBe('b0')
    expect(made).toEqual(['a1', 'b0'])
  })

  it('does not go back for who looked a moment earlier', async () => {
    const { value, made, set } = watched()
    const early: Stamps = { epoch: 'a', generation: 1, graph: 1, vectors: 1 }
    set({ graph: 2 })
    await value.now()
    expect(await value.at(early)).toBe('a2')
    expect(made).toEqual(['a2'])
  })

  it('follows where it can, and loads where following says nothing', async () => {
    const { value, made, set } = watched({
      follow: async (before, from, to) => (to.graph - from.graph > 1 ? undefined : `${before}+`),
    })
    await value.now()
    set({ graph: 2 })
    expect(await value.now()).toBe('a1+')
    set({ graph: 9 })
    expect(await value.now()).toBe('a9')
    expect(made).toEqual(['a1', 'a9'])
  })

  it('is tried again after a failure', async () => {
    let broken = true
    const { value } = watched({
      load: async () => {
        if (broken) throw new Error('the disk is tired')
        return 'there'
      },
    })
    await expect(value.now()).rejects.toThrow('tired')
    broken = false
    expect(await value.now()).toBe('there')
  })

  it('is known while it is being brought up to date, but not from another index', async () => {
    const { value, set } = watched()
    expect(value.known()).toBeUndefined()
    const first = (await value.now()) as string
    expect(value.known()).toBe(first)
    set({ graph: 2 })
    const refreshing = value.now()
    expect(value.known()).toBe('a1')
    await refreshing
    expect(value.known()).toBe('a2')
    set({ epoch: 'b' })
    const other = value.now()
    await Promise.resolve()
    expect(value.known()).toBeUndefined()
    await other
  })

  it('is what it was while nobody answers, and is brought up to date afterwards', async () => {
    let away = false
    const gone = new KnowledgeError('unavailable', 'It does not answer.', 'Wait.')
    const { value, set } = watched({
      follow: async (_before, _from, { graph }) => {
        if (away) throw gone
        return `a${graph}`
      },
    })
    expect(await value.now()).toBe('a1')
    away = true
    set({ graph: 2, remembered: true })
    expect(await value.now()).toBe('a1')
    // Whoever looked before it went, and only then wants to know more.
    const stamps = { epoch: 'a', generation: 1, graph: 3, vectors: 1 }
    expect(await value.at(stamps)).toBe('a1')
    await expect(value.at({ ...stamps, epoch: 'b' })).resolves.toBe('b3')
    away = false
    const now = { epoch: 'b', generation: 1, graph: 4, vectors: 1 }
    expect(await value.at(now)).toBe('a4')
  })

  it('hides no failure of a store that answers', async () => {
    let fails = false
    const { value, set } = watched({
      follow: async () => {
        if (fails) throw new KnowledgeError('unavailable', 'This part is damaged.', 'Wait.')
        return undefined
      },
    })
    await value.now()
    fails = true
    set({ graph: 2 })
    await expect(value.now()).rejects.toThrow('damaged')
    fails = false
    expect(await value.now()).toBe('a2')
  })
})
