/** A source file as a document: its symbols as outline, its imports as links, passages by syntax. */
import { codeLanguageOf, FOLDER_MODULES, isTestPath } from '../../domain/code.ts'
import type { CodeLanguage } from '../../domain/code.ts'
import { cutText } from '../../kit/cut-text.ts'
import { folderOf, lastSegment } from '../../kit/paths.ts'
import type { Heading, Link, Parsed, Parser } from '../../domain/text.ts'
import { lineAt, lineStartsOf } from '../lines.ts'
import { chunkCode } from './chunk-code.ts'
import { grammarVersion, loadGrammar } from './grammars.ts'
import { importTargets } from './import-targets.ts'
import { nestSymbols } from './nest-symbols.ts'
import type { PlacedSymbol } from './nest-symbols.ts'
import { readSyntax } from './read-syntax.ts'
import { scanLines } from './scan-lines.ts'
import { inOrder } from './syntax.ts'
import type { Syntax } from './syntax.ts'
import { testedFile } from './tested-file.ts'

/** Loads the grammar of a file's language, where grammars are installed. */
export async function prepareCode(path: string): Promise<void> {
  await loadGrammar(languageOf(path))
}

/** A grammar of some version, or lines. */
export function codeReader(path: string): string {
  return grammarVersion(languageOf(path)) ?? 'lines'
}

export const parseCode: Parser = (text, path) => {
  const language = languageOf(path)
  const syntax = readAnyhow(language, text)
  const lineStarts = lineStartsOf(text)
  const symbols = nestSymbols(text, syntax.definitions, lineStarts)
  const parsed: Parsed = {
    document: {
      title: titleOf(path),
      frontMatterTitle: undefined,
      aliases: [],
      tags: [],
      inlineTags: [],
      description: descriptionOf(text),
      properties: { language },
      bodyStart: 0,
      headings: symbols.map((symbol) => headingOf(text, symbol, lineStarts)),
      links: [
        ...linksOf(language, path, syntax, lineStarts),
        ...linkToTested(language, path, text),
      ],
      codeBlocks: [],
      chunks: chunkCode(text, symbols, lineStarts),
      symbols: symbols.map(({ name, qualifiedName, kind, lineStart, lineEnd }) => ({
        name,
        qualifiedName,
        kind,
        lineStart,
        lineEnd,
      })),
      nameRanges: symbols.map(({ nameStart, nameEnd }) => ({ start: nameStart, end: nameEnd })),
    },
    warnings: brokenWarning(path, syntax, lineStarts),
  }
  return parsed
}

/** Where a grammar loses its way, lines tell of what comes after. */
function readAnyhow(language: CodeLanguage, text: string): Syntax {
  const read = readSyntax(language, text)
  if (!read) return scanLines(language, text)
  if (read.brokenAt === undefined) return read
  const inside = (at: number) => read.definitions.some(({ start, end }) => start <= at && at < end)
  const lost = scanLines(language, text).definitions.filter((each) => !inside(each.nameStart))
  return { ...read, definitions: inOrder([...read.definitions, ...lost]) }
}

function languageOf(path: string): CodeLanguage {
  return codeLanguageOf(path) ?? 'bash'
}

/** `http/index.ts` says more than `index.ts`. */
function titleOf(path: string): string {
  const file = lastSegment(path)
  const stem = file.replace(/\.[^.]*$/, '')
  const folder = lastSegment(folderOf(path))
  return FOLDER_MODULES.has(stem) && folder !== '' ? `${folder}/${file}` : file
}

function headingOf(text: string, symbol: PlacedSymbol, lineStarts: readonly number[]): Heading {
  const lineEnd = text.indexOf('\n', symbol.nameEnd)
  return {
    level: Math.min(6, symbol.depth + 1),
    text: symbol.name,
    start: symbol.start,
    end: lineEnd < 0 ? text.length : lineEnd,
    line: lineAt(lineStarts, symbol.start),
  }
}

const MOST_LINKS = 1_000
const LONGEST_LABEL = 200

function linksOf(
  language: CodeLanguage,
  path: string,
  { imports }: Syntax,
  lineStarts: readonly number[],
): Link[] {
  const kind = isTestPath(path) ? 'exercises' : 'import'
  return imports
    .flatMap(({ text, start, end }) =>
      importTargets(language, text).map(({ target, names }): Link => ({
        kind,
        target,
        ...(names.length > 0 && { label: names.join(', ').slice(0, LONGEST_LABEL) }),
        start,
        end,
        line: lineAt(lineStarts, start),
      })),
    )
    .slice(0, MOST_LINKS)
}

function linkToTested(language: CodeLanguage, path: string, text: string): Link[] {
  const target = isTestPath(path) ? testedFile(language, path, text) : undefined
  return target === undefined ? [] : [{ kind: 'exercises', target, start: 0, end: 0, line: 1 }]
}

const DESCRIPTION_LIMIT = 300

/** The first sentence of the comment a file begins with. A licence says nothing about the file. */
function descriptionOf(text: string): string | undefined {
  const comment = FIRST_COMMENT.exec(text)?.[0]
  if (comment === undefined) return undefined
  const words = comment
    .replace(/^#!.*\n/, '')
    .replace(/^[ \t]*(?:\/\*+|\*+\/|\*|\/\/+!?|#+|"""|''')|(?:\*+\/|"""|''')[ \t]*$/gm, '')
    .replace(/\s+/g, ' ')
    .trim()
  if (words === '' || /copyright|licen[sc]e|eslint|@ts-|coding[:=]/i.test(words)) return undefined
  return cutText(/^.*?[.!?](?=\s|$)/.exec(words)?.[0] ?? words, DESCRIPTION_LIMIT)
}

const FIRST_COMMENT =
  /^\s*(?:#!.*\n\s*)?(?:\/\*[^]*?\*\/|(?:\/\/.*\n?)+|(?:#.*\n?)+|"""[^]*?"""|'''[^]*?''')/

function brokenWarning(path: string, { brokenAt }: Syntax, lineStarts: readonly number[]) {
  if (brokenAt === undefined) return []
  const line = lineAt(lineStarts, brokenAt)
  const message = `${lastSegment(path)} does not follow its language at line ${line}; what could be read is kept.`
  return [{ kind: 'syntax' as const, message, line }]
}
