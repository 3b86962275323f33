import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { createForwarded } from './forwarded.ts'

const PROXIES = ['10.0.0.0/8', '192.168.1.7', '2001:db8:1::/48']

function request(from: string, headers: Record<string, string> = {}): IncomingMessage {
  const about = { socket: { remoteAddress: from }, headers: { host: 'inside:7331', ...headers } }
  return about as unknown as IncomingMessage
}

it.each([
  // Nobody in between, or nobody who is trusted.
  ['203.0.113.9', undefined, '203.0.113.9'],
  ['203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['::ffff:203.0.113.9', '198.51.100.1', '203.0.113.9'],
  // One proxy, two proxies, and a client that says it is one.
  ['10.1.2.3', '203.0.113.9', '203.0.113.9'],
  ['::ffff:10.1.2.3', '203.0.113.9', '203.0.113.9'],
  ['10.1.2.3', '203.0.113.9, 192.168.1.7', '203.0.113.9'],
  ['10.1.2.3', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
  ['10.1.2.3', '10.9.9.9, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
  ['192.168.1.8', '203.0.113.9', '192.168.1.8'],
  // Ports, and the newer kind of address, of which a network is one.
  ['10.1.2.3', '203.0.113.9:51000', '203.0.113.9'],
  ['10.1.2.3', '[2001:db8:2:3::5]:443', '2001:db8:2:3'],
  ['2001:db8:1::1', '2001:db8:2:0:1::5', '2001:db8:2:0'],
  ['2001:db8::5', undefined, '2001:db8:0:0'],
  ['2001:db8::6:5', undefined, '2001:db8:0:0'],
  ['fe80::1%eth0', undefined, 'fe80:0:0:0'],
  ['::1', undefined, '::1'],
  // Nonsense, and only proxies.
  ['10.1.2.3', 'unknown', '10.1.2.3'],
  ['10.1.2.3', '203.0.113.9, evil', '10.1.2.3'],
  ['10.1.2.3', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
  ['10.1.2.3', '', '10.1.2.3'],
])('from %s with %j comes %s', (from, chain, peer) => {
  const { senderOf } = createForwarded({ trustedProxies: PROXIES })
  const asked = chain === undefined ? request(from) : request(from, { 'x-forwarded-for': chain })
  expect(senderOf(asked).peer).toBe(peer)
})

it('believes a proxy about scheme and host, and nobody else', () => {
  const { senderOf, hostOf } = createForwarded({ trustedProxies: PROXIES })
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'kb.example' }
  const proxied = request('10.1.2.3', headers)
  expect([senderOf(proxied).origin, hostOf(proxied)]).toEqual(['https://kb.example', 'kb.example'])
  const stranger = request('203.0.113.9', headers)
  expect([senderOf(stranger).origin, hostOf(stranger)]).toEqual([
    'http://inside:7331',
    'inside:7331',
  ])
  const fixed = createForwarded({ publicUrl: 'https://other.example' }).senderOf(stranger)
  expect([fixed.origin, fixed.asked]).toEqual(['https://other.example', 'http://inside:7331'])
})

it.each(['proxy.example', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/x', '', '1.2.3'])(
  'refuses to trust %j',
  (text) => {
    expect(() => createForwarded({ trustedProxies: [text] })).toThrow('no address of a proxy')
  },
)
