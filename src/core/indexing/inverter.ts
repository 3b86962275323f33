/**
 * Pipeline stage: turns what was parsed into a segment, where it is worth it on a thread of its own,
 * while the next files are read and parsed and the batch before is committed.
 */
import { Buffer } from 'node:buffer'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { DocNo } from '../domain/document.ts'
import type { IndexableDocument, SegmentStreams } from '../search/contract.ts'
import { SegmentBuilder, Vocabulary } from '../search/segment/segment-builder.ts'

export interface Inverter {
  add(documents: readonly WrittenDocument[]): void
  /** The segment of what was added since the last one. */
  finish(): Promise<Inverted>
  close(): Promise<void>
}

/** A document whose text is a string, as parsers read it. */
export type WrittenDocument = IndexableDocument & { readonly text: string }

export interface Inverted {
  readonly streams: SegmentStreams
  /** Documents whose words could not be read. */
  readonly failed: ReadonlyMap<DocNo, string>
}

/** Fewer files are done before a thread has started. */
const THREAD_FROM = 2_000

/** The compiled core has a memory of its own with an end; a batch is as large as its largest file. */
const MOST_BYTES = 32 * 1024 * 1024

export function openInverter(files: number, largestBytes = 0): Inverter {
  const elsewhere = files > THREAD_FROM && largestBytes <= MOST_BYTES && availableParallelism() > 1
  try {
    return elsewhere ? invertElsewhere() : invertHere()
  } catch {
    // Where there may be no more threads, it takes longer.
    return invertHere()
  }
}

export function invertHere(): Inverter {
  const inverting = new Inverting()
  return {
    add: (documents) => inverting.add(documents),
    finish: async () => inverting.finish(),
    close: async () => {},
  }
}

function invertElsewhere(): Inverter {
  const file = import.meta.url.endsWith('.ts') ? './inverting-thread.ts' : './inverting-thread.js'
  // stdout belongs to the protocol of whoever serves.
  const thread = new Worker(new URL(file, import.meta.url), {
    stdout: true,
    // What is sent to it is garbage a moment later.
    resourceLimits: { maxYoungGenerationSizeMb: 6 },
  })
  const waiting: PromiseWithResolvers<Inverted>[] = []
  let failure: Error | undefined
  thread.on('message', (inverted: Inverted) => waiting.shift()?.resolve(inverted))
  thread.on('error', (error) => {
    failure = error
    for (const { reject } of waiting.splice(0)) reject(error)
  })
  return {
    add(documents) {
      const { sent, buffer } = inUnits(documents)
      thread.postMessage(sent, [buffer])
    },
    async finish() {
      if (failure) throw failure
      const answer = Promise.withResolvers<Inverted>()
      waiting.push(answer)
      thread.postMessage('finish')
      return answer.promise
    },
    close: async () => void (await thread.terminate()),
  }
}

/**
 * With their texts as the thread reads them, side by side in one buffer, which is given away. Texts
 * that were sent as such would be copied twice more, and be garbage on the other side. Plain ASCII
 * takes a byte a letter, all others their UTF-16 units.
 */
function inUnits(documents: readonly WrittenDocument[]) {
  const texts = documents.map(({ text }) => text)
  const arePlain = texts.map((text) => Buffer.byteLength(text) === text.length)
  // Units stand at even places.
  const sizes = texts.map(({ length }, at) => (arePlain[at] ? length + (length & 1) : 2 * length))
  const buffer = new ArrayBuffer(sizes.reduce((sum, size) => sum + size, 0))
  const bytes = Buffer.from(buffer)
  let end = 0
  const sent = documents.map((document, at): IndexableDocument => {
    const text = texts[at]!
    const start = end
    end += sizes[at]!
    bytes.write(text, start, arePlain[at] ? 'latin1' : 'utf16le')
    const Units = arePlain[at] ? Uint8Array : Uint16Array
    return { ...document, text: new Units(buffer, start, text.length) }
  })
  return { sent, buffer }
}

/** What builds one segment after the other, with the vocabulary of those before. */
export interface Builder {
  add(document: IndexableDocument): void
  finish(): SegmentStreams
  /** How many terms it knows. */
  readonly terms: number
}

function plainBuilder(): Builder {
  const vocabulary = new Vocabulary()
  let builder = new SegmentBuilder(vocabulary)
  return {
    add: (document) => builder.add(document),
    finish() {
      const streams = builder.finish()
      builder = new SegmentBuilder(vocabulary)
      return streams
    },
    get terms() {
      return vocabulary.terms.size
    },
  }
}

/** A vocabulary with more terms than this is begun anew: names of documents do not come again. */
const MOST_TERMS = 500_000

/** Builds one segment after the other. */
export class Inverting {
  readonly #open: () => Builder
  #builder: Builder
  #failed = new Map<DocNo, string>()

  constructor(open = plainBuilder) {
    this.#open = open
    this.#builder = open()
  }

  add(documents: readonly IndexableDocument[]): void {
    for (const document of documents) {
      try {
        this.#builder.add(document)
      } catch (error) {
        this.#failed.set(document.doc, error instanceof Error ? error.message : String(error))
      }
    }
  }

  finish(): Inverted {
    const inverted = { streams: this.#builder.finish(), failed: this.#failed }
    if (this.#builder.terms > MOST_TERMS) this.#builder = this.#open()
    this.#failed = new Map()
    return inverted
  }
}
