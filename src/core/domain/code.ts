/** Source files: in which language, and what they define. */
import { extensionOf, lastSegment } from '../kit/paths.ts'

/** Languages by the endings of their files, without the dot. */
const EXTENSIONS = {
  python: ['py', 'pyi'],
  typescript: ['ts', 'mts', 'cts'],
  tsx: ['tsx'],
  javascript: ['js', 'jsx', 'mjs', 'cjs'],
  go: ['go'],
  rust: ['rs'],
  java: ['java'],
  csharp: ['cs'],
  cpp: ['c', 'h', 'cc', 'cpp', 'cxx', 'hh', 'hpp', 'hxx'],
  ruby: ['rb'],
  php: ['php'],
  bash: ['sh', 'bash'],
  proto: ['proto'],
} as const satisfies Record<string, readonly string[]>

export type CodeLanguage = keyof typeof EXTENSIONS

export const CODE_LANGUAGES = Object.keys(EXTENSIONS) as readonly CodeLanguage[]

const BY_EXTENSION = new Map<string, CodeLanguage>(
  CODE_LANGUAGES.flatMap((language) =>
    EXTENSIONS[language].map((extension): [string, CodeLanguage] => [extension, language]),
  ),
)

export const CODE_EXTENSIONS: readonly string[] = [...BY_EXTENSION.keys()]

export function codeLanguageOf(path: string): CodeLanguage | undefined {
  return BY_EXTENSION.get(extensionOf(path))
}

/** What people call a language, where that is more than its name here. */
const CALLED: Partial<Record<CodeLanguage, readonly string[]>> = {
  typescript: ['typescript', 'ts'],
  tsx: ['typescript', 'tsx'],
  javascript: ['javascript', 'js'],
  go: ['go', 'golang'],
  csharp: ['C#', 'csharp'],
  cpp: ['C++', 'cpp'],
  bash: ['shell', 'bash'],
  proto: ['protobuf', 'proto'],
}

export function wordsForLanguage(language: CodeLanguage): readonly string[] {
  return CALLED[language] ?? [language]
}

export const SYMBOL_KINDS = [
  'class',
  'function',
  'method',
  'interface',
  'type',
  'module',
  'variable',
] as const
export type SymbolKind = (typeof SYMBOL_KINDS)[number]

/** Something a source file defines. */
export interface CodeSymbol {
  readonly name: string
  /** With what it is inside of: `Outer.method`. */
  readonly qualifiedName: string
  readonly kind: SymbolKind
  /** Lines from 1, both included. */
  readonly lineStart: number
  readonly lineEnd: number
}

/** Whether a file holds tests, by the names that test runners look for. */
export function isTestPath(path: string): boolean {
  return TEST_FILE.test(lastSegment(path)) || TEST_FOLDER.test(path)
}

const TEST_FILE =
  /(?:^test_.*\.py$|_test\.(?:py|go|rs|rb|cc|cpp|exs?)$|[._-](?:test|spec)\.[cm]?[jt]sx?$|_spec\.rb$|Tests?\.(?:java|cs|php|kt)$|^conftest\.py$)/

const TEST_FOLDER = /(?:^|\/)(?:tests?|__tests__|spec)\//i

/** Files that stand for their folder, without the extension. */
export const FOLDER_MODULES: ReadonlySet<string> = new Set(['index', '__init__', 'mod'])
