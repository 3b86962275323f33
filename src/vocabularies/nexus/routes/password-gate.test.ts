import { expect, it } from 'vitest'
import { createPasswordGate } from './password-gate.ts'
import type { Need, PasswordGate } from './password-gate.ts'

function openGate(open: readonly Need[] = []) {
  const clock = { at: 1_000_000 }
  const options = { password: 'open sesame', open, now: () => clock.at }
  return { gate: fromOneAddress(createPasswordGate(options)), clock }
}

function fromOneAddress(gate: PasswordGate, peer = '10.0.0.1') {
  return {
    isKnown: (headers: Headers) => gate.isKnown(headers, peer),
    allows: (headers: Headers, need: Need) => gate.allows(headers, need, peer),
    login: (password: string, headers: Headers) => gate.login(password, headers, peer),
    logout: gate.logout,
  }
}

const none = new Headers()
const cookie = (text: string) => new Headers({ cookie: text })
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

function welcome(login: ReturnType<ReturnType<typeof openGate>['gate']['login']>): string {
  if (login.kind !== 'welcome') throw new Error(login.kind)
  return login.cookie
}

it('gives a session for a day', () => {
  const { gate, clock } = openGate()
  const set = welcome(gate.login('open sesame', none))
  expect(set).toMatch(
    /^nexus_auth_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=86400$/,
  )
  const session = cookie(`other=1; ${set.split(';')[0]}; more=2`)
  expect([gate.isKnown(session), gate.allows(session, 'write')]).toEqual([true, true])
  clock.at += 24 * 60 * 60 * 1000 - 1
  expect(gate.isKnown(session)).toBe(true)
  clock.at += 1
  expect(gate.isKnown(session)).toBe(false)
})

it('ends a session', () => {
  const { gate } = openGate()
  const session = cookie(welcome(gate.login('open sesame', none)).split(';')[0]!)
  expect(gate.logout(session)).toContain('nexus_auth_session=; Path=/; HttpOnly')
  expect(gate.isKnown(session)).toBe(false)
})

it('sends the cookie over HTTPS alone, behind a proxy that speaks it', () => {
  const { gate } = openGate()
  const proxied = new Headers({ 'x-forwarded-proto': 'https' })
  expect(welcome(gate.login('open sesame', proxied))).toMatch(/; Secure$/)
})

it.each<[string, boolean]>([
  ['Bearer open sesame', true],
  ['bearer  open sesame ', true],
  [basic('anyone:open sesame'), true],
  [basic(':open sesame'), true],
  ['Bearer open', false],
  ['Bearer', false],
  [basic('anyone:wrong'), false],
  ['Digest open sesame', false],
])('programs may send the password: %s is let in: %s', (authorization, expected) => {
  const { gate } = openGate()
  expect(gate.isKnown(new Headers({ authorization }))).toBe(expected)
})

it.each(['', 'nexus_auth_session=', 'nexus_auth_session=x', 'xnexus_auth_session=y', ';;=;'])(
  'knows nobody by %j',
  (text) => {
    expect(openGate().gate.isKnown(cookie(text))).toBe(false)
  },
)

it('lets everybody do what is open', () => {
  const { gate } = openGate(['read'])
  expect([gate.allows(none, 'read'), gate.allows(none, 'write')]).toEqual([true, false])
})

it('stops listening after ten wrong passwords, for a minute, and keeps its sessions', () => {
  const { gate, clock } = openGate()
  const session = cookie(welcome(gate.login('open sesame', none)).split(';')[0]!)
  for (let tries = 0; tries < 10; tries++) {
    const wrong = new Headers({ authorization: 'Bearer wrong' })
    if (tries % 2) expect(gate.login('wrong', none).kind).toBe('wrong')
    else expect(gate.isKnown(wrong)).toBe(false)
    clock.at += 1_000
  }
  expect(gate.login('open sesame', none)).toEqual({ kind: 'wait', seconds: 50 })
  expect(gate.isKnown(new Headers({ authorization: 'Bearer open sesame' }))).toBe(false)
  expect(gate.isKnown(session)).toBe(true)
  clock.at += 50_000
  expect(gate.login('open sesame', none).kind).toBe('welcome')
})

it('knows a password with letters of every script in a header, which arrives as bytes', () => {
  const gate = fromOneAddress(createPasswordGate({ password: 'pässwörd 茶', open: [] }))
  const bytes = Buffer.from('pässwörd 茶').toString('latin1')
  expect(gate.isKnown(new Headers({ authorization: `Bearer ${bytes}` }))).toBe(true)
  expect(gate.isKnown(new Headers({ authorization: basic('me:pässwörd 茶') }))).toBe(true)
  expect(gate.isKnown(new Headers({ authorization: 'Bearer pässwörd' }))).toBe(false)
})
