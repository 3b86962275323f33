/** Reads `mcp-metadata.yaml`: who the server is, where its content stands, what its tools say. */
import { readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseAllDocuments, visit } from 'yaml'
import { z } from 'zod'
import { LONGEST_YAML_FILE, MOST_YAML_ALIASES, yamlTrouble } from '../domain/yaml-limits.ts'
import { cannotStart } from './acdc-settings.ts'

export interface AcdcMetadata {
  readonly server: {
    readonly name: string
    readonly version: string
    readonly instructions: string
  }
  readonly content: readonly {
    readonly name: string
    readonly description: string
    /** Absolute. */
    readonly path: string
  }[]
  /** Descriptions by tool that replace the usual ones. */
  readonly descriptions: ReadonlyMap<string, string>
  readonly warnings: readonly string[]
}

const TOOLS = ['search', 'read']

const filled = (what: string) =>
  z.string({ error: `${what} is required` }).refine((text) => text.trim() !== '', {
    error: `${what} is required`,
  })

/** It is a part of URIs and of prompt names. */
const SOURCE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/

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
        { error: 'content is required: a list of locations' },
      )
      .min(1, { error: 'content needs at least one location' }),
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

export function loadAcdcMetadata(file: string): AcdcMetadata {
  const { server, content, tools } = validated(read(file))
  const warnings: string[] = []
  const names = new Set<string>()
  for (const { name, description } of content) {
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
  const folder = dirname(resolve(file))
  return {
    server,
    content: content.map(({ name, description, path }) => ({
      name,
      description: description ?? '',
      path: located(name, resolve(folder, path)),
    })),
    descriptions,
    warnings,
  }
}

/** A location without its resources is a mistake in the path, more likely than not. */
function located(name: string, path: string): string {
  const resources = join(path, 'mcp-resources')
  if (statSync(resources, { throwIfNoEntry: false })?.isDirectory()) return path
  throw cannotStart(`content location '${name}': there is no directory ${resources}`)
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
