/** Reads `nexus.config.yaml`, so that a folder set up for NEXUS is served as it is. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { invalid, unsupported } from '../../../core/domain/error.ts'
import { NEXUS_DEFAULTS } from '../settings.ts'
import type { NexusSettings } from '../settings.ts'
import { loadConfig } from '../../../serve/config/load-config.ts'
import { readMapping } from '../../../serve/config/config-file.ts'
import type { ConfigInput, LoadedConfig } from '../../../serve/config/config.ts'
import { resolvePath } from '../../../serve/config/sources.ts'
import type { AnswererConfig } from '../../../serve/config/answerer.ts'
import { isTrusted, notTrusted } from '../../../serve/config/trust.ts'

export const NEXUS_FILE = 'nexus.config.yaml'
export const PASSWORD_ENV = 'NEXUS_PASSWORD'

export interface NexusPassword {
  readonly password: string
  /** What everybody may do without it. */
  readonly open: readonly ('read' | 'write')[]
}

export interface NexusConfig {
  readonly settings: NexusSettings
  /** Undefined: nobody is asked for a password. */
  readonly password: NexusPassword | undefined
  /** Web origins whose pages may call, beside those of the command line. */
  readonly allowedOrigins: readonly string[]
  /** Who is to write answers, where the settings of Cairn name nobody: see `loadBaseConfig`. */
  readonly provider?: AnswererConfig['provider']
}

export interface LoadedNexusConfig extends NexusConfig {
  readonly file: string | undefined
  readonly warnings: readonly string[]
}

const onOff = (usual: boolean) => z.boolean().default(usual)

/** Every group and key may be left out. Loose: layout, theme and navigation belong to the web page. */
const schema = z.looseObject({
  site: z.looseObject({ title: z.string().min(1).default(NEXUS_DEFAULTS.title) }).prefault({}),
  features: z
    .looseObject({
      mcp_server: onOff(true),
      search: onOff(true),
      ai_search: onOff(false),
      import_export: onOff(true),
    })
    .prefault({}),
  search: z
    .looseObject({
      ai: z
        .looseObject({
          enabled: onOff(false),
          provider: z.enum(['openai', 'anthropic', 'gemini']).default('openai'),
        })
        .prefault({}),
    })
    .prefault({}),
  mcp: z.looseObject({ enabled: onOff(true) }).prefault({}),
  auth: z
    .strictObject({
      mode: z.enum(['none', 'password', 'supabase']).optional(),
      permissions: z
        .strictObject({
          read: z.enum(['public', 'authenticated']).default('public'),
          write: z.enum(['public', 'authenticated']).default('authenticated'),
        })
        .prefault({}),
    })
    .prefault({}),
  nexus: z.looseObject({ allowedOrigins: z.array(z.string()).default([]) }).prefault({}),
})

type Values = z.output<typeof schema>

/**
 * The file that is named, else the one in the folder that is served, else the one in the working
 * directory. One that was merely found opens nothing and sends nothing anywhere.
 */
export async function loadNexusConfig(input: ConfigInput): Promise<LoadedNexusConfig> {
  const { file, values } = await readValues(input)
  const { features, search, mcp, auth, site, nexus } = values
  const ai = features.ai_search && search.ai.enabled
  const isOurs = file === undefined || input.configFile !== undefined || isTrusted(input, file)
  const unheard = [
    ...(nexus.allowedOrigins.length > 0 ? ['nexus.allowedOrigins'] : []),
    ...(auth.permissions.write === 'public' && input.env[PASSWORD_ENV]
      ? ['auth.permissions.write']
      : []),
    ...(ai ? ['search.ai.provider'] : []),
  ]
  return {
    file,
    warnings: isOurs || unheard.length === 0 ? [] : [notTrusted(file, unheard)],
    settings: {
      title: site.title,
      tools: features.mcp_server && mcp.enabled,
      search: features.search,
      ai,
      importExport: features.import_export,
    },
    password: resolvePassword(auth, input.env[PASSWORD_ENV], isOurs),
    allowedOrigins: isOurs ? nexus.allowedOrigins : [],
    ...(isOurs && { provider: search.ai.provider }),
  }
}

/**
 * The settings of the base itself. A model that this file alone names gets everything else from
 * them: an address that was set is meant, and nothing may go to another one.
 */
export async function loadBaseConfig(
  input: ConfigInput,
  { settings, provider }: NexusConfig,
): Promise<LoadedConfig> {
  const plain = await loadConfig(input)
  const named = plain.settings.find(({ key }) => key === 'answerer.provider')
  if (!settings.ai || !provider || named?.origin.kind !== 'default') return plain
  return loadConfig({ ...input, flags: { ...input.flags, answerer: provider } })
}

async function readValues(
  input: ConfigInput,
): Promise<{ file: string | undefined; values: Values }> {
  const file = findFile(input)
  if (file === undefined) return { file, values: schema.parse({}) }
  // It may say who is let in: what cannot be read must not be taken for everybody.
  const read = await readMapping(file, 'site: { title: Notes }')
  const result = schema.safeParse(withoutNulls(read))
  if (result.success) return { file, values: result.data }
  const [issue] = result.error.issues
  throw invalid(
    `${issue?.path.join('.')} cannot be used (${file}): ${issue?.message}.`,
    'Mend that setting, or leave it out.',
  )
}

function findFile({ configFile, cwd, home, folders }: ConfigInput): string | undefined {
  if (configFile !== undefined) {
    const named = resolvePath(configFile, cwd, home)
    if (existsSync(named)) return named
    throw invalid(`There is no file ${named}.`, 'Check --config.')
  }
  const places = [...folders.slice(0, 1).map((folder) => resolvePath(folder, cwd, home)), cwd]
  return places.map((place) => join(place, NEXUS_FILE)).find((file) => existsSync(file))
}

/** A key without a value means the same as no key. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== null)
      .map(([key, each]) => [key, withoutNulls(each)]),
  )
}

/** A mode that cannot be kept ends the start: without it, everybody would be let in. */
function resolvePassword(
  { mode, permissions }: Values['auth'],
  password: string | undefined,
  isOurs: boolean,
): NexusPassword | undefined {
  if (mode === 'supabase') {
    throw unsupported(
      'auth.mode supabase needs a Supabase project, which this server does not talk to.',
      `Use auth.mode password with ${PASSWORD_ENV}, or put a proxy that checks callers in front.`,
    )
  }
  // A password that is set is meant, whatever the file says.
  if (mode !== 'password' && !password) return undefined
  if (!password) {
    throw invalid(
      `auth.mode is password, and ${PASSWORD_ENV} is not set.`,
      `Start with ${PASSWORD_ENV}=… in the environment.`,
    )
  }
  const open = (['read', 'write'] as const).filter((need) => permissions[need] === 'public')
  return { password, open: isOurs ? open : open.filter((need) => need === 'read') }
}
