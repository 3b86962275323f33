/**
 * A sound or a film that a note shows, in parts, as browsers play it: nobody has the whole of one in
 * memory. Like pictures only from inside of a source, and only what the caller sees.
 */
import { KnowledgeError, notFound, quoted } from '../../core/domain/error.ts'
import type { FilePart, SourceWriter } from '../../core/domain/source.ts'
import { extensionOf } from '../../core/kit/paths.ts'
import type { View } from '../../core/operations/view/view.ts'
import { placesBeside } from './read-picture.ts'

export interface Media {
  readonly type: string
  readonly size: number
  /** Of the file as it is; parts of another one do not fit together. */
  readonly stamp: string
  /** Undefined where it has become another one meanwhile. */
  part(from: number, length: number): Promise<Uint8Array | undefined>
}

const TYPES: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  opus: 'audio/ogg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  webm: 'video/webm',
  ogv: 'video/ogg',
  mov: 'video/quicktime',
  mkv: 'video/x-matroska',
}

/** Whether what is at a path is played. */
export function isMedia(path: string): boolean {
  return Object.hasOwn(TYPES, extensionOf(path))
}

export async function readMedia(
  kb: View,
  source: string,
  path: string,
  from: string,
): Promise<Media> {
  const writer = kb.sources.get(source)?.writer
  for (const place of writer ? placesBeside(kb, source, path, from) : []) {
    const found = isMedia(place) ? await look(writer!, place) : undefined
    if (!found || !kb.sees({ source, path: place })) continue
    const { size, stamp } = found
    return {
      type: TYPES[extensionOf(place)]!,
      size,
      stamp,
      async part(at, length) {
        const next = await look(writer!, place, at, length)
        return next?.stamp === stamp ? next.bytes : undefined
      },
    }
  }
  throw notFound(
    `There is nothing to play at ${quoted(path)}.`,
    'Sounds and films are played from inside of a source only; look at the link in the note.',
  )
}

async function look(
  writer: SourceWriter,
  place: string,
  from = 0,
  length = 0,
): Promise<FilePart | undefined> {
  try {
    return await writer.loadPart?.(place, from, length)
  } catch (error) {
    // A place that may not be touched is as good as empty.
    if (error instanceof KnowledgeError) return undefined
    throw error
  }
}
