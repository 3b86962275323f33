/**
 * Semaphore with a bounded queue: so many at once, so many waiting; whoever comes then is asked to
 * come back.
 */
import { createExchanges } from './exchanges.ts'

export interface Limit {
  /** Holds its place until the body was read or given up. Undefined: too many wait already. */
  run(answer: () => Promise<Response>): Promise<Response | undefined>
}

export interface LimitOptions {
  readonly atOnce: number
  readonly waiting: number
}

export function createLimit({ atOnce, waiting }: LimitOptions): Limit {
  const queue: (() => void)[] = []
  let running = 0
  const leave = (): void => {
    running--
    queue.shift()?.()
  }
  return {
    async run(answer) {
      if (running >= atOnce) {
        if (queue.length >= waiting) return undefined
        await new Promise<void>((resolve) => queue.push(resolve))
      }
      running++
      const exchange = createExchanges()
      try {
        const response = await exchange.run(answer)
        void exchange.idle().then(leave)
        return response
      } catch (error) {
        leave()
        throw error
      }
    },
  }
}
