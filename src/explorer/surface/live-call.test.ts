import { expect, it } from 'vitest'
import { shortened } from './live-call.ts'

it.each([
  [{ query: 'what is AKIAIOSFODNN7EXAMPLE for?' }, '{"query":"what is [masked AWS key] for?"}'],
  [
    { api_key: 'abc', password: 'x', token: 'y' },
    '{"api_key":"[masked]","password":"[masked]","token":"[masked]"}',
  ],
  [
    { edits: [{ content: `ghp_${'a'.repeat(36)}` }] },
    '{"edits":[{"content":"[masked GitHub token]"}]}',
  ],
  [{ max_tokens: 5, query: 'tokens' }, '{"max_tokens":5,"query":"tokens"}'],
  [undefined, '{}'],
])('keeps no secret: %j', (args, expected) => {
  expect(shortened(args)).toBe(expected)
})

it('masks before it cuts, so that no half of a secret is left', () => {
  const cut = shortened({ content: `${'x'.repeat(180)} AKIAIOSFODNN7EXAMPLE and more` })
  expect(cut.length).toBe(201)
  expect(cut).not.toContain('AKIA')
})
