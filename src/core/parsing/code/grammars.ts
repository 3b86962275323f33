/**
 * The grammars that read source files. They are a package of their own, larger than everything else
 * together, so that whoever has only notes need not install it. Loaded on first use, one grammar
 * at a time; without them code is read line by line (`scan-lines.ts`).
 */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { CodeLanguage } from '../../domain/code.ts'
import { grammarOf } from './queries.ts'

/** The package to install for better code search. */
export const GRAMMAR_PACKAGE = '@vscode/tree-sitter-wasm'

/** Only the parts that are used are described. */
interface Runtime {
  readonly Parser: (new () => TreeParser) & {
    init(options: { readonly wasmBinary: Uint8Array }): Promise<void>
  }
  readonly Language: { load(bytes: Uint8Array): Promise<object> }
  readonly Query: new (language: object, source: string) => TreeQuery
}

interface TreeParser {
  setLanguage(language: object): void
  parse(text: string, old: null, options: { readonly progressCallback: () => boolean }): Tree | null
  reset(): void
}

export interface Tree {
  readonly rootNode: TreeNode
  delete(): void
}

export interface TreeNode {
  readonly type: string
  readonly text: string
  readonly startIndex: number
  readonly endIndex: number
  readonly hasError: boolean
  readonly isError: boolean
  readonly isMissing: boolean
  readonly children: readonly (TreeNode | null)[]
}

export interface TreeQuery {
  matches(
    node: TreeNode,
  ): readonly { readonly captures: readonly { readonly name: string; readonly node: TreeNode }[] }[]
}

export interface Reader {
  /** The tree of a text; undefined when it takes too long. The caller deletes it. */
  parse(text: string): Tree | undefined
  readonly query: TreeQuery
}

/** No honest file of the size that is read takes a tenth of it. */
const LONGEST_MS = 10_000

let runtime: Promise<Runtime | undefined> | undefined
const loading = new Map<CodeLanguage, Promise<void>>()
const readers = new Map<CodeLanguage, Reader>()

/** Loads what a language needs. Without the package nothing is loaded, and that is no mistake. */
export function loadGrammar(language: CodeLanguage): Promise<void> {
  const known = loading.get(language)
  if (known) return known
  const load = openReader(language).then((reader) => {
    if (reader) readers.set(language, reader)
  })
  loading.set(language, load)
  return load
}

/** What reads a language, once it is loaded. */
export function readerOf(language: CodeLanguage): Reader | undefined {
  return readers.get(language)
}

let installed: { readonly version: string | undefined } | undefined

/** Which grammars would read a language; undefined where none would. Nothing is loaded for it. */
export function grammarVersion(language: CodeLanguage): string | undefined {
  installed ??= { version: installedVersion() }
  return grammarOf(language) && installed.version
}

function installedVersion(): string | undefined {
  try {
    const manifest = join(packageFolder(), '..', 'package.json')
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version?: unknown }
    return typeof version === 'string' ? version : 'installed'
  } catch {
    return undefined
  }
}

/** Whether the package is installed. */
export async function hasGrammars(): Promise<boolean> {
  runtime ??= openRuntime()
  return (await runtime) !== undefined
}

async function openReader(language: CodeLanguage): Promise<Reader | undefined> {
  const grammar = grammarOf(language)
  if (!grammar) return undefined
  runtime ??= openRuntime()
  const { Parser, Language, Query } = (await runtime) ?? {}
  if (!Parser || !Language || !Query) return undefined
  const file = await readFile(join(packageFolder(), `tree-sitter-${grammar.file}.wasm`))
  const loaded = await Language.load(file)
  const parser = new Parser()
  parser.setLanguage(loaded)
  return {
    query: new Query(loaded, grammar.query),
    parse(text) {
      const deadline = performance.now() + LONGEST_MS
      const progressCallback = () => performance.now() > deadline
      const tree = parser.parse(text, null, { progressCallback })
      // What was begun is not gone on with for the next file.
      if (!tree) parser.reset()
      return tree ?? undefined
    },
  }
}

const load = createRequire(import.meta.url)

function packageFolder(): string {
  return dirname(load.resolve(GRAMMAR_PACKAGE))
}

async function openRuntime(): Promise<Runtime | undefined> {
  let folder: string
  try {
    folder = packageFolder()
  } catch {
    return undefined
  }
  const found = load(GRAMMAR_PACKAGE) as Runtime
  await found.Parser.init({ wasmBinary: await readFile(join(folder, 'tree-sitter.wasm')) })
  return found
}
