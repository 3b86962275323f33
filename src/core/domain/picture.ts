/** Pictures beside notes: no documents, and yet things of the base that notes show. */
import { extensionOf } from '../kit/paths.ts'

const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  svg: 'image/svg+xml',
}

/** By its name alone; undefined for what is none. */
export function pictureType(path: string): string | undefined {
  return TYPES[extensionOf(path)]
}
