/**
 * Reads a source file without a grammar: a line that begins like a definition is one, and it lasts
 * as long as the lines below are indented deeper. Right for code that is formatted as most code is.
 */
import type { CodeLanguage, SymbolKind } from '../../domain/code.ts'
import { lineStartsOf } from '../lines.ts'
import { inOrder } from './syntax.ts'
import type { Definition, ImportStatement, Syntax } from './syntax.ts'

const MODIFIERS =
  '(?:(?:export|default|declare|public|private|protected|internal|static|abstract|final|sealed|partial|async|unsafe|const|extern|pub(?:\\([^)]*\\))?|override|virtual|inline)\\s+)*'

const KEYWORDS: Readonly<Record<string, SymbolKind>> = {
  class: 'class',
  struct: 'class',
  record: 'class',
  message: 'class',
  def: 'function',
  fn: 'function',
  func: 'function',
  function: 'function',
  'function*': 'function',
  rpc: 'method',
  interface: 'interface',
  trait: 'interface',
  service: 'interface',
  type: 'type',
  enum: 'type',
  union: 'type',
  namespace: 'module',
  module: 'module',
  mod: 'module',
}

const DEFINITION = new RegExp(
  `^([ \\t]*)${MODIFIERS}(class|struct|record|message|def|fn|func|function\\*?|rpc|interface|trait|service|type|enum|union|namespace|module|mod)\\s+(?:\\([^)]*\\)\\s*)?([\\p{L}_$][\\p{L}\\p{N}_$]*)`,
  'u',
)

/** Languages whose methods are told by no word of their own. */
const BARE_METHODS: ReadonlySet<CodeLanguage> = new Set([
  'java',
  'csharp',
  'cpp',
  'typescript',
  'tsx',
  'javascript',
])

/** `public static <T> List<T> parseAll(`, `async close(`, `Server::start(`: a name and a bracket. */
const METHOD =
  /^([ \t]*)(?:@\w+(?:\([^()]*\))?\s+)*((?:[\p{L}_$][\p{L}\p{N}_$.:]*(?:<[^()=;]*>)?(?:\[\])*[&*]*\s+|<[^()=;]*>\s+)*)[&*]*(~?[\p{L}_$][\p{L}\p{N}_$]*(?:::~?[\p{L}_$][\p{L}\p{N}_$]*)*)\s*(?:<[^()=;]*>)?\(/u

/** What begins a statement that calls something. */
const STATEMENT =
  /^\s*(?:return|new|throw|else|await|if|for|foreach|while|switch|catch|assert|case|do|try|yield|delete|typeof|super|this|using|lock|goto|import|export\s+default)\b/

const VARIABLE = /^(?:export\s+)?(?:const|let|var|static)\s+(?:mut\s+)?([\p{L}_$][\p{L}\p{N}_$]*)/u

const IMPORT =
  /^\s*(?:import\b|from\s+\S+\s+import\b|export\b.*\bfrom\b|#\s*include\b|use\s|require(?:_once|_relative)?\b|(?:const|let|var)\b.*\brequire\(|source\s|\.\s)/

/** A definition with a body may end on a line that only closes it. */
const CLOSES = /^\s*(?:[})\]]|end\b)/

export function scanLines(language: CodeLanguage, text: string): Syntax {
  const starts = lineStartsOf(text)
  const lines = starts.map((start, at) => text.slice(start, starts[at + 1] ?? text.length))
  const definitions: Definition[] = []
  const imports: ImportStatement[] = []
  const open: Open[] = []
  for (const [at, line] of lines.entries()) {
    const bare = line.trim()
    if (bare === '') continue
    const start = starts[at]!
    const indent = line.length - line.trimStart().length
    // A line that is no deeper ends what is open, itself included where it closes it.
    while (open.length > 0 && indent <= open.at(-1)!.indent) {
      const last = open.pop()!
      const closes = CLOSES.test(line) && indent === last.indent
      definitions[last.index] = {
        ...definitions[last.index]!,
        end: closes ? start + line.trimEnd().length : last.end,
      }
    }
    for (const each of open) each.end = start + line.trimEnd().length
    if (IMPORT.test(line)) imports.push({ text: bare, start, end: start + line.trimEnd().length })
    const outer = open.at(-1)
    const definition =
      definitionIn(line, start, indent) ??
      methodIn(language, line, start, outer?.kind) ??
      (outer ? undefined : variableIn(line, start))
    if (!definition) continue
    const { kind, end } = definition
    open.push({ indent, index: definitions.length, kind, end })
    definitions.push(definition)
  }
  for (const { index, end } of open) definitions[index] = { ...definitions[index]!, end }
  return { definitions: inOrder(definitions), imports }
}

interface Open {
  readonly indent: number
  readonly index: number
  readonly kind: SymbolKind
  end: number
}

function definitionIn(line: string, start: number, indent: number): Definition | undefined {
  const match = DEFINITION.exec(line)
  if (!match) return undefined
  const end = start + line.trimEnd().length
  const name = match[3]!
  const nameStart = start + match[0].length - name.length
  const kind = KEYWORDS[match[2]!] ?? 'function'
  return { kind, name, start: start + indent, end, nameStart, nameEnd: nameStart + name.length }
}

function variableIn(line: string, start: number): Definition | undefined {
  const variable = VARIABLE.exec(line)
  if (!variable) return undefined
  const end = start + line.trimEnd().length
  const name = variable[1]!
  const nameStart = start + variable[0].length - name.length
  return { kind: 'variable', name, start, end, nameStart, nameEnd: nameStart + name.length }
}

const HOLDS_METHODS: ReadonlySet<SymbolKind> = new Set(['class', 'interface', 'type', 'module'])

/** A longer line is no signature, and would keep the pattern busy. */
const LONGEST = 400

/** Directly inside a class, or in C++ anywhere outside of functions where a body follows. */
function methodIn(
  language: CodeLanguage,
  line: string,
  start: number,
  outer: SymbolKind | undefined,
): Definition | undefined {
  if (!BARE_METHODS.has(language) || line.length > LONGEST || STATEMENT.test(line)) return undefined
  if (outer === undefined ? language !== 'cpp' : !HOLDS_METHODS.has(outer)) return undefined
  const match = METHOD.exec(line)
  if (!match) return undefined
  const [head, indent = '', type = '', name = ''] = match
  const bare = line.trimEnd()
  // Without a type it is a constructor or a script's method, which has a body, or else a call.
  const declares = type !== '' && language !== 'typescript' && language !== 'tsx'
  if (!declares && !/[{,(]$/.test(bare)) return undefined
  if (outer === undefined && (type === '' || bare.endsWith(';'))) return undefined
  const nameStart = start + head.lastIndexOf(name)
  return {
    kind: outer === undefined ? 'function' : 'method',
    name: name.replaceAll('::', '.').replaceAll('~', ''),
    start: start + indent.length,
    end: start + bare.length,
    nameStart,
    nameEnd: nameStart + name.length,
  }
}
