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
    { type: 'integer', minimum: 1, maximum: max, description: `Default ${usual}` },
  )
}

/** How many links around a node to show with it. */
export const depth = field((value) => ((wholeNumber(value) ?? 0) >= 1 ? 1 : 0), {
  type: 'integer',
  minimum: 0,
  maximum: 1,
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
    { type: 'string', enum: names, description: `Default ${usual}` },
  )
}

const NO_TAGS = 'tags is required and must be a non-empty array'
const BAD_TAGS = 'tags must contain only strings'

export const requiredTags = z
  .array(z.string({ error: BAD_TAGS }), { error: NO_TAGS })
  .min(1, { error: NO_TAGS })

export function optionalTags(description: string) {
  return field<readonly string[] | undefined>(
    (value, refuse) => {
      if (value === undefined || value === null) return undefined
      if (!Array.isArray(value)) refuse('tags must be an array')
      else if (!value.every(isText)) refuse(BAD_TAGS)
      else return value
      return undefined
    },
    { type: 'array', items: { type: 'string' }, description },
  )
}

export function flag(usual: boolean, description: string) {
  return field(
    (value) => (value === undefined || value === null ? usual : value === true || value === 'true'),
    { type: 'boolean', description },
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
