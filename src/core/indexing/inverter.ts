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
  add(documents: readonly IndexableDocument[]): void
  /** The segment of what was added since the last one. */
  finish(): Promise<Inverted>
  close(): Promise<void>
}

export interface Inverted {
  readonly streams: SegmentStreams
  /** Documents whose words could not be read. */
  readonly failed: ReadonlyMap<DocNo, string>
}

/** Fewer files are done before a thread has started. */
const THREAD_FROM = 2_000

export function openInverter(files: number): Inverter {
  return files > THREAD_FROM && availableParallelism() > 1 ? invertElsewhere() : invertHere()
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
  const thread = new Worker(new URL(file, import.meta.url), { stdout: true })
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
 * that were sent as such would be copied twice more, and be garbage on the other side.
 */
function inUnits(documents: readonly IndexableDocument[]) {
  const units = new Uint16Array(documents.reduce((sum, { text }) => sum + text.length, 0))
  const { buffer } = units
  const bytes = Buffer.from(buffer)
  let end = 0
  const sent = documents.map((document): IndexableDocument => {
    const { text } = document
    const start = end
    end += text.length
    if (typeof text === 'string') bytes.write(text, 2 * start, 'utf16le')
    else units.set(text, start)
    return { ...document, text: units.subarray(start, end) }
  })
  return { sent, buffer }
}

/** A vocabulary with more terms than this is begun anew: names of documents do not come again. */
const MOST_TERMS = 500_000

/** Builds one segment after the other. */
export class Inverting {
  #vocabulary = new Vocabulary()
  #builder = new SegmentBuilder(this.#vocabulary)
  #failed = new Map<DocNo, string>()

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
    if (this.#vocabulary.terms.size > MOST_TERMS) this.#vocabulary = new Vocabulary()
    this.#builder = new SegmentBuilder(this.#vocabulary)
    this.#failed = new Map()
    return inverted
  }
}
