/** How resources are named, `acdc://<source>/<path without extension>`, and prompts. */
import type { CuratedFile } from '../../operations/reading/curated-files.ts'

export function uriOf({ record, place }: CuratedFile): string {
  return resourceUri(record.source, place)
}

/** `<source>:<name>`. */
export function fullName({ record, name }: CuratedFile): string {
  return `${record.source}:${name}`
}

export function resourceUri(source: string, place: string): string {
  return `acdc://${source}/${place.split('/').map(encodeSegment).join('/')}`
}

/**
 * The forms under which one resource may be asked for, all alike: percent-encoding is undone, so
 * that `a b` and `a%20b` meet. The outcome is looked up, never used as a path.
 */
export function uriKey(uri: string): string {
  try {
    return decodeURIComponent(uri).normalize('NFC')
  } catch {
    // A bare percent sign: it was not encoded at all.
    return uri.normalize('NFC')
  }
}

/** Characters that a URI path may hold stay as they are, so that plain names stay readable. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment.normalize('NFC')).replace(
    /%(?:40|3A|24|26|2B|2C|3B|3D)/g,
    decodeURIComponent,
  )
}
