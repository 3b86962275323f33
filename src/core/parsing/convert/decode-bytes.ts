/** Text of bytes whose encoding the file may name itself: by a mark, else as it says, else UTF-8. */
import { isUtf8 } from 'node:buffer'
import { orElse } from '../../kit/or-else.ts'
import { Unreadable } from '../../domain/conversion.ts'

const PROBE = 4_096

/** `named` finds what the beginning of the text calls its encoding. */
export function decodeBytes(bytes: Uint8Array, named?: RegExp): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (buffer[0] === 0xff && buffer[1] === 0xfe) return decodeAs(buffer, 'utf-16le')
  if (buffer[0] === 0xfe && buffer[1] === 0xff) return decodeAs(buffer, 'utf-16be')
  if (buffer.subarray(0, 2 * PROBE).includes(0)) throw new Unreadable('not text')
  const [, label] = named?.exec(buffer.toString('latin1', 0, PROBE)) ?? []
  if (label !== undefined && !/^utf-?(?:8|16)/i.test(label)) {
    const text = orElse(() => decodeAs(buffer, label), undefined)
    if (text !== undefined) return text
  }
  // What browsers take a page for that says nothing.
  return isUtf8(buffer) ? decodeAs(buffer, 'utf-8') : decodeAs(buffer, 'windows-1252')
}

function decodeAs(bytes: Buffer, label: string): string {
  return new TextDecoder(label).decode(bytes)
}
