/**
 * Who the server is, where its content stands, and what its tools say: from `mcp-metadata.yaml` that
 * names locations; from one that stands in its content directory; from `.acdc/config.yaml`, where
 * that is since 0.8; or, without any, from the directory itself.
 */
import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { parseAllDocuments, visit } from 'yaml'
import { z } from 'zod'
import { LONGEST_YAML_FILE, MOST_YAML_ALIASES, yamlTrouble } from '../../../core/kit/yaml-limits.ts'
import { cannotStart } from './acdc-settings.ts'

export interface AcdcMetadata {
  readonly server: {
    readonly name: string
    readonly version: string
    readonly instructions: string
  }
  readonly content: readonly ContentLocation[]
  /** Whether it is one content directory, which needs no name in URIs. */
  readonly single: boolean
  /** Resources stand in folders of their own, or wherever the patterns find them. */
  readonly layout: 'locations' | 'repository'
  /** Descriptions by tool that replace the usual ones. */
  readonly descriptions: ReadonlyMap<string, string>
  readonly warnings: readonly string[]
}

export interface ContentLocation {
  readonly name: string
  readonly description: string
  /** Absolute. */
  readonly path: string
  readonly include: readonly string[]
  readonly exclude: readonly string[]
}

const TOOLS = ['search', 'read']

const filled = (what: string) =>
  z.string({ error: `${what} is required` }).refine((text) => text.trim() !== '', {
    error: `${what} is required`,
  })

/** It is a part of URIs and of prompt names. */
const SOURCE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/

const NO_CONTENT = 'content is required: a list of locations'

const patterns = (what: string) =>
  z.array(
    filled(what).refine((glob) => !isAbsolute(glob) && !glob.split('/').includes('..'), {
      error: `${what} must stay below the content directory`,
    }),
    { error: `${what} must be a list of patterns` },
  )

const schema = z.looseObject(
  {
    server: z.looseObject(
      {
        name: filled('server.name'),
        version: filled('server.version'),
        instructions: filled('server.instructions'),
      },
      { error: 'server is required' },
    ),
    content: z
      .array(
        z.looseObject(
          {
            name: filled('content.name').refine((name) => SOURCE_NAME.test(name), {
              error: 'content.name must be letters, digits, dots, hyphens and underscores',
            }),
            description: z.string({ error: 'content.description must be a text' }).nullish(),
            path: filled('content.path'),
          },
          { error: 'every entry of content needs name, description and path' },
        ),
        { error: NO_CONTENT },
      )
      .min(1, { error: 'content needs at least one location' })
      .nullish(),
    index: z
      .looseObject(
        {
          include: patterns('index.include').min(1, { error: 'index.include is required' }),
          exclude: patterns('index.exclude').nullish(),
        },
        { error: 'index must be a mapping with include' },
      )
      .nullish(),
    tools: z
      .array(
        z.looseObject(
          { name: filled('tools.name'), description: filled('tools.description') },
          { error: 'every entry of tools needs name and description' },
        ),
        { error: 'tools must be a list' },
      )
      .nullish(),
  },
  { error: 'it is not a mapping' },
)

type Manifest = z.output<typeof schema>

/** Of a config file, or of a folder: what lies there and is meant. */
export function loadAcdcMetadata(place: string, own: { readonly version: string }): AcdcMetadata {
  if (!isFolder(place)) return ofFile(place)
  const config = join(place, OWN_FOLDER, 'config.yaml')
  const old = join(place, 'mcp-metadata.yaml')
  const found = [config, old].filter((file) => statSync(file, { throwIfNoEntry: false }))
  if (found[0] === undefined) return withoutManifest(place, own.version)
  const metadata = ofFile(found[0])
  const unread = found.length > 1 ? [`${old} is not used, because ${config} is there`] : []
  return { ...metadata, warnings: [...metadata.warnings, ...unread] }
}

/** A content directory that was named so must be one. */
export function checkFolder(place: string): void {
  if (!isFolder(place)) throw cannotStart(`content directory not found: ${place}`)
}

function ofFile(file: string): AcdcMetadata {
  const manifest = validated(read(file))
  const { server, content, tools } = manifest
  const warnings: string[] = []
  const names = new Set<string>()
  for (const { name, description } of content ?? []) {
    if (names.has(name)) throw refused(`duplicate content name: ${name}`)
    names.add(name)
    if (!description) warnings.push(`content ${name} has no description`)
  }
  const descriptions = new Map<string, string>()
  for (const { name, description } of tools ?? []) {
    if (descriptions.has(name)) throw refused(`duplicate tool name: ${name}`)
    descriptions.set(name, description)
    if (!TOOLS.includes(name)) warnings.push(`there is no tool ${name}; its description is unused`)
  }
  if (!content) return { server, ...besideManifest(file, manifest), descriptions, warnings }
  const folder = dirname(resolve(file))
  return {
    server,
    content: content.map(({ name, description, path }) => ({
      name,
      description: description ?? '',
      ...located(name, resolve(folder, path)),
    })),
    single: false,
    layout: 'locations',
    descriptions,
    warnings,
  }
}

