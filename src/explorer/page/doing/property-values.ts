/** What kind of value a property has, how it stands in a form, and what a form makes of it. */
export type Kind = 'text' | 'long' | 'number' | 'date' | 'moment' | 'list' | 'checkbox' | 'other'

export interface Field {
  /** As it is called in the note; none for one that is new. */
  readonly was?: string
  readonly name: string
  readonly kind: Kind
  /** As it stands in the form: `true` or nothing for a checkbox, one line each for a list. */
  readonly text: string
  /** As it was, where it was. */
  readonly value?: unknown
}

const DATE = /^\d{4}-\d{2}-\d{2}$/
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?$/

/** Whatever would not come out as it went in is shown and not edited. */
export function kindOf(value: unknown): Kind {
  if (value === null || value === undefined) return 'text'
  if (typeof value === 'boolean') return 'checkbox'
  if (typeof value === 'number') return 'number'
  if (Array.isArray(value)) return value.every(isSimple) ? 'list' : 'other'
  if (typeof value !== 'string') return 'other'
  if (isMasked(value)) return 'other'
  if (DATE.test(value)) return 'date'
  if (MOMENT.test(value)) return 'moment'
  return value.includes('\n') ? 'long' : 'text'
}

function isSimple(each: unknown): boolean {
  if (typeof each === 'number' || typeof each === 'boolean') return true
  return typeof each === 'string' && each.trim() === each && !/[\n\r]/.test(each) && !isMasked(each)
}

/** What is hidden from this caller must not be written back. */
function isMasked(text: string): boolean {
  return /\[masked [^\]]{1,40}\]/.test(text)
}

export function fieldsOf(properties: Readonly<Record<string, unknown>>): readonly Field[] {
  return Object.entries(properties).map(([name, value]) => {
    const kind = kindOf(value)
    return { was: name, name, kind, text: textOf(value, kind), value }
  })
}

function textOf(value: unknown, kind: Kind): string {
  if (value === null || value === undefined) return ''
  if (kind === 'list') return (value as readonly unknown[]).map(String).join('\n')
  if (kind === 'checkbox') return value === true ? 'true' : ''
  return kind === 'other' ? JSON.stringify(value) : String(value)
}

export interface Change {
  readonly renamed: readonly { readonly from: string; readonly to: string }[]
  /** `null` takes one away. */
  readonly metadata: Readonly<Record<string, unknown>>
}

/** What was changed in the form and nothing else; a sentence says what is wrong with it. */
export function changeOf(before: readonly Field[], after: readonly Field[]): Change | string {
  const names = after.map(({ name }) => name.trim())
  if (names.includes('')) return 'A property needs a name.'
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) return `There would be two properties “${twice}”.`
  const metadata: Record<string, unknown> = {}
  const kept = new Set(after.map(({ was }) => was))
  for (const { was } of before) if (was !== undefined && !kept.has(was)) metadata[was] = null
  const renamed: { from: string; to: string }[] = []
  for (const [at, field] of after.entries()) {
    const name = names[at]!
    const { was, kind, text } = field
    if (was !== undefined && was !== name) renamed.push({ from: was, to: name })
    const old = before.find((each) => each.was === was && was !== undefined)
    if (old?.text === text && old.kind === kind) continue
    const value = valueOf(field)
    if (value === undefined) return `“${name}” is no ${kind === 'number' ? 'number' : 'date'}.`
    metadata[name] = value
  }
  // The new one would be taken away with the old one of its name.
  const again = renamed.find(({ to }) => before.some(({ was }) => was === to))
  if (again) return `“${again.to}” has just got another name: save that first.`
  return { renamed, metadata }
}

/**
 * What was changed here, laid over what is there by now (three-way merge by name). What another has
 * taken away meanwhile, and was changed here, is new again: saving brings it back, and `gone` names it.
 */
export function laidOver(
  there: readonly Field[],
  before: readonly Field[],
  after: readonly Field[],
): { readonly fields: readonly Field[]; readonly gone: readonly string[] } {
  const old = byName(before)
  const own = byName(after)
  const isChanged = ({ was, name, text }: Field): boolean =>
    was !== undefined && (name.trim() !== was || old.get(was)?.text !== text)
  const isTaken = ({ was = '' }: Field): boolean => old.has(was) && !own.has(was)
  const stays = byName(there)
  const again = after.filter((each) => isChanged(each) && !stays.has(each.was ?? ''))
  return {
    fields: [
      ...there
        .filter((each) => !isTaken(each))
        .map((each) => {
          const mine = own.get(each.was ?? '')
          return mine && isChanged(mine) ? { ...mine, value: each.value } : each
        }),
      ...again.map(({ name, kind, text, value }) => ({
        name,
        kind,
        text,
        // A form has no other way to say it.
        ...(kind === 'other' && !isMasked(text) && { value }),
      })),
      ...after.filter(({ was }) => was === undefined),
    ],
    gone: again.map(({ was = '' }) => was),
  }
}

function byName(fields: readonly Field[]): ReadonlyMap<string, Field> {
  return new Map(fields.flatMap((each) => (each.was === undefined ? [] : [[each.was, each]])))
}

function valueOf({ kind, text, value }: Field): unknown {
  switch (kind) {
    case 'checkbox':
      return text === 'true'
    case 'number':
      return text.trim() === '' || !Number.isFinite(Number(text)) ? undefined : Number(text)
    case 'date':
      return DATE.test(text) ? text : undefined
    case 'moment':
      return MOMENT.test(text) ? text : undefined
    case 'list':
      return listOf(text, Array.isArray(value) ? value : [])
    case 'text':
    case 'long':
      return text
    case 'other':
      return value
    default:
      return kind satisfies never
  }
}

/** What was a number stays one. */
function listOf(text: string, before: readonly unknown[]): readonly unknown[] {
  const all = text.split('\n').map((each) => each.trim())
  const known = new Map(before.map((each) => [String(each), each]))
  const areNumbers = before.length > 0 && before.every((each) => typeof each === 'number')
  return all
    .filter((each) => each !== '')
    .map((each) =>
      known.has(each)
        ? known.get(each)
        : areNumbers && Number.isFinite(Number(each))
          ? Number(each)
          : each,
    )
}
