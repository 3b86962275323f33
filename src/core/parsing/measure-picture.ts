/** What a picture's first bytes say of it: its format, whatever its name says, and its size. */

export interface PictureMeasure {
  readonly type: string
  /** In pixels; undefined where the beginning does not tell. */
  readonly width?: number | undefined
  readonly height?: number | undefined
}

/** Undefined for what is no picture. */
export function measurePicture(bytes: Uint8Array): PictureMeasure | undefined {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const says = (text: string, at = 0): boolean =>
    bytes.length >= at + text.length &&
    [...text].every((sign, index) => bytes[at + index] === sign.charCodeAt(0))
  if (says('\x89PNG\r\n\x1a\n')) return { type: 'image/png', ...pair(data, 16, 4) }
  if (says('GIF8')) return { type: 'image/gif', ...pair(data, 6, 2, true) }
  if (says('\xff\xd8\xff')) return { type: 'image/jpeg', ...frameOfJpeg(data) }
  if (says('RIFF') && says('WEBP', 8)) return { type: 'image/webp', ...sizeOfWebp(data, says) }
  if (says('BM') && bytes.length > 26) return { type: 'image/bmp', ...sizeOfBitmap(data) }
  if (says('ftypavi', 4)) return { type: 'image/avif', ...sizeOfAvif(bytes, data) }
  return sizeOfDrawing(bytes)
}

type Size = Pick<PictureMeasure, 'width' | 'height'>

/** Width and height one after the other, where there are that many bytes. */
function pair(data: DataView, at: number, length: 2 | 4, little = false): Size {
  if (data.byteLength < at + 2 * length) return {}
  const read = (from: number): number =>
    length === 2 ? data.getUint16(from, little) : data.getUint32(from, little)
  return { width: read(at), height: read(at + length) }
}

/** The first frame stands behind markers that each say how long they are. */
function frameOfJpeg(data: DataView): Size {
  let at = 2
  while (at + 9 < data.byteLength && data.getUint8(at) === 0xff) {
    const marker = data.getUint8(at + 1)
    const isFrame =
      marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return { height: data.getUint16(at + 5), width: data.getUint16(at + 7) }
    at += marker === 0xff ? 1 : 2 + data.getUint16(at + 2)
  }
  return {}
}

function sizeOfWebp(data: DataView, says: (text: string, at: number) => boolean): Size {
  if (data.byteLength < 30) return {}
  if (says('VP8 ', 12)) {
    return { width: data.getUint16(26, true) & 0x3fff, height: data.getUint16(28, true) & 0x3fff }
  }
  if (says('VP8L', 12)) {
    const bits = data.getUint32(21, true)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  const three = (at: number): number => data.getUint16(at, true) + (data.getUint8(at + 2) << 16) + 1
  return says('VP8X', 12) ? { width: three(24), height: three(27) } : {}
}

function sizeOfBitmap(data: DataView): Size {
  return { width: Math.abs(data.getInt32(18, true)), height: Math.abs(data.getInt32(22, true)) }
}

/** The property of its size stands among the first boxes. */
function sizeOfAvif(bytes: Uint8Array, data: DataView): Size {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD_BYTES))
  const at = head.indexOf('ispe')
  return at < 0 ? {} : pair(data, at + 8, 4)
}

const HEAD_BYTES = 4_096

function sizeOfDrawing(bytes: Uint8Array): PictureMeasure | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD_BYTES))
  const [tag] = /<svg\b[^<>]{0,3000}>/.exec(head.toString('utf8')) ?? []
  if (tag === undefined) return undefined
  const number = (name: string): number | undefined => {
    const [, value] = new RegExp(`\\s${name}=["']\\s*([\\d.]{1,12})(?:px)?\\s*["']`).exec(tag) ?? []
    return value === undefined ? undefined : Math.round(Number(value)) || undefined
  }
  const [, width, height] =
    /\sviewBox=["']\s*[\d.-]+[\s,]+[\d.-]+[\s,]+([\d.]{1,12})[\s,]+([\d.]{1,12})/.exec(tag) ?? []
  const shown = { width: number('width'), height: number('height') }
  const isSaid = shown.width !== undefined && shown.height !== undefined
  const drawn = {
    width: Math.round(Number(width)) || undefined,
    height: Math.round(Number(height)) || undefined,
  }
  return { type: 'image/svg+xml', ...(isSaid ? shown : drawn) }
}