const OWN_FOLDER = '.acdc'
/** Prompts of a content directory, in both places they may stand. */
const PROMPTS = ['.acdc/prompts/**/*.{md,markdown}', 'mcp-prompts/**/*.{md,markdown}']
/** The one content directory among sources; no URI has it. */
const SOURCE = 'content'

/** The file stands in the directory that it is about. */
function besideManifest(
  file: string,
  { index }: Manifest,
): Pick<AcdcMetadata, 'content' | 'single' | 'layout'> {
  const folder = dirname(resolve(file))
  const isOwn = basename(folder) === OWN_FOLDER
  const path = isOwn ? dirname(folder) : folder
  if (index) {
    const include = [...index.include, ...PROMPTS]
    return oneDirectory('repository', { path, include, exclude: index.exclude ?? [] })
  }
  if (!isOwn && !isFolder(join(path, 'mcp-resources'))) throw refused(NO_CONTENT)
  const [resources, prompts] = isOwn
    ? ['.acdc/resources/**/*.{md,markdown}', PROMPTS[0]!]
    : ['mcp-resources/**/*.{md,markdown}', PROMPTS[1]!]
  return oneDirectory('locations', { path, include: [resources, prompts], exclude: [] })
}

/** What dependencies and builds leave behind is not the repository's own. */
const NOT_ITS_OWN = ['node_modules', 'vendor', 'dist', 'build', 'target', '.venv']

/** A repository as it is: its README and its documentation, unless it has resources after all. */
function withoutManifest(path: string, version: string): AcdcMetadata {
  const base = basename(resolve(path)) || 'Repository'
  const curated = ['.acdc/resources', 'mcp-resources'].find((each) => isFolder(join(path, each)))
  const include = curated
    ? [`${curated}/**/*.{md,markdown}`, ...PROMPTS]
    : ['README.md', 'docs/**/*.{md,markdown}', ...PROMPTS]
  return {
    server: {
      name: `${base} Documentation`,
      version,
      instructions: `What the repository ${base} says about itself: its README and the documents below docs/. Search them before you answer questions about its conventions, design and plans, and read what you find.`,
    },
    ...oneDirectory(curated ? 'locations' : 'repository', {
      path: resolve(path),
      include,
      exclude: NOT_ITS_OWN.map((name) => `**/${name}/**`),
    }),
    descriptions: new Map(),
    warnings: [`${path} has no .acdc/config.yaml; serving ${include.slice(0, -2).join(' and ')}`],
  }
}

function oneDirectory(
  layout: AcdcMetadata['layout'],
  place: Pick<ContentLocation, 'path' | 'include' | 'exclude'>,
): Pick<AcdcMetadata, 'content' | 'single' | 'layout'> {
  return { content: [{ name: SOURCE, description: '', ...place }], single: true, layout }
}

/** A location without its resources is a mistake in the path, more likely than not. */
function located(
  name: string,
  path: string,
): Pick<ContentLocation, 'path' | 'include' | 'exclude'> {
  if (isFolder(join(path, 'mcp-resources'))) {
    return { path, include: ['mcp-resources/**/*.md', 'mcp-prompts/**/*.md'], exclude: [] }
  }
  if (isFolder(join(path, '.acdc/resources'))) {
    return { path, include: ['.acdc/resources/**/*.md', '.acdc/prompts/**/*.md'], exclude: [] }
  }
  const resources = join(path, 'mcp-resources')
  throw cannotStart(`content location '${name}': there is no directory ${resources}`)
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function read(file: string): unknown {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    throw cannotStart(`failed to read metadata file: ${messageOf(error)}`)
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (text.length > LONGEST_YAML_FILE) {
      throw new Error(`it is longer than ${LONGEST_YAML_FILE} characters`)
    }
    return parse(text)
  } catch (error) {
    throw cannotStart(`failed to parse metadata: ${yamlTrouble(error).replace(/:$/, '')}`)
  }
}

const NOTHING = new Set(['', '~', 'null', 'Null', 'NULL'])

/**
 * Every scalar is the text its author wrote: `version: 1.0` is not the number 1, and a server may
 * be called 2024. What follows the first document is not looked at.
 */
function parse(text: string): unknown {
  const documents = parseAllDocuments(text, { schema: 'failsafe', logLevel: 'silent' })
  const document = Array.isArray(documents) ? documents[0] : undefined
  if (!document) return undefined
  const [error] = document.errors
  if (error) throw error
  visit(document, {
    Scalar(_, node) {
      if (node.type === 'PLAIN' && NOTHING.has(String(node.value))) node.value = null
    },
  })
  return document.toJS({ maxAliasCount: MOST_YAML_ALIASES })
}

function validated(content: unknown): z.output<typeof schema> {
  const result = schema.safeParse(content)
  if (result.success) return result.data
  throw refused(result.error.issues[0]?.message ?? 'it cannot be read')
}

function refused(why: string) {
  return cannotStart(`metadata validation failed: ${why}`)
}

function messageOf(error: unknown): string {
  const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  return first.replace(/:$/, '')
}
