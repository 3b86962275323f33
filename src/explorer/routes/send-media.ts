/**
 * Range requests: a player asks for the bytes it needs, and goes on from where one has moved it to.
 * They are read while they are sent, as fast as they are taken, so a film of any size costs a part.
 */
import type { Media } from '../surface/open-explorer.ts'
import { bodyOf } from './assets.ts'

const PART = 256 * 1024

export function sendMedia(
  media: Media,
  { headers }: Request,
  more: Readonly<Record<string, string>>,
): Response {
  const { size, type, stamp } = media
  const etag = `"${Buffer.from(stamp).toString('base64url')}"`
  const all = { ...more, 'content-type': type, 'accept-ranges': 'bytes', etag }
  const condition = headers.get('if-range')
  const range =
    condition === null || condition === etag ? rangeOf(headers.get('range'), size) : undefined
  if (range === 'none') {
    return new Response(null, {
      status: 416,
      headers: { ...all, 'content-range': `bytes */${size}` },
    })
  }
  const { from, to } = range ?? { from: 0, to: size - 1 }
  return new Response(streamed(media, from, to + 1), {
    status: range ? 206 : 200,
    headers: {
      ...all,
      'content-length': String(to + 1 - from),
      ...(range && { 'content-range': `bytes ${from}-${to}/${size}` }),
    },
  })
}

/** What is asked for in one range; undefined where that is the whole, or said in another way. */
function rangeOf(
  written: string | null,
  size: number,
): { readonly from: number; readonly to: number } | 'none' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(written ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const count = Math.min(Number(last), size)
    return count === 0 ? 'none' : { from: size - count, to: size - 1 }
  }
  const [from, to] = [Number(first), last === '' ? size - 1 : Math.min(Number(last), size - 1)]
  if (from >= size) return 'none'
  return to < from ? undefined : { from, to }
}

function streamed(media: Media, from: number, end: number): ReadableStream<Uint8Array> {
  let at = from
  return new ReadableStream(
    {
      async pull(controller) {
        if (at >= end) return controller.close()
        const bytes = await media.part(at, Math.min(PART, end - at))
        // Cut off: half of a file and half of another one are neither.
        if (!bytes || bytes.length === 0)
          return controller.error(new Error('The file has changed.'))
        at += bytes.length
        controller.enqueue(bodyOf(bytes))
      },
    },
    { highWaterMark: 0 },
  )
}
