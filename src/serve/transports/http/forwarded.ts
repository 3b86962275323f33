/**
 * Who sent a request, and to which address of ours? Behind a proxy that the operator named, what it
 * says (`X-Forwarded-For`, `-Proto`, `-Host`) counts: the client is the rightmost address that is no
 * named proxy. From anybody else these headers are words of a stranger and are not looked at.
 */
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { invalid, quoted } from '../../../core/domain/error.ts'
import type { Sender } from './mount.ts'

export interface ForwardedOptions {
  /** Addresses, and networks such as `10.0.0.0/8`. */
  readonly trustedProxies?: readonly string[]
  /** Scheme and host under which all clients come, where there is one. */
  readonly publicUrl?: string
}

export interface Forwarded {
  senderOf(incoming: IncomingMessage): Omit<Sender, 'caller'>
  /** The host that the client asked for. */
  hostOf(incoming: IncomingMessage): string | undefined
}

/** Of a chain that is longer, only the last ones are looked at. */
const MOST_HOPS = 20

export function createForwarded({ trustedProxies = [], publicUrl }: ForwardedOptions): Forwarded {
  const trusted = proxyList(trustedProxies)
  const isTrusted = (address: string): boolean =>
    trusted !== undefined && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

  const clientOf = (incoming: IncomingMessage): string => {
    let client = plainAddress(incoming.socket.remoteAddress ?? '') ?? ''
    if (client === '' || !isTrusted(client)) return client
    const hops = listIn(incoming, 'x-forwarded-for').slice(-MOST_HOPS)
    for (const hop of hops.toReversed()) {
      const address = plainAddress(hop)
      // What is no address was not written by a proxy of ours.
      if (address === undefined) return client
      client = address
      if (!isTrusted(client)) return client
    }
    return client
  }
  const said = (incoming: IncomingMessage, name: string): string | undefined => {
    const address = plainAddress(incoming.socket.remoteAddress ?? '')
    // The last one is what the proxy in front of us says.
    return address !== undefined && isTrusted(address) ? listIn(incoming, name).at(-1) : undefined
  }
  const hostOf = (incoming: IncomingMessage): string | undefined =>
    said(incoming, 'x-forwarded-host') ?? incoming.headers.host
  return {
    hostOf,
    senderOf(incoming) {
      const scheme = said(incoming, 'x-forwarded-proto') === 'https' ? 'https' : 'http'
      const asked = `${scheme}://${hostOf(incoming)}`
      return { peer: networkOf(clientOf(incoming)), asked, origin: publicUrl ?? asked }
    },
  }
}

function proxyList(texts: readonly string[]): BlockList | undefined {
  if (texts.length === 0) return undefined
  const list = new BlockList()
  for (const text of texts) {
    const [address = '', bits, ...rest] = text.split('/')
    const version = isIP(address)
    const most = version === 4 ? 32 : 128
    const length = bits === undefined ? most : Number(bits)
    const isLength = bits === undefined || (/^\d{1,3}$/.test(bits) && length <= most)
    if (version === 0 || rest.length > 0 || !isLength) throw noProxy(text)
    list.addSubnet(address, length, version === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}

function listIn({ headers }: IncomingMessage, name: string): string[] {
  return String(headers[name] ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

/** Without a port and without the newer way to write an older address; undefined for what is none. */
function plainAddress(text: string): string | undefined {
  const inside = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1]
  const address = (inside ?? text).replace(/%.*$/, '').replace(/^::ffff:(?=[\d.]+$)/i, '')
  return isIP(address) > 0 ? address : undefined
}

/** Whose it is: an address, or the network of one that has many (IPv6), written in one way. */
function networkOf(address: string): string {
  if (isIP(address) !== 6 || address === '::1') return address
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const [first, last] = [head, tail ?? ''].map((part) => (part === '' ? [] : part.split(':')))
  const zeros = tail === undefined ? 0 : 8 - first!.length - last!.length
  return [...first!, ...Array.from({ length: zeros }, () => '0'), ...last!].slice(0, 4).join(':')
}

function noProxy(text: string) {
  return invalid(
    `${quoted(text)} is no address of a proxy (http.trustedProxies).`,
    'Write addresses such as 10.0.0.7, or networks such as 10.0.0.0/8.',
  )
}
