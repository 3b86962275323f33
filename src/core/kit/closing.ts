/** What must be closed at the end: the last that was opened goes first. */
export interface Closing {
  /** Hears of one more thing to close. */
  add(close: () => unknown): void
  /** Closes everything, once, also where something does not close as it should. */
  run(): Promise<void>
}

export function openClosing(): Closing {
  const stack: (() => unknown)[] = []
  let running: Promise<void> | undefined
  const closeAll = async (): Promise<void> => {
    const troubles: unknown[] = []
    for (let close = stack.pop(); close; close = stack.pop()) {
      try {
        await close()
      } catch (error) {
        troubles.push(error)
      }
    }
    if (troubles.length > 0) throw troubles[0]
  }
  return {
    add: (close) => void stack.push(close),
    run: () => (running ??= closeAll()),
  }
}
