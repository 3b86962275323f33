/** The one schema: `cairn.yaml` is written in it, flags and environment are folded into it. */
import { z } from 'zod'
import { PERMISSIONS } from '../../core/domain/caller.ts'
import { invalid, quoted } from '../../core/domain/error.ts'
import type { KnowledgeError } from '../../core/domain/error.ts'
import { parseBytes, parseDuration } from '../../core/kit/amounts.ts'
import { didYouMean } from '../../core/kit/nearest.ts'
import { TOOLSET_NAMES } from '../door/toolsets.ts'
import {
  SURFACE_NAMES,
  TEXT_FORMS,
  LOG_LEVELS,
  LOG_FORMATS,
  EMBEDDING_PROVIDERS,
  ANSWERER_PROVIDERS,
} from './config.ts'
import { SETTINGS } from './settings.ts'
import { SOURCE_KINDS } from './sources.ts'

const text = z.string({ error: 'must be text' }).min(1, { error: 'must not be empty' })
const texts = z.array(text, { error: 'must be a list of texts' })
const onOff = z.boolean({ error: 'must be true or false' })
const choice = <Name extends string>(names: readonly Name[]) =>
  z.enum(names, {
    error: ({ input }) =>
      `must be ${oneOf(names)}${typeof input === 'string' ? `, not ${quoted(input)}` : ''}`,
  })

const port = 'must be a whole number from 0 to 65535'
const count = 'must be a whole number, at least 0'
const bytes = 'must be a whole number of bytes, at least 1'
const positive = 'must be a whole number, at least 1'
const length = 'must be a whole number from 1 to 4096'

/** What was wrong is not repeated: it may be a password or a key. */
const baseUrl = text.refine(isPlainUrl, {
  error: 'must be an http or https address without user name, password, "?" and "#"',
})

const variableName = z.string({ error: 'must be text' }).regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
  error: 'must be the name of an environment variable, never the key itself',
})

const embeddingSchema = z
  .strictObject(
    {
      provider: choice(EMBEDDING_PROVIDERS).default('corpus'),
      baseUrl: baseUrl.default('https://api.openai.com/v1'),
      model: text.default('text-embedding-3-small'),
      apiKeyEnv: variableName.default('OPENAI_API_KEY'),
      dimensions: z
        .int({ error: length })
        .min(1, { error: length })
        .max(4096, { error: length })
        .optional(),
      batch: z.int({ error: positive }).min(1, { error: positive }).default(64),
      timeoutMs: z.int({ error: positive }).min(1, { error: positive }).default(60_000),
      queryPrefix: z.string({ error: 'must be text' }).default(''),
      passagePrefix: z.string({ error: 'must be text' }).default(''),
      modelPath: text.optional(),
    },
    { error: `must be ${oneOf(EMBEDDING_PROVIDERS)}, or a mapping with "provider"` },
  )
  .prefault({})

const tokens = 'must be a whole number from 16 to 100000'

const answererSchema = z
  .strictObject(
    {
      provider: choice(ANSWERER_PROVIDERS).default('none'),
      model: text.optional(),
      baseUrl: baseUrl.optional(),
      apiKeyEnv: variableName.optional(),
      timeoutMs: z.int({ error: positive }).min(1, { error: positive }).default(15_000),
      maxTokens: z
        .int({ error: tokens })
        .min(16, { error: tokens })
        .max(100_000, { error: tokens })
        .default(2_000),
    },
    { error: `must be ${oneOf(ANSWERER_PROVIDERS)}, or a mapping with "provider"` },
  )
  .prefault({})

const ruleSchema = z
  .strictObject(
    {
      claim: text.optional(),
      value: z.union([text, texts], { error: 'must be text or a list of texts' }).optional(),
      may: z
        .array(choice(PERMISSIONS), { error: `must be a list of ${PERMISSIONS.join(', ')}` })
        .optional(),
      see: texts.default([]),
      hide: texts.default([]),
      write: texts.default([]),
    },
    { error: 'must be a mapping' },
  )
  .refine(({ claim, value }) => (claim === undefined) === (value === undefined), {
    error: 'must have both "claim" and "value", or neither to be about everybody',
  })

const accessSchema = z
  .strictObject(
    {
      anyone: onOff.default(false),
      signIn: onOff.default(false),
      issuer: baseUrl.optional(),
      audience: text.optional(),
      keysUrl: baseUrl.optional(),
      rules: z.array(ruleSchema, { error: 'must be a list of rules' }).default([]),
    },
    { error: 'must be a mapping' },
  )
  .prefault({})

const sourceSchema = z.strictObject(
  {
    name: text.optional(),
    path: text,
    kind: choice(SOURCE_KINDS).optional(),
    include: texts.default([]),
    exclude: texts.default([]),
    hidden: onOff.default(false),
  },
  { error: 'must be a path, or a mapping with "path"' },
)

const AGE = 'must be a time such as 90d or 1 year'
const SIZE = 'must be a size such as 500MB or 1GB'

