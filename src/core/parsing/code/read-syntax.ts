/** Reads a source file with its grammar. */
import { SYMBOL_KINDS } from '../../domain/code.ts'
import type { CodeLanguage, SymbolKind } from '../../domain/code.ts'
import { readerOf } from './grammars.ts'
import type { TreeNode } from './grammars.ts'
import { inOrder } from './syntax.ts'
import type { Definition, ImportStatement, Syntax } from './syntax.ts'

/** Undefined when no grammar is there to read with, or when reading takes too long. */
export function readSyntax(language: CodeLanguage, text: string): Syntax | undefined {
  const reader = readerOf(language)
  if (!reader) return undefined
  const tree = reader.parse(text)
  if (!tree) return undefined
  try {
    const root = tree.rootNode
    const definitions: Definition[] = []
    const imports: ImportStatement[] = []
    for (const { captures } of reader.query.matches(root)) {
      const found = new Map(captures.map(({ name, node }) => [name, node]))
      const statement = found.get('import')
      if (statement) imports.push(importOf(statement))
      const definition = definitionOf(found)
      if (definition) definitions.push(definition)
    }
    const brokenAt = root.hasError ? firstError(root) : undefined
    return {
      definitions: inOrder(definitions),
      imports,
      ...(brokenAt !== undefined && { brokenAt }),
    }
  } finally {
    tree.delete()
  }
}

function importOf({ text, startIndex, endIndex }: TreeNode): ImportStatement {
  return { text, start: startIndex, end: endIndex }
}

function definitionOf(found: ReadonlyMap<string, TreeNode>): Definition | undefined {
  const name = found.get('name')
  if (!name) return undefined
  const kind: SymbolKind | undefined = SYMBOL_KINDS.find((each) => found.has(each))
  const whole = found.get(kind ?? 'container')
  if (!whole) return undefined
  const owner = found.get('owner')
  return {
    kind: kind ?? 'module',
    name: plainName(name.text),
    start: whole.startIndex,
    end: whole.endIndex,
    nameStart: name.startIndex,
    nameEnd: name.endIndex,
    ...(owner && { owner: receiverType(owner.text) }),
    ...(kind === undefined && { container: true }),
  }
}

/** A name longer than this is a whole declaration that a macro made look like one. */
const LONGEST_NAME = 200

/** `Server<'a>` is `Server`, `http::Server` is `http.Server`. */
function plainName(text: string): string {
  const bare = text
    .replace(/<[^]*$/, '')
    .replaceAll('::', '.')
    .replaceAll('\\', '.')
  return bare
    .replace(/^["'`]|["'`]$/g, '')
    .replace(/\s+/g, '')
    .slice(0, LONGEST_NAME)
}

/** `(s *Server[T])` is `Server`. */
function receiverType(text: string): string {
  return /([\p{L}_][\p{L}\p{N}_]*)\s*(?:\[[^\]]*\])?\s*\)$/u.exec(text)?.[1] ?? ''
}

/** Looks down the way of errors, without recursion: the depth of a tree is up to its author. */
function firstError(root: TreeNode): number {
  let node = root
  for (let depth = 0; depth < 200; depth++) {
    const next = node.children.find(
      (child) => child && (child.isError || child.isMissing || child.hasError),
    )
    if (!next || next.isError || next.isMissing) return (next ?? node).startIndex
    node = next
  }
  return node.startIndex
}
