/** An opened segment: its resident streams, and a way to its lists. */
import type { SegmentReader } from '../contract.ts'
import { offsetsOf } from './bytes.ts'
import { DocumentTable } from './document-table.ts'
import { FORMAT_VERSION } from './format.ts'
import type { AboutSegment } from './format.ts'
import { TermTable } from './term-table.ts'

const RESIDENT = [
  'about',
  'documents',
  'lengths',
  'chunkIndex',
  'chunkStarts',
  'languages',
  'terms',
  'termSizes',
  'listSizes',
] as const

export interface Segment {
  readonly reader: SegmentReader
  readonly about: AboutSegment
  readonly documents: DocumentTable
  readonly terms: TermTable
  /** Where each term's list begins in bytes; one entry more than terms. */
  readonly listOffsets: Uint32Array
}

export async function openSegment(reader: SegmentReader): Promise<Segment> {
  const names: readonly string[] = RESIDENT
  const contents = await Promise.all(names.map((name) => reader.resident(name)))
  const streams = Object.fromEntries(names.map((name, i) => [name, contents[i]!]))
  const about = JSON.parse(new TextDecoder().decode(streams['about'])) as AboutSegment
  if (about.version !== FORMAT_VERSION) {
    throw new Error(`search segment has format ${about.version}, expected ${FORMAT_VERSION}`)
  }
  return {
    reader,
    about,
    documents: DocumentTable.read(streams),
    terms: TermTable.read(streams),
    listOffsets: offsetsOf(streams['listSizes']!),
  }
}
