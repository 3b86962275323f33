/** Requests whose answer has not begun, so that a server that ends can tell them so. */
export interface Unanswered {
  /** What is answered, or `instead` where the server ends before there is anything to send. */
  run(answer: () => Promise<Response>, instead: () => Response): Promise<Response>
  /** Resolves when there is none. */
  idle(): Promise<void>
  /** Nobody waits any more. */
  tellAll(): void
}

/** What is said to them, and what is best done. */
export const STOPPED = [
  'The server was stopped before this was answered.',
  'It may have been done: look before you try again.',
] as const

export function createUnanswered(): Unanswered {
  const waiting = new Set<() => void>()
  let idle: PromiseWithResolvers<void> | undefined
  return {
    async run(answer, instead) {
      const { promise, resolve, reject } = Promise.withResolvers<Response>()
      const tell = (): void => resolve(instead())
      waiting.add(tell)
      answer().then(resolve, reject)
      try {
        return await promise
      } finally {
        waiting.delete(tell)
        if (waiting.size === 0) {
          idle?.resolve()
          idle = undefined
        }
      }
    },
    async idle() {
      if (waiting.size === 0) return
      idle ??= Promise.withResolvers()
      await idle.promise
    },
    tellAll() {
      for (const tell of waiting) tell()
    },
  }
}
