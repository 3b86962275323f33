/** What comes from the person or the pipe in front of the program. */
import { isUtf8 } from 'node:buffer'
import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'
import { invalid } from '../../core/domain/error.ts'
import type { KnowledgeError } from '../../core/domain/error.ts'

export interface Input {
  /** True when a person sits there who can be asked. */
  readonly isTerminal: boolean
  /** Everything that is piped in. */
  text(): Promise<string>
  /** The same as it came; throws where it is more than that. */
  bytes(limit?: number): Promise<Uint8Array>
  /** An answer on one line; undefined when nobody answers any more. */
  ask(question: string): Promise<string | undefined>
}

/** Nobody there: an empty pipe. */
export const NO_INPUT: Input = {
  isTerminal: false,
  text: async () => '',
  bytes: async () => new Uint8Array(),
  ask: async () => undefined,
}

/** The stream is opened only when it is read: a server's protocol may want it for itself. */
export function openInput(stream: () => Readable, isTerminal: boolean, out: Writable): Input {
  const readAll = async (limit = Infinity): Promise<Uint8Array> => {
    const parts: Buffer[] = []
    let size = 0
    for await (const part of stream()) {
      parts.push(Buffer.from(part))
      size += parts.at(-1)!.length
      if (size > limit) throw tooMuch(limit)
    }
    return Buffer.concat(parts)
  }
  return {
    isTerminal,
    bytes: readAll,
    async text() {
      const bytes = await readAll()
      if (!isUtf8(bytes)) throw notText()
      return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
    },
    async ask(question) {
      const lines = createInterface({ input: stream(), output: out })
      try {
        const closed = new Promise<undefined>((settle) =>
          lines.once('close', () => settle(undefined)),
        )
        return await Promise.race([lines.question(question), closed])
      } finally {
        lines.close()
      }
    },
  }
}

function tooMuch(limit: number): KnowledgeError {
  return invalid(
    `What is piped in is more than ${Math.floor(limit / 1024 ** 2)} MiB.`,
    'Nothing was changed. Set maxFileBytes to allow more.',
  )
}

/** What cannot be read would be written as something else. */
function notText(): KnowledgeError {
  return invalid(
    'What is piped in is not UTF-8 text.',
    'Nothing was changed. Convert it first, such as with "iconv -f latin1 -t utf-8".',
  )
}

/** Whether a person says yes; only a plain yes counts. */
export async function agrees(input: Input, question: string): Promise<boolean> {
  if (!input.isTerminal) return false
  const answer = await input.ask(`${question} [y/N] `)
  return /^\s*y(es)?\s*$/i.test(answer ?? '')
}

/** The same where Enter means yes: for what the person has just asked for. */
export async function doesNotRefuse(input: Input, question: string): Promise<boolean> {
  if (!input.isTerminal) return false
  const answer = await input.ask(`${question} [Y/n] `)
  return answer !== undefined && /^\s*(y(es)?)?\s*$/i.test(answer)
}
