/** A knowledge base in miniature for tests: documents, segments and tombstones in memory. */
import type { DocSet, IndexableDocument, SegmentStreams } from '../../src/core/search/contract.ts'
import { createLexicalIndex } from '../../src/core/search/lexical-index.ts'
import type { LexicalIndex } from '../../src/core/search/lexical-index.ts'
import type { SegmentSource } from '../../src/core/search/live-segment.ts'
import { mergeSegments } from '../../src/core/search/segment/merge-segments.ts'
import { SegmentBuilder } from '../../src/core/search/segment/segment-builder.ts'
import { memoryReader } from './memory-reader.ts'

export interface Content {
  readonly title: string
  readonly aliases: readonly string[]
  readonly tags: readonly string[]
  readonly sections: readonly { readonly heading: string; readonly body: string }[]
}

export function makeDocument(
  doc: number,
  { title, aliases, tags, sections }: Content,
): IndexableDocument {
  let text = '---\nignored front matter\n---\n'
  const bodyStart = text.length
  const headings: { start: number; end: number }[] = []
  const chunkStarts: number[] = []
  for (const { heading, body } of sections) {
    const start = text.length
    text += `# ${heading}\n`
    headings.push({ start, end: text.length })
    text += `${body}\n\n`
    chunkStarts.push(start)
  }
  const path = `notes/${doc}.md`
  return { doc, title, aliases, tags, path, text, bodyStart, headings, chunkStarts }
}

/** Segments, tombstones and what is alive. */
export class TestBase {
  readonly live = new Map<number, IndexableDocument>()
  #segments: { id: string; streams: SegmentStreams; docs: number[]; deleted: Set<number> }[] = []
  #next = 0

  constructor(documents: readonly IndexableDocument[] = []) {
    if (documents.length > 0) this.write(documents)
  }

  write(documents: readonly IndexableDocument[]): void {
    // The last write of a batch wins.
    const batch = new Map(documents.map((document) => [document.doc, document]))
    const builder = new SegmentBuilder()
    for (const document of batch.values()) {
      this.remove(document.doc)
      builder.add(document)
      this.live.set(document.doc, document)
    }
    this.#add(builder.finish(), [...batch.keys()])
  }

  remove(doc: number): void {
    this.live.delete(doc)
    for (const { docs, deleted } of this.#segments) if (docs.includes(doc)) deleted.add(doc)
  }

  async merge(): Promise<void> {
    const inputs = this.#segments.map(({ streams, deleted }) => ({
      reader: memoryReader(streams),
      deleted: docSet([...deleted]),
    }))
    const merged = await mergeSegments(inputs)
    this.#segments = []
    this.#add(merged, [...this.live.keys()])
  }

  async open(): Promise<LexicalIndex> {
    const index = createLexicalIndex()
    await index.setSegments(this.sources())
    return index
  }

  sources(): SegmentSource[] {
    return this.#segments.map(({ id, streams, deleted }) => ({
      id,
      reader: memoryReader(streams),
      deleted: docSet([...deleted]),
    }))
  }

  #add(streams: SegmentStreams, docs: number[]): void {
    this.#segments.push({ id: `segment-${this.#next++}`, streams, docs, deleted: new Set() })
  }
}

export function docSet(docs: readonly number[]): DocSet {
  const set = new Set(docs)
  return { has: (doc) => set.has(doc), size: set.size }
}
