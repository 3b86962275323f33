/**
 * Which tools a client asks for, in the headers of a request. They can only take away from what the
 * operator leaves. The same headers get the same list: nothing is remembered between requests.
 */
import type { Caller } from '../../../core/domain/caller.ts'
import type { ToolLimits } from '../../door/limit-tools.ts'

/** What a client asks for beside the message. */
export interface Asked {
  readonly tools?: ToolLimits
  readonly showSecrets?: boolean
}

export function askedBy(headers: Pick<Headers, 'get'>, caller: Caller | undefined): Asked {
  const tools = askedTools(headers)
  return { ...(tools && { tools }), showSecrets: asksForSecrets(headers, caller) }
}

/** Longer lists are no lists of tools. */
const LONGEST = 4_000

/** Undefined where nothing is asked for. */
function askedTools(headers: Pick<Headers, 'get'>): ToolLimits | undefined {
  const listed = (name: string): readonly string[] =>
    (headers.get(name) ?? '')
      .slice(0, LONGEST)
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== '')
  const limits = {
    only: listed('x-mcp-tools'),
    exclude: listed('x-mcp-exclude-tools'),
    sets: listed('x-mcp-toolsets').filter((set) => set !== 'all'),
    readOnly: /^(?:1|true|yes|on)$/i.test(headers.get('x-mcp-readonly')?.trim() ?? ''),
  }
  const asked = limits.only.length + limits.exclude.length + limits.sets.length > 0
  return asked || limits.readOnly ? limits : undefined
}

/**
 * Secrets are shown to whoever asks for them and may look after the server, or where nobody has to
 * sign in.
 */
function asksForSecrets(headers: Pick<Headers, 'get'>, caller: Caller | undefined): boolean {
  const asked = headers.get('x-cairn-secrets')?.trim().toLowerCase() === 'show'
  return asked && (caller?.may.includes('maintain') ?? true)
}
