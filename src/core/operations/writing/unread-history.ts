/** What of the history could not be read while it was looked through, and how that is said. */
import type { History } from '../../history/history.ts'
import type { Warning } from '../../domain/warning.ts'

export class Unread {
  readonly #counts = { line: 0, file: 0 }

  readonly count = (what: 'line' | 'file'): void => {
    this.#counts[what]++
  }

  get any(): boolean {
    return this.#counts.line + this.#counts.file > 0
  }

  /** `1 line of the history cannot be read`. */
  get text(): string {
    const parts = (['line', 'file'] as const)
      .filter((what) => this.#counts[what] > 0)
      .map((what) => `${this.#counts[what]} ${what}${this.#counts[what] === 1 ? '' : 's'}`)
    return `${parts.join(' and ')} of the history cannot be read`
  }

  get warnings(): readonly Warning[] {
    if (!this.any) return []
    return [
      { kind: 'bad_line', message: `${this.text}: see "cairn doctor". The rest still works.` },
    ]
  }
}

/** Looks through all of it. */
export async function unreadIn(history: History): Promise<Unread> {
  const unread = new Unread()
  await history.each(() => true, undefined, unread.count)
  return unread
}
