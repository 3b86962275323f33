import { expect, it } from 'vitest'
import { callerWithClaims, type ClaimRule } from './claims.ts'

function rule(own: Partial<ClaimRule>): ClaimRule {
  return { values: [], see: [], hide: [], ...own }
}

const RULES = [
  rule({ claim: 'groups', values: ['staff', 'board'], hide: ['notes/pay'] }),
  rule({ claim: 'realm_access.roles', values: ['editor'], may: ['read', 'write'] }),
  rule({ claim: 'https://example.org/roles', values: ['guest'], see: ['docs'], may: ['read'] }),
]

const PAY = { source: 'notes', path: 'pay/mara.md' }
const DOC = { source: 'docs', path: 'tea.md' }

it.each<[string, object, readonly string[], boolean, boolean]>([
  // Claims, what they allow, and whether the two places are seen.
  ['a group', { groups: ['x', 'staff'], scope: 'read' }, ['read'], false, true],
  [
    'another value of it',
    { groups: ['board'], scope: 'read write' },
    ['read', 'write'],
    false,
    true,
  ],
  ['a group as a text', { groups: 'staff x', scope: 'read' }, ['read'], false, true],
  ['a role below', { realm_access: { roles: ['editor'] } }, ['read', 'write'], true, true],
  [
    'less scope than role',
    { realm_access: { roles: ['editor'] }, scope: 'read' },
    ['read'],
    true,
    true,
  ],
  [
    'scopes of others',
    { realm_access: { roles: ['editor'] }, scope: 'openid' },
    ['read', 'write'],
    true,
    true,
  ],
  [
    'more scope than role',
    { 'https://example.org/roles': 'guest', scp: ['read', 'write'] },
    ['read'],
    false,
    true,
  ],
  ['the first of two', { groups: ['staff'], realm_access: { roles: ['editor'] } }, [], false, true],
  ['no rule', { groups: ['other'], scope: 'read write maintain' }, [], true, true],
  ['no claims', {}, [], true, true],
  ['nonsense', { groups: { staff: true }, realm_access: 'editor', scope: 7 }, [], true, true],
  ['another case', { groups: ['Staff'], scope: 'read' }, [], true, true],
])('maps %s', (_, claims, may, pay, doc) => {
  const caller = callerWithClaims('ann@login', claims as Record<string, unknown>, RULES)
  expect([caller.principal, caller.may]).toEqual(['ann@login', may])
  expect([caller.sees?.(PAY) ?? true, caller.sees?.(DOC) ?? true]).toEqual([pay, doc])
})

it('has a rule for everybody else where the last one names no claim', () => {
  const rules = [...RULES, rule({ see: ['docs'], may: ['read'] })]
  const caller = callerWithClaims('ann', { scope: 'read write' }, rules)
  expect([caller.may, caller.sees?.(PAY), caller.sees?.(DOC)]).toEqual([['read'], false, true])
})

it('goes by scopes alone where there are no rules', () => {
  expect(callerWithClaims('ann', { scope: 'openid read' }, [])).toEqual({
    principal: 'ann',
    may: ['read'],
  })
})

it('gives the same functions to everybody with the same rule', () => {
  const claims = { groups: ['staff'] }
  const [one, other] = ['ann', 'bob'].map((name) => callerWithClaims(name, claims, RULES))
  expect(one!.sees).toBe(other!.sees)
})
