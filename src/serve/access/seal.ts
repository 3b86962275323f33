/** Signed texts (HMAC): what is handed out says everything itself, and nobody else can make one. */
import { createHmac, timingSafeEqual } from 'node:crypto'

export interface Seal {
  /** `kind` keeps one use of such texts apart from another. */
  signed(kind: string, value: object): string
  /** Undefined for what was not signed here as this kind. */
  opened<Value>(kind: string, text: string): Value | undefined
}

const MOST_CHARS = 8_192

/** What is signed for one origin means nothing at another. */
export function createSeal(key: Buffer, origin: string): Seal {
  const markOf = (kind: string, body: string): string =>
    createHmac('sha256', key).update(`${origin} ${kind} ${body}`).digest('base64url')
  return {
    signed(kind, value) {
      const body = Buffer.from(JSON.stringify(value)).toString('base64url')
      return `${kind}.${body}.${markOf(kind, body)}`
    },
    opened<Value>(kind: string, text: string) {
      const [given, body = '', mark = ''] = text.split('.')
      if (given !== kind || text.length > MOST_CHARS) return undefined
      const [a, b] = [Buffer.from(mark), Buffer.from(markOf(kind, body))]
      if (a.length !== b.length || !timingSafeEqual(a, b)) return undefined
      return JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as Value
    },
  }
}
