/**
 * One request at a time: while one is on its way, only the newest question waits. Typing fast costs
 * no more than typing slowly, and no answer comes after one to a later question.
 */
export interface Latest<Question> {
  ask(question: Question): void
  /** Forgets what waits and gives up what is on its way. */
  stop(): void
}

/** Longer than any question should take, shorter than people wait. */
const PATIENCE_MS = 3_000

export function latest<Question, Result>(
  run: (question: Question, signal: AbortSignal) => Promise<Result>,
  done: (result: Result, question: Question) => void,
  failed: (error: unknown, question: Question) => void,
): Latest<Question> {
  let waiting: { readonly question: Question } | undefined
  let current: AbortController | undefined
  let since = 0

  const next = async (): Promise<void> => {
    while (waiting && !current) {
      const { question } = waiting
      waiting = undefined
      const mine = new AbortController()
      current = mine
      since = Date.now()
      try {
        const result = await run(question, mine.signal)
        // A newer question waits: its answer is a moment away, but this one is better than nothing.
        if (!mine.signal.aborted) done(result, question)
      } catch (error) {
        if (!mine.signal.aborted) failed(error, question)
      } finally {
        if (current === mine) current = undefined
      }
    }
  }
  return {
    ask(question) {
      waiting = { question }
      // One that hangs must not keep the others waiting.
      if (current && Date.now() - since > PATIENCE_MS) {
        current.abort()
        current = undefined
      }
      void next()
    },
    stop() {
      waiting = undefined
      current?.abort()
      current = undefined
    },
  }
}
