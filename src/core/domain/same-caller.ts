/** Whether two requests come from the same caller with the same rights. */
import type { Caller } from './caller.ts'

/** A name alone is not enough: a token may have been made anew under it, with less. */
export function isSameCaller(one: Caller | undefined, other: Caller | undefined): boolean {
  if (!one || !other) return one === other
  return (
    one.principal === other.principal &&
    one.sees === other.sees &&
    one.writes === other.writes &&
    one.may.length === other.may.length &&
    one.may.every((each) => other.may.includes(each))
  )
}
