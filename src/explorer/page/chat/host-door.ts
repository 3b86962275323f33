/** The same door, through the chat: tools as tools, everything else as resources nobody lists. */
import { CHAT_MAP, chatPictureUri, chatReadUri } from '../../../core/domain/chat-page.ts'
import { DoorError, type Door, type Failure } from '../door.ts'
import { HostError, type Host } from './host.ts'

interface Content {
  readonly mimeType?: string
  readonly text?: string
  readonly blob?: string
}

interface Called {
  readonly content?: readonly { readonly text?: string }[]
  readonly structuredContent?: unknown
  readonly isError?: boolean
}

/** `ready` settles when the chat may be asked. */
export function openHostDoor(host: Host, ready: Promise<unknown>): Door {
  const ask = async <Result>(method: string, params: object, signal?: AbortSignal) => {
    try {
      await ready
      return await host.request<Result>(method, params, signal)
    } catch (error) {
      if (!(error instanceof HostError)) throw error
      throw new DoorError('unreachable', error.message, 'Try again, or ask in the chat instead.')
    }
  }
  const read = async (uri: string, signal?: AbortSignal): Promise<Content> => {
    const found = await ask<{ contents?: readonly Content[] }>('resources/read', { uri }, signal)
    return found?.contents?.[0] ?? {}
  }
  return {
    async call<Result>(tool: string, args: object, signal?: AbortSignal) {
      const params = { name: tool, arguments: args }
      const { structuredContent, content, isError } = await ask<Called>(
        'tools/call',
        params,
        signal,
      )
      const text = content?.[0]?.text ?? ''
      if (isError) throw problem(parsed(text)?.error ?? { message: text })
      return (structuredContent ?? parsed(text)) as Result
    },
    async read<Result>(name: string, args: object, signal?: AbortSignal) {
      const { text = '' } = await read(chatReadUri(name, args), signal)
      const answer = parsed(text)
      if (!answer || answer.error) throw problem(answer?.error ?? {})
      return answer.value as Result
    },
    async bytes(_name, signal) {
      return Uint8Array.from(atob((await read(CHAT_MAP, signal)).blob ?? ''), (letter) =>
        letter.charCodeAt(0),
      )
    },
    async picture(place) {
      const { blob = '', mimeType = '' } = await read(chatPictureUri(place))
      return `data:${mimeType};base64,${blob}`
    },
  }
}

function parsed(text: string): { readonly value?: unknown; readonly error?: Failure } | undefined {
  try {
    return JSON.parse(text) as {}
  } catch {
    return undefined
  }
}

function problem({ code, message, hint, candidates }: Failure): DoorError {
  return new DoorError(
    code ?? 'internal',
    message || 'The chat gave no answer that makes sense.',
    hint ?? 'Try again.',
    candidates,
  )
}
