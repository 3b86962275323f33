/**
 * A tool is a row: a schema that reads the outside world into values, one operation to run, and a
 * presenter that puts the result into this surface's words. The rest follows from the row.
 */
import { z } from 'zod'
import type { Permission } from '../../core/domain/caller.ts'
import { invalid, quoted } from '../../core/domain/error.ts'
import type { Knowledge } from '../../core/operations/view/knowledge.ts'
import type { View } from '../../core/operations/view/view.ts'
import type { Lasting } from './kept-replies.ts'
import type { CallContext, ObjectSchema, ShownPicture, ToolDefinition } from './surface.ts'

export type Access = 'read' | 'write' | 'delete' | 'maintain'

/** What not every base has. A tool that needs it is hidden where it is missing. */
export type Need = 'embedder' | 'answerer' | 'graph'

/** What clients are told about a tool. */
export interface ToolDescription {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly access: Access
  /** Whether it may take away or write over what is there, and not only add; so does all that deletes. */
  readonly destroys?: boolean
  readonly needs?: readonly Need[]
  readonly input: z.ZodObject
  readonly output: z.ZodObject
  /** Arguments for programs and rare cases: taken and documented, and not announced to models. */
  readonly rare?: readonly string[]
}

/** `Subject` is what the tools of a surface work on, `Shown` what it puts on the wire. */
export interface ToolRow<
  Input extends z.ZodObject = z.ZodObject,
  Subject = View,
  Result = any,
  Shown = Readonly<Record<string, unknown>>,
> extends ToolDescription {
  readonly input: Input
  readonly run: (subject: Subject, input: z.output<Input>, call: CallContext) => Promise<Result>
  readonly present: (result: Result, input: z.output<Input>) => Shown
  /** What a model reads, where that is not simply what programs read. */
  readonly text?: (result: Result, input: z.output<Input>) => string
  /** Tokens that were not repeated because the client has seen them. */
  readonly saved?: (result: Result) => number
  /** What a model sees besides. */
  readonly pictures?: (result: Result) => readonly ShownPicture[] | undefined
  /** Of a result that may be given again, and of a call that keeps it. */
  readonly lasting?: (result: Result) => Lasting | undefined
  /** Says nothing of documents, so it need not wait for them. */
  readonly unindexed?: boolean
}

/** Lets each row of a surface keep the types of its own input and result. */
export function rowsOf<Subject, Shown>() {
  return <Input extends z.ZodObject, Result>(
    row: ToolRow<Input, Subject, Result, Shown>,
  ): ToolRow<z.ZodObject, Subject, any, Shown> =>
    row as unknown as ToolRow<z.ZodObject, Subject, any, Shown>
}

export const tool = rowsOf<View, Readonly<Record<string, unknown>>>()
export type NativeRow = ReturnType<typeof tool>

/** What a caller must be allowed to do. */
export function permissionFor({ access }: Pick<ToolDescription, 'access'>): Permission {
  return access === 'delete' ? 'write' : access
}

/** Whether a base has everything a tool needs, and may be changed if that is what it does. */
export function isOffered(
  { access, needs = [] }: Pick<ToolDescription, 'access' | 'needs'>,
  {
    similar,
    answerer,
    writing,
    sources,
  }: Pick<Knowledge, 'similar' | 'answerer' | 'writing' | 'sources'>,
): boolean {
  const has = {
    embedder: similar !== undefined,
    answerer: answerer !== undefined,
    graph: [...sources.values()].some(({ graph }) => graph !== undefined),
  } satisfies Record<Need, boolean>
  return needs.every((need) => has[need]) && (access === 'read' || writing !== undefined)
}

export function definitionOf(row: ToolDescription): ToolDefinition & { readonly title: string } {
  const { annotations, ...call } = callOf(row)
  return { ...call, outputSchema: schemaOf(row.output), annotations }
}

