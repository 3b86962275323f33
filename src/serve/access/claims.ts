/**
 * What may the holder of somebody else's token do and see? Claims of the token (groups, roles) are
 * mapped to the rules that tokens of the base have. Of several rules the first that fits counts.
 */
import type { Caller, Permission } from '../../core/domain/caller.ts'
import { PERMISSIONS } from '../../core/domain/caller.ts'
import { callerFor } from './grant.ts'
import type { Grant } from './grant.ts'

export interface ClaimRule extends Omit<Grant, 'may'> {
  /** Name of a claim, such as `groups` or `realm_access.roles`; everybody fits without. */
  readonly claim?: string | undefined
  /** One of these has to stand in it. */
  readonly values: readonly string[]
  /** What those who fit may do; as the scopes of the token say unless given. */
  readonly may?: readonly Permission[] | undefined
}

type Claims = Readonly<Record<string, unknown>>

export function callerWithClaims(
  principal: string,
  claims: Claims,
  rules: readonly ClaimRule[],
): Caller {
  const scopes = permissionsIn(claims)
  if (rules.length === 0) return { principal, may: scopes }
  const rule = rules.find((each) => fits(claims, each))
  // Whom no rule is about may do nothing.
  if (!rule) return { principal, may: [] }
  return callerFor(principal, { ...rule, may: allowedBy(rule, scopes) })
}

/** A client that asked for less than its user may do gets less; some issuers know no such scopes. */
function allowedBy({ may }: ClaimRule, scopes: readonly Permission[]): readonly Permission[] {
  if (!may) return scopes
  return scopes.length === 0 ? may : may.filter((each) => scopes.includes(each))
}

/** `scope` is a text with spaces, `scp` a list or a text. */
function permissionsIn(claims: Claims): readonly Permission[] {
  const words = wordsIn(claims['scope'] ?? claims['scp'])
  return PERMISSIONS.filter((each) => words.includes(each))
}

function fits(claims: Claims, { claim, values }: ClaimRule): boolean {
  if (claim === undefined) return true
  const said = claimIn(claims, claim)
  const words = typeof said === 'string' ? [said, ...wordsIn(said)] : wordsIn(said)
  return values.some((value) => words.includes(value))
}

/** By its name as it is, which may be an address, or step by step from dot to dot. */
function claimIn(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  return name.split('.').reduce<unknown>((value, part) => {
    const isMapping = typeof value === 'object' && value !== null && Object.hasOwn(value, part)
    return isMapping ? (value as Claims)[part] : undefined
  }, claims)
}

function wordsIn(claim: unknown): readonly string[] {
  if (Array.isArray(claim)) return claim.filter((each) => typeof each === 'string')
  return typeof claim === 'string' ? claim.split(' ') : []
}
