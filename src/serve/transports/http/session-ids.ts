/**
 * A session id that says what the session began with, sealed by a key that all servers of a base
 * have: whichever of them is asked can take it up. It proves nothing about who asks; that is found
 * out for every request, and an id of somebody else is no session.
 */
import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Caller } from '../../../core/domain/caller.ts'

export interface Begun {
  /** Which surface it was begun with. */
  readonly surface: string
  /** Who began it, as a digest. */
  readonly who: string
  readonly begunAt: number
  /** What `initialize` said. */
  readonly params: {
    readonly protocolVersion: string
    readonly capabilities: Readonly<Record<string, unknown>>
    readonly clientInfo: { readonly name: string; readonly version: string }
  }
}

/** After a day a client begins again; clocks may be hours apart. */
const LASTS_MS = 24 * 3_600_000

export function sealSession(key: string, begun: Begun): string {
  const text = `${randomUUID()}.${Buffer.from(JSON.stringify(begun)).toString('base64url')}`
  return `${text}.${sealOf(key, text)}`
}

/** Undefined for what this key has not sealed, or too long ago. */
export function openSealed(key: string, id: string, now = Date.now()): Begun | undefined {
  const parts = id.split('.')
  if (parts.length !== 3) return undefined
  const seal = Buffer.from(parts[2]!)
  const expected = Buffer.from(sealOf(key, `${parts[0]}.${parts[1]}`))
  if (seal.length !== expected.length || !timingSafeEqual(seal, expected)) return undefined
  const begun = JSON.parse(Buffer.from(parts[1]!, 'base64url').toString()) as Begun
  return Math.abs(now - begun.begunAt) < LASTS_MS ? begun : undefined
}

/** A name alone is not enough: a token may have been made anew under it, with less. */
export function whoIs(caller: Caller | undefined): string {
  if (!caller) return ''
  const text = JSON.stringify([caller.principal, caller.may.toSorted()])
  return createHash('sha256').update(text).digest('base64url')
}

const LONGEST_NAME = 100
const LONGEST_CAPABILITIES = 1_000

/** What matters of it later, and no more than a header has room for. */
export function paramsOf(body: unknown): Begun['params'] {
  const { params } = body as { readonly params?: unknown }
  const { protocolVersion, capabilities, clientInfo } = recordOf(params)
  const { name, version } = recordOf(clientInfo)
  const able = recordOf(capabilities)
  return {
    protocolVersion: textOf(protocolVersion),
    capabilities: JSON.stringify(able).length > LONGEST_CAPABILITIES ? {} : able,
    clientInfo: { name: textOf(name), version: textOf(version) },
  }
}

function sealOf(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url')
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, LONGEST_NAME) : ''
}
