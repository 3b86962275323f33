import { expect, it } from 'vitest'
import { type GuardOptions, type RequestHeaders, createGuard } from './guard.ts'

function check(headers: RequestHeaders, passes: boolean, options: Partial<GuardOptions> = {}) {
  const guard = createGuard({ host: '127.0.0.1', ...options })
  expect([headers, guard.refusal(headers) === undefined]).toEqual([headers, passes])
}

it('knows loopback under all its names', () => {
  for (const name of ['localhost', 'LocalHost', 'localhost.', '127.0.0.1', '127.9.9.9', '[::1]']) {
    check({ host: name }, true)
    check({ host: `${name}:4040` }, true)
    check({ host: 'localhost', origin: `http://${name}:5173` }, true)
  }
})

it('refuses hosts that only look like it', () => {
  const others = [
    undefined,
    '',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil.example#localhost',
    'evil.example/localhost',
    'localhost:80:80',
    'localhost:port',
    '[::2]',
    '::1',
    '10.0.0.1',
    '0.0.0.0',
    '1270.0.0.1',
  ]
  for (const host of others) check({ host }, false)
})

it('lets pages of the same host and of allowed origins in', () => {
  const options = { allowedHosts: ['kb.example'], allowedOrigins: ['https://app.example:8443'] }
  check({ host: 'kb.example', origin: 'https://kb.example' }, true, options)
  check({ host: 'localhost', origin: 'https://app.example:8443' }, true, options)
  check({ host: 'localhost', origin: 'https://app.example' }, false, options)
  check({ host: 'localhost', origin: 'http://app.example:8443' }, false, options)
  check({ host: 'localhost', origin: 'file://' }, false, options)
  check({ host: 'localhost', origin: 'data:text/html,x' }, false, options)
  check({ host: 'localhost', origin: '' }, false, options)
})

it('answers to any address, but no foreign name, once remote clients are allowed', () => {
  const remote = { host: '0.0.0.0', allowRemote: true }
  check({ host: '10.0.0.5:4040' }, true, remote)
  check({ host: '[fe80::1]:4040' }, true, remote)
  check({ host: '10.0.0.5:4040', origin: 'http://10.0.0.5:4040' }, true, remote)
  check({ host: '10.0.0.5:4040', origin: 'http://10.0.0.6' }, false, remote)
  check({ host: 'evil.example' }, false, remote)
})

it('answers programs under every name, and without one, where any host may call', () => {
  const any = { host: '0.0.0.0', allowRemote: true, anyHost: true }
  for (const host of [undefined, 'kb.example', '10.0.0.5:80']) check({ host }, true, any)
  check({ host: '' }, false, any)
  check({ host: 'evil.example', origin: 'https://evil.example' }, false, any)
  check({ origin: 'https://evil.example' }, false, any)
})

it('reads answers only to origins that were named', () => {
  const guard = createGuard({ host: '127.0.0.1', allowedOrigins: ['https://app.example'] })
  expect(guard.mayRead('https://app.example')).toBe(true)
  expect(guard.mayRead('http://localhost:5173')).toBe(false)
})
