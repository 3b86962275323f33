/**
 * Which terms stand in which passage, and how often: the only thing the corpus embedder knows of a
 * text. The rows of a document follow each other: first one for its title, then its passages.
 */

export interface TermMatrix {
  /** The term of each column. */
  readonly terms: readonly string[]
  /** Row r has the entries from `rowStart[r]` to `rowStart[r + 1]`, one per column. */
  readonly rowStart: Uint32Array
  readonly columns: Uint32Array
  readonly counts: Uint16Array
  /** Document d has its title in row `documentStart[d]`, its passages in the rows up to `documentStart[d + 1]`. */
  readonly documentStart: Uint32Array
}

const MAX_COUNT = 0xffff

/** Gathers a matrix passage by passage; 6 bytes per distinct term of a passage. */
export class TermMatrixBuilder {
  readonly #columnOf = new Map<string, number>()
  readonly #terms: string[] = []
  /** How often each term stands in the passage at hand. */
  #inRow = new Uint32Array(1_024)
  #rowStart = new Uint32Array(1_024)
  #rows = 0
  #documentStart: number[] = []
  #columns = new Uint32Array(16_384)
  #counts = new Uint16Array(16_384)
  #entries = 0
  /** Columns of the row at hand, which stand behind the entries. */
  #touched = 0

  /** Entries so far: what the matrix costs in memory and training in time. */
  get entries(): number {
    return this.#entries
  }

  get documents(): number {
    return this.#documentStart.length
  }

  /** Adds a document by the terms of its title and passages, repeated ones as often as they occur. */
  addDocument(title: Iterable<string>, passages: Iterable<Iterable<string>>): void {
    this.startDocument()
    for (const terms of [title, ...passages]) {
      for (const term of terms) this.count(this.columnOf(term), 1)
      this.endRow()
    }
  }

  /** For whom knows the columns: what is counted from here on, row by row, is of the next document. */
  startDocument(): void {
    this.#documentStart.push(this.#rows)
  }

  columnOf(term: string): number {
    return this.#columnOf.get(term) ?? this.#addTerm(term)
  }

  count(column: number, times: number): void {
    if (this.#inRow[column] === 0) {
      if (this.#touched === this.#columns.length - this.#entries) this.#reserve(this.#touched + 1)
      this.#columns[this.#entries + this.#touched++] = column
    }
    this.#inRow[column]! += times
  }

  endRow(): void {
    this.#rowStart[this.#rows++] = this.#entries
    if (this.#rows + 1 > this.#rowStart.length)
      this.#rowStart = grown(this.#rowStart, this.#rows + 1)
    const end = this.#entries + this.#touched
    for (; this.#entries < end; this.#entries++) {
      const column = this.#columns[this.#entries]!
      this.#counts[this.#entries] = Math.min(this.#inRow[column]!, MAX_COUNT)
      this.#inRow[column] = 0
    }
    this.#touched = 0
  }

  build(): TermMatrix {
    const rowStart = this.#rowStart.slice(0, this.#rows + 1)
    rowStart[this.#rows] = this.#entries
    return {
      terms: this.#terms.slice(),
      rowStart,
      columns: this.#columns.slice(0, this.#entries),
      counts: this.#counts.slice(0, this.#entries),
      documentStart: Uint32Array.from([...this.#documentStart, this.#rows]),
    }
  }

  #addTerm(term: string): number {
    const column = this.#terms.length
    this.#terms.push(term)
    this.#columnOf.set(term, column)
    if (column >= this.#inRow.length) this.#inRow = grown(this.#inRow, column + 1)
    return column
  }

  #reserve(entries: number): void {
    this.#columns = grown(this.#columns, this.#entries + entries)
    this.#counts = grown(this.#counts, this.#entries + entries)
  }
}

function grown<Numbers extends Uint32Array | Uint16Array>(
  numbers: Numbers,
  wanted: number,
): Numbers {
  const room = Math.max(wanted, Math.ceil(numbers.length * 1.5))
  const larger = new (numbers.constructor as new (length: number) => Numbers)(room)
  larger.set(numbers)
  return larger
}
