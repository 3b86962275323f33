/**
 * How this surface reads arguments. Numbers may come as text, fractions are cut, what is no number
 * counts as left out; what is too large is made to fit. The JSON Schema says what is best sent.
 */
import { z } from 'zod'

/** Custom readers are opaque to JSON Schema, so each field says itself what it looks like. */
function field<Value>(
  read: (value: unknown, refuse: (message: string) => void) => Value,
  schema: Readonly<Record<string, unknown>>,
) {
  return z
    .unknown()
    .optional()
    .transform((value, context): Value => {
      return read(value, (message) => context.addIssue({ code: 'custom', message }))
    })
    .meta(schema)
}

export function requiredText(name: string, description: string) {
  const error = `${name} is required and must be a non-empty string`
  return z
    .string({ error })
    .refine((text) => text.trim() !== '', { error })
    .describe(description)
}

export function optionalText(name: string, description: string) {
  return field(
    (value, refuse) => {
      if (value === undefined || value === null) return undefined
      if (typeof value === 'string') return value
      refuse(`${name} must be a string`)
      return undefined
    },
    { type: 'string', description },
  )
}

export function limit(usual: number, max: number) {
  return count('limit', usual, max)
}

export function count(name: string, usual: number, max: number) {
  return field(
    (value, refuse) => {
      const given = wholeNumber(value) ?? usual
      if (given < 1) refuse(`${name} must be at least 1`)
      return Math.min(given, max)
    },
    { type: 'integer', minimum: 1, maximum: max, default: usual, description: `Default ${usual}` },
  )
}

/** How many links around a node to show with it. */
export const depth = field((value) => ((wholeNumber(value) ?? 0) >= 1 ? 1 : 0), {
  type: 'integer',
  minimum: 0,
  maximum: 1,
  default: 0,
  description: '1 adds the neighbors; default 0',
})

export function choice<Name extends string>(
  name: string,
  names: readonly [Name, ...Name[]],
  usual: Name,
) {
  return field(
    (value, refuse) => {
      const found = names.find((each) => each === (value ?? usual))
      if (!found) refuse(`${name} must be one of: ${names.join(', ')}`)
      return found ?? usual
    },
    { type: 'string', enum: names, default: usual, description: `Default ${usual}` },
  )
}

const NO_TAGS = 'tags is required and must be a non-empty array'
const BAD_TAGS = 'tags must contain only strings'

export const requiredTags = z
  .array(z.string({ error: BAD_TAGS }), { error: NO_TAGS })
  .min(1, { error: NO_TAGS })

export function optionalTags(description: string, usual?: readonly string[]) {
  return field<readonly string[] | undefined>(
    (value, refuse) => {
      if (value === undefined || value === null) return undefined
      if (!Array.isArray(value)) refuse('tags must be an array')
      else if (!value.every(isText)) refuse(BAD_TAGS)
      else return value
      return undefined
    },
    { type: 'array', items: { type: 'string' }, ...(usual && { default: usual }), description },
  )
}

export function requiredTexts(name: string, description: string) {
  const error = `${name} is required and must be a non-empty array`
  return z
    .array(z.string({ error: `${name} must contain only strings` }), { error })
    .min(1, { error })
    .max(MOST_NAMES, { error: `${name} must have at most ${MOST_NAMES} items` })
    .refine((given) => given.join('').length <= MOST_CHARACTERS, {
      error: `${name} must have at most ${MOST_CHARACTERS} characters together: ask in several calls`,
    })
    .describe(description)
}

/** Far more than anybody asks for at once. */
const MOST_NAMES = 1_000
/** An answer repeats the names. */
const MOST_CHARACTERS = 40_000

export function offset() {
  return field((value) => Math.max(0, wholeNumber(value) ?? 0), {
    type: 'integer',
    minimum: 0,
    default: 0,
    description: 'Skip so many; default 0',
  })
}

/** A share of one, such as how alike two names have to be. */
export function share(name: string, usual: number, description: string) {
  return field(
    (value, refuse) => {
      const given = number(value) ?? usual
      if (given < 0 || given > 1) refuse(`${name} must be between 0 and 1`)
      return given
    },
    { type: 'number', minimum: 0, maximum: 1, default: usual, description },
  )
}

export function flag(usual: boolean, description: string) {
  return field(
    (value) => (value === undefined || value === null ? usual : value === true || value === 'true'),
    { type: 'boolean', default: usual, description },
  )
}

export function optionalNumber(description: string) {
  return field((value) => number(value), { type: 'number', description })
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function wholeNumber(value: unknown): number | undefined {
  const given = number(value)
  return given === undefined ? undefined : Math.floor(given)
}

function number(value: unknown): number | undefined {
  const given = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof given === 'number' && Number.isFinite(given) ? given : undefined
}
