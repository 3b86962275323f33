/** Which `cairn.yaml` counts, and what does it say? */
import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { orElse } from '../../core/kit/or-else.ts'
import { invalid, quoted } from '../../core/domain/error.ts'
import type { KnowledgeError } from '../../core/domain/error.ts'
import { LONGEST_YAML_FILE, MOST_YAML_ALIASES, yamlTrouble } from '../../core/kit/yaml-limits.ts'
import type { ConfigInput } from './config.ts'
import { validate } from './schema.ts'
import type { Raw } from './schema.ts'
import { CONFIG_ENV, CONFIG_FILE } from './settings.ts'
import { parseSourceArgument, resolvePath } from './sources.ts'

/**
 * The file meant by name, else the one that lies with what is served: in the folder when a single
 * one is given (an MCP client starts us in a folder of its own choosing), else in the current one.
 */
export function findFile(input: ConfigInput, folders: readonly string[]): string | undefined {
  const named = namedFile(input)
  if (named !== undefined) {
    const file = resolvePath(named, input.cwd, input.home)
    if (!isFile(file)) throw missingConfigFile(file, input.configFile ? '--config' : CONFIG_ENV)
    return file
  }
  if (input.foundFile !== undefined) return input.foundFile
  const places = [input.standsIn ?? input.cwd]
  if (folders.length === 1) {
    const { path } = parseSourceArgument(folders[0]!)
    places.unshift(resolvePath(path, input.cwd, input.home))
  }
  return places.map((folder) => join(folder, CONFIG_FILE)).find(isFile)
}

export function namedFile({ configFile, env }: ConfigInput): string | undefined {
  return configFile ?? (env[CONFIG_ENV] || undefined)
}

function isFile(path: string): boolean {
  // A path through something that is no folder, or one we may not look into.
  return orElse(() => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false, false)
}

/** The file's content in the schema's words, with every path made absolute. */
export async function readFile(file: string, home: string): Promise<Raw> {
  const content = await readMapping(file, 'watch: false')
  const listed = content['sources']
  const raw: Raw = {
    ...content,
    ...(Array.isArray(listed) && {
      sources: listed.map((entry) =>
        typeof entry === 'string' ? parseSourceArgument(entry) : withShelf(entry),
      ),
    }),
    ...byName(content, 'embedding'),
    ...byName(content, 'answerer'),
  }
  const { sources, state, embedding } = validate(raw, () => file)
  const folder = dirname(file)
  const absolute = (path: string) => resolvePath(path, folder, home)
  return {
    ...raw,
    ...('sources' in raw && {
      sources: sources.map((source) => ({ ...source, path: absolute(source.path) })),
    }),
    ...(state !== undefined && { state: absolute(state) }),
    ...(embedding.modelPath !== undefined && {
      embedding: { ...(raw['embedding'] as Raw), modelPath: absolute(embedding.modelPath) },
    }),
  }
}

/** A source in the database has a name and no path. */
function withShelf(entry: unknown): unknown {
  if (!isMapping(entry) || entry['kind'] !== 'database' || 'path' in entry) return entry
  return typeof entry['name'] === 'string' ? { ...entry, path: `db:${entry['name']}` } : entry
}

/** Where the name of the provider is all there is to say, it may stand alone. */
function byName(content: Raw, key: string): Raw {
  const provider = content[key]
  return typeof provider === 'string' ? { [key]: { provider } } : {}
}

/** A YAML file that must hold a mapping; `example` shows one line of it. */
export async function readMapping(file: string, example: string): Promise<Raw> {
  if (statSync(file).size > LONGEST_YAML_FILE) {
    throw invalid(`${file} is longer than ${LONGEST_YAML_FILE} bytes.`, 'Shorten it.')
  }
  const { LineCounter, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(readFileSync(file, 'utf8'), { lineCounter: lines })
  const [error] = document.errors
  if (error) {
    const { line } = lines.linePos(error.pos[0])
    throw invalid(
      `${file}:${line} is not valid YAML: ${error.message.split('\n')[0]}`,
      'Mend that line.',
    )
  }
  let content: unknown
  try {
    content = document.toJS({ maxAliasCount: MOST_YAML_ALIASES }) ?? {}
  } catch (thrown) {
    throw invalid(`${file} cannot be read: ${yamlTrouble(thrown)}.`, 'Write out what it repeats.')
  }
  if (isMapping(content)) return content
  throw invalid(
    `${file} must be a mapping of settings.`,
    `Write "key: value" lines, such as "${example}".`,
  )
}

export function isMapping(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function missingConfigFile(file: string, named: string): KnowledgeError {
  return invalid(`There is no configuration file ${quoted(file)} (${named}).`, 'Check the path.')
}
