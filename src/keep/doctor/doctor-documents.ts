/** What doctor says of the documents themselves: encodings, names that clash, copies, secrets. */
import { documentId } from '../../core/domain/document.ts'
import { findSecrets } from '../../core/domain/secrets.ts'
import type { Source } from '../../core/domain/source.ts'
import { parseFrontMatter } from '../../core/parsing/markdown/front-matter.ts'
import { NOT_TEXT } from '../../core/sources/folder/reasons.ts'
import { obsidianPatterns } from '../../core/sources/folder/obsidian-excludes.ts'
import type { Finding } from './doctor.ts'

const EXAMPLES = 3
const READ_AT_ONCE = 200

export async function examineDocuments(sources: Iterable<Source>): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const source of sources) findings.push(...(await examineSource(source)))
  if (findings.length > 0) return findings
  return [{ level: 'ok', what: 'No unreadable text, no names that clash, no copies, no secrets.' }]
}

async function examineSource(source: Source): Promise<Finding[]> {
  const { files } = await source.scan()
  const paths = files.map(({ path }) => path)
  const unreadable: string[] = []
  const odd: string[] = []
  const headless: string[] = []
  const byDigest = new Map<string, string[]>()
  const secrets = new Map<string, string[]>()
  for (let at = 0; at < paths.length; at += READ_AT_ONCE) {
    for (const content of await source.read(paths.slice(at, at + READ_AT_ONCE))) {
      // A scan has no text either, and no other encoding would help it.
      if (content.kind === 'skipped' && content.reason === NOT_TEXT) unreadable.push(content.path)
      if (content.kind !== 'text') continue
      if (content.text.includes('\uFFFD')) odd.push(content.path)
      if (hasBrokenHead(content.text, content.path)) headless.push(content.path)
      if (content.text.trim() !== '') add(byDigest, content.digest, content.path)
      for (const kind of new Set(findSecrets(content.text).map((each) => each.kind))) {
        add(secrets, `${/^[AEIO]|^n/.test(kind) ? 'an' : 'a'} ${kind}`, content.path)
      }
    }
  }
  const patterns = obsidianPatterns(source.root)
  const copies = [...byDigest.values()].filter((group) => group.length > 1)
  const clashes = clashing(paths)
  const [firstCopy] = copies
  const [firstClash] = clashes
  return [
    ...patterns.map((pattern): Finding => ({
      level: 'warning',
      what: `${source.name}: Obsidian excludes files by the pattern ${pattern}, which is not heeded here.`,
      fix: 'Say the same with globs in .cairnignore.',
    })),
    ...finding(
      source,
      unreadable,
      ['is not UTF-8 and cannot be read', 'are not UTF-8 and cannot be read'],
      (path) =>
        source.inDatabase
          ? `Convert the file it came from to UTF-8 and bring it in again: cairn import DIR --folder ${source.root} --overwrite`
          : `iconv -f WINDOWS-1252 -t UTF-8 ${path} > ${path}.utf8`,
    ),
    ...finding(
      source,
      odd,
      ['holds', 'hold'].map((verb) => `${verb} characters that were lost in a conversion (U+FFFD)`),
      () => `cairn grep -F "\uFFFD" -l`,
    ),
    ...finding(
      source,
      headless,
      ['has', 'have'].map(
        (verb) => `${verb} front matter that cannot be read, which counts as text`,
      ),
      (path) => `Mend the lines between --- at the top of ${path}.`,
    ),
    ...finding(
      source,
      clashes.flat(),
      ['have names that differ only in case or accents'],
      () =>
        `cairn write move "${documentId({ source: source.name, path: firstClash![1]! })}" --to NEW-NAME.md`,
    ),
    ...finding(
      source,
      copies.flat(),
      ['are copies of each other'],
      () =>
        `Look at both, and keep the one you want: cairn open "${documentId({ source: source.name, path: firstCopy![1]! })}"`,
    ),
    ...[...secrets].flatMap(([what, where]) =>
      finding(source, where, [`seems to hold ${what}`, `seem to hold ${what}`], (path) =>
        source.inDatabase
          ? 'Take it out and revoke it.'
          : `Take it out and revoke it, or add "${path}" to .cairnignore.`,
      ),
    ),
  ]
}

function hasBrokenHead(text: string, path: string): boolean {
  if (!/\.(?:md|markdown)$/i.test(path)) return false
  const { warnings, properties } = parseFrontMatter(text, path)
  return warnings.length > 0 && Object.keys(properties).length === 0
}

/** What a source is made of, as one calls one or several of them. */
export function thingsIn(source: Source, count: number): string {
  return `${source.inDatabase ? 'document' : 'file'}${count === 1 ? '' : 's'}`
}

/** Files that are one file on a Mac or on Windows. */
export function clashing(paths: readonly string[]): string[][] {
  const groups = new Map<string, string[]>()
  for (const path of paths) add(groups, path.normalize('NFC').toLowerCase(), path)
  return [...groups.values()].filter((group) => group.length > 1)
}

function add(map: Map<string, string[]>, key: string, value: string): void {
  const values = map.get(key)
  if (values) values.push(value)
  else map.set(key, [value])
}

function finding(
  source: Source,
  paths: readonly string[],
  /** Said of one, and of several. */
  what: readonly string[],
  fix: (path: string) => string,
): Finding[] {
  const [first] = paths
  if (first === undefined) return []
  const named = paths.slice(0, EXAMPLES).join(', ')
  return [
    {
      level: 'warning',
      what: `${source.name}: ${paths.length} ${thingsIn(source, paths.length)} ${paths.length === 1 ? what[0] : what.at(-1)} (${named}${paths.length > EXAMPLES ? ', …' : ''}).`,
      fix: fix(first),
    },
  ]
}
