/**
 * How resources and prompts are named: `acdc://<source>/<path without extension>` and
 * `<source>:<name>`; where there is one content directory, both without the source.
 */
import { orElse } from '../../core/kit/or-else.ts'
import type { CuratedFile } from './operations/curated-files.ts'

export interface Naming {
  readonly scheme: string
  /** Whether there is one content directory, which needs no name. */
  readonly single: boolean
}

export const BY_SOURCE: Naming = { scheme: 'acdc', single: false }

export interface AcdcNames extends Naming {
  uriOf(file: CuratedFile): string
  resourceUri(source: string, place: string): string
  fullName(prompt: CuratedFile): string
}

export function acdcNames({ scheme, single }: Naming): AcdcNames {
  const resourceUri = (source: string, place: string): string => {
    const path = place.split('/').map(encodeSegment).join('/')
    return single ? `${scheme}://${path}` : `${scheme}://${source}/${path}`
  }
  return {
    scheme,
    single,
    resourceUri,
    uriOf: ({ record, place }) => resourceUri(record.source, place),
    fullName: ({ record, name }) => (single ? name : `${record.source}:${name}`),
  }
}

/**
 * The forms under which one resource may be asked for, all alike: percent-encoding is undone, so
 * that `a b` and `a%20b` meet. The outcome is looked up, never used as a path.
 */
export function uriKey(uri: string): string {
  // A bare percent sign: it was not encoded at all.
  return orElse(() => decodeURIComponent(uri).normalize('NFC'), uri.normalize('NFC'))
}

/** Characters that a URI path may hold stay as they are, so that plain names stay readable. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment.normalize('NFC')).replace(
    /%(?:40|3A|24|26|2B|2C|3B|3D)/g,
    decodeURIComponent,
  )
}