/** The same without what it replies: a schema takes a while to make, and not every client is told. */
export function callOf(row: ToolDescription) {
  return {
    name: row.name,
    title: row.title,
    description: row.description,
    inputSchema: schemaOf(row.input),
    // None is idempotent, which the protocol assumes where nothing is said.
    annotations: {
      readOnlyHint: row.access === 'read',
      destructiveHint: row.destroys ?? row.access === 'delete',
      openWorldHint: false,
    },
  }
}

export function schemaOf(schema: z.ZodObject): ObjectSchema {
  const json = z.toJSONSchema(schema, { io: 'input', override: keepDefault }) as Record<
    string,
    unknown
  >
  // The dialect is the protocol's default, and every tool would repeat it.
  delete json['$schema']
  return strip(json) as ObjectSchema
}

/** A field that reads for itself says what it takes for granted; zod would leave that out. */
function keepDefault({
  zodSchema,
  jsonSchema,
}: {
  readonly zodSchema: z.core.$ZodTypes
  readonly jsonSchema: z.core.JSONSchema.BaseSchema
}): void {
  const usual = z.globalRegistry.get(zodSchema)?.['default']
  if (usual !== undefined) jsonSchema.default = usual as z.core.JSONSchema.BaseSchema['default']
}

/**
 * What a schema need not say: bounds of JavaScript's integers, and which other properties are
 * allowed. An unknown argument is refused with the names of the known ones.
 */
function says(key: string, value: unknown): boolean {
  if (value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER) return true
  if (key === 'propertyNames') return true
  if (key === 'properties' && isEmpty(value)) return true
  return key === 'additionalProperties' && (value === false || isEmpty(value))
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, each]) => !says(key, each))
      .map(([key, each]) => [key, strip(each)]),
  )
}

/** Reads named arguments with some leniency. Throws `invalid` with the names there are. */
export function readArguments(row: ToolDescription, args: unknown): Record<string, unknown> {
  const given = args ?? {}
  if (typeof given !== 'object' || Array.isArray(given)) {
    throw invalid('The arguments are not an object.', `Call ${row.name} with named arguments.`)
  }
  const result = row.input.safeParse(lenient(row.input, given as Record<string, unknown>))
  if (result.success) return result.data
  const names = Object.keys(row.input.shape)
  const problems = result.error.issues.slice(0, 5).map((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return `unknown argument ${issue.keys.slice(0, 5).map(quoted).join(', ')}`
    }
    const where = issue.path.join('.')
    return where === '' ? issue.message : `${where}: ${issue.message}`
  })
  throw invalid(
    `${row.name} cannot be called like this: ${problems.join('; ')}.`,
    `Its arguments are: ${names.join(', ')}.`,
  )
}

/** Models write `"10"` for 10 and `"a"` for `["a"]`; the meaning is plain, so it is accepted. */
function lenient(
  schema: z.ZodObject,
  args: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  let types = TYPES.get(schema)
  if (!types) TYPES.set(schema, (types = typesOf(schema)))
  return Object.fromEntries(
    Object.entries(args)
      // An argument that is spelled out as null was meant to be left out.
      .filter(([, value]) => value !== null)
      .map(([name, value]) => {
        const type = types.get(name)
        if (typeof value !== 'string') return [name, value]
        if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(value)) {
          return [name, Number(value)]
        }
        if (type === 'boolean' && (value === 'true' || value === 'false')) {
          return [name, value === 'true']
        }
        return [name, type === 'array' ? [value] : value]
      }),
  )
}

/** Cache: the JSON type of every argument, with its schema, because every call asks. */
const TYPES = new WeakMap<z.ZodObject, ReadonlyMap<string, unknown>>()

function typesOf(schema: z.ZodObject): ReadonlyMap<string, unknown> {
  const properties = z.toJSONSchema(schema, { io: 'input' }).properties ?? {}
  return new Map(
    Object.entries(properties).map(([name, property]) => [
      name,
      typeof property === 'object' ? property.type : undefined,
    ]),
  )
}
