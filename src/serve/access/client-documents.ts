/**
 * Clients that say who they are in a document of their own (client id metadata documents): the id of
 * such a client is the address of its document. It is the one address of a stranger that is ever
 * fetched, so that is done narrowly: https, a public machine, no detour, a few kilobytes, a few
 * seconds, and few of them.
 */
import { lookup } from 'node:dns'
import { request } from 'node:https'
import { BlockList, isIP } from 'node:net'
import type { LookupFunction } from 'node:net'
import { BoundedMap } from '../../core/kit/bounded-map.ts'

export interface ClientDocument {
  readonly name: string
  readonly redirects: readonly string[]
}

export interface ClientDocuments {
  /** Undefined for whoever is no such client, or cannot be looked at now. */
  find(id: string, peer: string): Promise<ClientDocument | undefined>
}

export interface ClientDocumentsOptions {
  /** The text at an address; throws where there is none to be had. */
  readonly load?: (url: URL) => Promise<string>
  readonly now?: () => number
}

const KEPT_MS = 10 * 60_000
const MOST_BYTES = 32 * 1024
const LOAD_MS = 5_000
const MOST_LOADS = 10
const LOADS_MS = 60_000

export function openClientDocuments(options: ClientDocumentsOptions = {}): ClientDocuments {
  const { load = loadPublicly, now = Date.now } = options
  const kept = new BoundedMap<string, { readonly at: number; readonly found: ClientDocument }>(
    1_000,
  )
  const loads = new BoundedMap<string, readonly number[]>(10_000)
  return {
    async find(id, peer) {
      const url = documentAddress(id)
      if (!url) return undefined
      const known = kept.get(id)
      if (known && known.at > now() - KEPT_MS) return known.found
      const recent = (loads.get(peer) ?? []).filter((at) => at > now() - LOADS_MS)
      if (recent.length >= MOST_LOADS) return undefined
      loads.set(peer, [...recent, now()])
      try {
        const found = documentIn(JSON.parse(await load(url)), id)
        if (found) kept.set(id, { at: now(), found })
        return found
      } catch {
        return undefined
      }
    },
  }
}

/** Https, with a path, and nothing that would make two addresses of one. */
export function documentAddress(id: string): URL | undefined {
  const url = id.length <= 500 && id.startsWith('https://') ? URL.parse(id) : null
  if (!url || url.href !== id || url.pathname === '/') return undefined
  if (url.hash !== '' || url.search !== '' || url.username !== '' || url.password !== '')
    return undefined
  return isIP(url.hostname.replace(/^\[|\]$/g, '')) > 0 ? undefined : url
}

/** The document has to say the address that it was found at. */
function documentIn(value: unknown, id: string): ClientDocument | undefined {
  const said = value as Readonly<Record<string, unknown>> | null
  const redirects = said?.['redirect_uris']
  const usable =
    said?.['client_id'] === id &&
    Array.isArray(redirects) &&
    redirects.length > 0 &&
    redirects.length <= 20 &&
    redirects.every((each) => typeof each === 'string')
  if (!usable) return undefined
  const name = typeof said['client_name'] === 'string' ? said['client_name'] : new URL(id).hostname
  return { name: name.slice(0, 100), redirects: redirects as readonly string[] }
}

/** The address is checked where the connection is made, so that a name cannot change in between. */
function loadPublicly(url: URL): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const outgoing = request(
    url,
    {
      lookup: publicLookup,
      agent: false,
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(LOAD_MS),
    },
    (incoming) => {
      let text = ''
      if (incoming.statusCode !== 200) outgoing.destroy(new Error('it is not there'))
      incoming.setEncoding('utf8').on('data', (part: string) => {
        text += part
        if (text.length > MOST_BYTES) outgoing.destroy(new Error('it is too long'))
      })
      incoming.once('end', () => resolve(text))
      incoming.once('error', reject)
    },
  )
  outgoing.once('error', reject)
  outgoing.end()
  return promise
}

const publicLookup: LookupFunction = (name, options, done) => {
  lookup(name, { ...options, all: true }, (error, addresses) => {
    const found = error ? [] : addresses
    if (found.length > 0 && found.every(({ address }) => isPublic(address))) {
      if (options.all) done(null, found)
      else done(null, found[0]!.address, found[0]!.family)
    } else done(error ?? new Error('it is no public address'), '', 0)
  })
}

const INSIDE = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  INSIDE.addSubnet(network, bits, 'ipv4')
}

/** Of the newer kind only what is routed everywhere, and nothing that wraps an older one. */
export function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !INSIDE.check(address, 'ipv4')
  const [first = ''] = address.split(':')
  const number = Number.parseInt(first || '0', 16)
  return number >= 0x2000 && number < 0x4000 && !/^(?:2002|2001:0{0,3}:|64:ff9b)/i.test(address)
}