const schema = z.strictObject({
  sources: z.array(sourceSchema, { error: 'must be a list of folders' }).default([]),
  state: text.optional(),
  store: text.optional(),
  surfaces: z
    .array(choice(SURFACE_NAMES), { error: 'must be a list of surface names' })
    .min(1, { error: 'must name at least one surface' })
    .default(['native']),
  http: z
    .strictObject(
      {
        host: text.default('127.0.0.1'),
        port: z
          .int({ error: port })
          .min(0, { error: port })
          .max(65535, { error: port })
          .default(7331),
        perMinute: z.int({ error: count }).min(0, { error: count }).default(0),
        atOnce: z.int({ error: positive }).min(1, { error: positive }).default(64),
        sessions: z.int({ error: positive }).min(1, { error: positive }).default(1_000),
        subscriptions: z.int({ error: positive }).min(1, { error: positive }).default(1_000),
        allowedHosts: texts.default([]),
        allowedOrigins: texts.default([]),
        trustedProxies: texts.default([]),
        publicUrl: z
          .url({ protocol: /^https?$/, error: 'must be an http or https address' })
          .optional(),
      },
      { error: 'must be a mapping' },
    )
    .prefault({}),
  tools: z
    .strictObject(
      {
        only: texts.default([]),
        sets: z
          .array(choice(TOOLSET_NAMES), { error: 'must be a list of sets of tools' })
          .default([]),
        exclude: texts.default([]),
      },
      { error: 'must be a mapping' },
    )
    .prefault({}),
  access: accessSchema,
  embedding: embeddingSchema,
  answerer: answererSchema,
  watch: onOff.default(true),
  readOnly: onOff.default(false),
  protect: texts.default([]),
  callSeconds: z.int({ error: positive }).min(1, { error: positive }).default(120),
  logFormat: choice(LOG_FORMATS).default('pretty'),
  tracing: z
    .strictObject({ endpoint: baseUrl.optional() }, { error: 'must be a mapping' })
    .prefault({}),
  web: onOff.default(true),
  chat: onOff.default(false),
  live: onOff.default(true),
  liveArguments: onOff.default(false),
  text: choice(TEXT_FORMS).default('auto'),
  governor: onOff.default(true),
  maxFileBytes: z
    .int({ error: bytes })
    .min(1, { error: bytes })
    .default(10 * 1024 * 1024),
  inbox: text.default('inbox'),
  history: z
    .strictObject(
      {
        keep: z
          .strictObject(
            {
              age: text
                .refine((age) => parseDuration(age) !== undefined, { error: AGE })
                .optional(),
              size: text
                .refine((size) => parseBytes(size) !== undefined, { error: SIZE })
                .default('1GB'),
            },
            { error: 'must be a mapping with "age" or "size"' },
          )
          .prefault({}),
      },
      { error: 'must be a mapping with "keep"' },
    )
    .prefault({}),
  logLevel: choice(LOG_LEVELS).default('info'),
})

/** As somebody wrote it, before it was checked. */
export type Raw = Record<string, unknown>

export type Values = z.infer<typeof schema>

/** The schema of `cairn.yaml` for editors, with a sentence on every setting that has one. */
export function configJsonSchema(): Readonly<Record<string, unknown>> {
  const json = z.toJSONSchema(schema, { io: 'input', target: 'draft-7' }) as JsonSchema
  for (const { key, summary } of SETTINGS) {
    const place = key.split('.').reduce<JsonSchema | undefined>(propertyOf, json)
    if (place) place.description = summary
  }
  const { sources, embedding, answerer, ...rest } = json.properties ?? {}
  // Where one word says it all, it may stand alone.
  const properties = {
    // What is in the database has a name and no path.
    sources: {
      ...sources,
      items: { anyOf: [{ type: 'string' }, { ...sources?.items, required: undefined }] },
    },
    ...rest,
    embedding: { anyOf: [{ enum: EMBEDDING_PROVIDERS }, embedding] },
    answerer: { anyOf: [{ enum: ANSWERER_PROVIDERS }, answerer] },
  }
  return { title: 'Settings of Cairn', ...json, properties }
}

interface JsonSchema {
  description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
}

function propertyOf(schema: JsonSchema | undefined, name: string): JsonSchema | undefined {
  return schema?.properties?.[name]
}

export function validate(raw: Raw, origin: (key: string) => string): Values {
  // Read once: code made for it would cost more than it saves.
  const result = schema.safeParse(raw, { jitless: true })
  if (result.success) return result.data
  const issue = result.error.issues[0]!
  const key = issue.path.join('.')
  if (issue.code === 'unrecognized_keys') throw unknownKey(issue.keys[0]!, issue.path, origin(key))
  throw invalid(
    `${key || 'The configuration'} ${issue.message} (${origin(key)}).`,
    'Run "cairn config show" to see what is set where.',
  )
}

/** Keys that may stand at a place of the file. Positions in lists (`sources.0`) do not matter. */
function keysAt(path: readonly PropertyKey[]): string[] {
  if (path[0] === 'sources') return Object.keys(sourceSchema.shape)
  if (path[0] === 'embedding') return Object.keys(embeddingSchema.def.innerType.shape)
  if (path[0] === 'answerer') return Object.keys(answererSchema.def.innerType.shape)
  if (path[0] === 'tools') return Object.keys(schema.shape.tools.def.innerType.shape)
  if (path[0] === 'access' && path[1] === 'rules') return Object.keys(ruleSchema.shape)
  if (path[0] === 'access') return Object.keys(accessSchema.def.innerType.shape)
  if (path[0] === 'tracing') return ['endpoint']
  if (path[0] === 'http') return Object.keys(schema.shape.http.def.innerType.shape)
  if (path[0] === 'history') return path.length > 1 ? ['age', 'size'] : ['keep']
  return Object.keys(schema.shape)
}

function unknownKey(key: string, path: readonly PropertyKey[], file: string): KnowledgeError {
  const valid = keysAt(path)
  const place = path.length > 0 ? ` in "${path.join('.')}"` : ''
  return invalid(
    `There is no setting ${quoted(key)}${place} (${file}).`,
    `${didYouMean(key, valid)}Valid here: ${valid.join(', ')}.`,
  )
}

function isPlainUrl(value: string): boolean {
  const url = URL.parse(value)
  if (!url || !/^https?:$/.test(url.protocol)) return false
  return url.username === '' && url.password === '' && !/[?#]/.test(value)
}

function oneOf(names: readonly string[]): string {
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}
