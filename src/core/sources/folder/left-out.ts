/** Counts what a walk passes by, so that a report can say how much that was and by which rule. */
import { pictureType } from '../../domain/picture.ts'
import type { LeftOut } from '../../domain/source.ts'

/** An ignore file may have any number of lines; a report needs the large ones. */
const MOST_NAMES = 1_000

/** More than a person could look at. */
const MOST_PICTURES = 50_000

const OTHERS = 'others'

export class LeftOutCounter {
  readonly #types = new Map<string, number>()
  readonly #unread: string[] = []
  readonly #pictures: string[] = []
  readonly #rules = new Map<string, number>()

  byType(extension: string, path: string): void {
    if (this.#unread.length < MOST_NAMES) this.#unread.push(path)
    if (pictureType(path) !== undefined && this.#pictures.length < MOST_PICTURES) {
      this.#pictures.push(path)
    }
    count(this.#types, extension === '' ? 'no extension' : `.${extension}`)
  }

  byRule(rule: string): void {
    count(this.#rules, rule)
  }

  counts(): LeftOut {
    return {
      types: Object.fromEntries(this.#types),
      unread: this.#unread.toSorted(),
      ...(this.#pictures.length > 0 && { pictures: this.#pictures }),
      rules: Object.fromEntries(this.#rules),
    }
  }
}

function count(counts: Map<string, number>, name: string): void {
  const known = counts.has(name) || counts.size < MOST_NAMES ? name : OTHERS
  counts.set(known, (counts.get(known) ?? 0) + 1)
}
