/**
 * Which notes name a version that is gone? What is gone is said by the base itself: a manifest of
 * the same source asks for a later one, or a note says that it is no longer supported. Notes are
 * found through the index, and loaded by who asks for it. docs/decisions/0113-versions-that-are-gone.md
 * has the rules.
 */
import { documentId, headingsAt } from '../../domain/document.ts'
import type { DocNo, DocumentRecord, Place } from '../../domain/document.ts'
import type { Chunk } from '../../domain/text.ts'
import { cutText } from '../../kit/cut-text.ts'
import { onePer } from '../../kit/one-per.ts'
import { folderOf, isNotePath, lastSegment } from '../../kit/paths.ts'
import { Slices, stepsInSlices } from '../../kit/slices.ts'
import type { Steps } from '../../kit/slices.ts'
import { compareVersions, hasVersion } from '../../kit/versions.ts'
import type { Version } from '../../kit/versions.ts'
import { countLineAt } from '../../parsing/lines.ts'
import { bodyStartOf } from '../../parsing/prose.ts'
import { splitSentences } from '../../parsing/split-sentences.ts'
import type { Sentence } from '../../parsing/split-sentences.ts'
import { chunksOf, readDocuments } from '../reading/read-document.ts'
import type { LiveDocument } from '../reading/read-document.ts'
import { dayInHeadings } from '../reading/said-when.ts'
import { plainText } from '../reading/statements.ts'
import { spanOfDocument, whenOfStatement } from '../reading/when-of.ts'
import { isManifest, readManifest } from '../repository/read-manifest.ts'
import type { Requirement } from '../repository/read-manifest.ts'
import type { View } from '../view/view.ts'
import { LISTS, nameKeyOf, spellingsOf, versionsIn } from './named-versions.ts'
import type { NamedVersion } from './named-versions.ts'
import {
  ENDS_AROUND,
  ENDS_BEFORE,
  ENDS_BEHIND,
  IS_BELOW,
  IS_PART,
  AS_OF,
  AT_LEAST,
  HEADS,
  NEEDED,
  NEEDS,
  OTHERWISE,
  PHRASES,
  UNSURE,
} from './version-words.ts'

/** A version that a note names, and who says that it is gone. */
export interface GoneVersion {
  readonly named: string
  readonly line: number
  readonly sentence: string
  readonly by: string
  readonly byLine: number
  readonly says: string
}

/** Bounds of one report: manifests, notes that say what is over, names, and notes that are read. */
const MOST_MANIFESTS = 100
const MOST_SAYING = 60
const MOST_TELLING = 500
const MOST_ENDED = 2_000
const MOST_NAMES = 1_000
const MOST_NAMING = 200
const MOST_READ = 3_000
const AT_ONCE = 100
const MOST_LETTERS = 200_000
/** In all the notes that are read. */
const MOST_LETTERS_READ = 20_000_000
const SENTENCES_AT_ONCE = 50
const LONGEST_SENTENCE = 500
const LONGEST_QUOTE = 200

/** `places` are all documents that are seen. */
export async function findGoneVersions(
  kb: View,
  places: ReadonlyMap<DocNo, Place>,
): Promise<ReadonlyMap<DocNo, GoneVersion>> {
  const folders = new Map<string, Set<string>>()
  const manifests: DocNo[] = []
  for (const [doc, { source, path }] of places) {
    if (!isManifest(path) || BESIDE.test(path)) continue
    const known = folders.get(source)
    if (known) known.add(folderOf(path))
    else folders.set(source, new Set([folderOf(path)]))
    if (manifests.length < MOST_MANIFESTS) manifests.push(doc)
  }
  const known: Known = {
    folders,
    asked: await readManifests(kb, manifests),
    ended: await findEnded(kb, places, folders),
  }
  const found = new Map<DocNo, GoneVersion>()
  if (known.asked.size === 0 && known.ended.size === 0) return found
  const docs = await docsNaming(kb, places, known)
  let letters = 0
  for (let at = 0; at < docs.length && letters < MOST_LETTERS_READ; at += AT_ONCE) {
    const lives = await readDocuments(kb, docs.slice(at, at + AT_ONCE))
    const chunks = await chunksOf(kb, lives)
    for (const live of lives) {
      letters += live.text.length
      if (letters > MOST_LETTERS_READ) break
      const gone = await stepsInSlices(goneIn(live, chunks.get(live) ?? [], known))
      if (gone) found.set(live.record.no, gone)
    }
  }
  return found
}

/** What is tried, copied or generated beside a program asks for nothing that it needs. */
const BESIDE =
  /(?:^|\/)(?:node_modules|vendor|third[_-]party|fixtures?|__\w+__|tests?|examples?|samples?|templates?|demos?|bench(?:marks)?)\//i

interface Known {
  /** By source: where its manifests lie. */
  readonly folders: ReadonlyMap<string, ReadonlySet<string>>
  /** By source and name. */
  readonly asked: ReadonlyMap<string, ReadonlyMap<string, readonly Asked[]>>
  /** By name; nothing is the name of what stands without one. */
  readonly ended: ReadonlyMap<string, readonly Ended[]>
}

interface Asked {
  readonly requirement: Requirement
  readonly path: string
  readonly by: string
  /** Of the manifest. */
  readonly text: string
}

/** Somebody says that a version is over. */
interface Ended {
  /** Its name, as it stands there. */
  readonly written: string
  readonly version: Version
  /** 18 and older, and what is below 18. */
  readonly below: 'none' | 'with' | 'without'
  readonly source: string
  /** Notes in it and below it are meant, or in it alone. */
  readonly folder: string
  readonly isExact: boolean
  readonly doc: DocNo
  /** Milliseconds since the epoch. */
  readonly at: number | undefined
  readonly by: string
  readonly byLine: number
  readonly says: string
}

async function readManifests(kb: View, docs: readonly DocNo[]): Promise<Known['asked']> {
  const asked = new Map<string, Map<string, Asked[]>>()
  for (const { record, text } of await readDocuments(kb, docs)) {
    const { source, path } = record
    const own = asked.get(source) ?? new Map<string, Asked[]>()
    asked.set(source, own)
    for (const requirement of readManifest(path, text) ?? []) {
      for (const key of keysOf(requirement.name)) {
        if (own.size >= MOST_NAMES && !own.has(key)) continue
        const one = { requirement, path, by: documentId(record), text }
        const others = own.get(key)
        if (others) others.push(one)
        else own.set(key, [one])
      }
    }
  }
  return asked
}

/** `@angular/core` is Angular; a module of Go is called by its last part. */
function keysOf(name: string): readonly string[] {
  const [, scope] = /^@([^/]+)\/core$/.exec(name) ?? []
  const [, last] = /^[^/]+\.[^/]+\/.*?([^/]+)(?:\/v\d+)?$/.exec(name) ?? []
  const names = [name, scope, last].filter((each) => each !== undefined)
  return [...new Set(names.map(nameKeyOf))].filter((key) => key.length > 1)
}

/** Looked for once, however many notes name it. */
const saidIn = onePer(({ by, text, requirement: { name, range } }: Asked): Said => {
  let line = 1
  for (const each of text.split('\n')) {
    const at = each.indexOf(name)
    if (at >= 0 && each.includes(range, at + name.length)) {
      const says = cutText(each.trim().replace(/,$/, ''), LONGEST_QUOTE)
      return { by, byLine: line, says, at: undefined }
    }
    line++
  }
  return { by, byLine: 1, says: cutText(`${name} ${range}`, LONGEST_QUOTE), at: undefined }
})

/** Notes about what changed are read whole; of all others the index knows who says such a thing. */
async function findEnded(
  kb: View,
  places: ReadonlyMap<DocNo, Place>,
  folders: Known['folders'],
): Promise<Known['ended']> {
  const telling = new Set<DocNo>()
  for (const [doc, { path }] of places) {
    if (telling.size === MOST_TELLING / 2) break
    if (isNotePath(path) && TELLS.test(lastSegment(path))) telling.add(doc)
  }
  for (const phrase of PHRASES) {
    for (const doc of await saying(kb, places, phrase, MOST_SAYING)) {
      if (telling.size < MOST_TELLING) telling.add(doc)
    }
  }
  const ended = new Map<string, Ended[]>()
  let count = 0
  const docs = [...telling]
  const slices = new Slices()
  let letters = 0
  for (let at = 0; at < docs.length; at += AT_ONCE) {
    const lives = await readDocuments(kb, docs.slice(at, at + AT_ONCE))
    const chunks = await chunksOf(kb, lives)
    for (const live of lives) {
      letters += live.text.length
      if (letters > MOST_LETTERS_READ) return ended
      for (const found of endedIn(live, chunks.get(live) ?? [], folders)) {
        if (slices.over) await slices.pause()
        if (!found) continue
        const [key, one] = found
        if (count++ >= MOST_ENDED) return ended
        const others = ended.get(key)
        if (others) others.push(one)
        else ended.set(key, [one])
      }
    }
  }
  return ended
}

/** What says what changed, and which releases are kept up. */
const TELLS = /^(?:changelog|changes|history|news|releases?|release[-_ ]notes|security)\b/i
const IS_SECURITY = /^security\b/i

async function saying(
  kb: View,
  places: ReadonlyMap<DocNo, Place>,
  query: string,
  limit: number,
): Promise<readonly DocNo[]> {
  const lexical = await (await kb.index.look()).lexical()
  const isNote = (doc: DocNo): boolean => isNotePath(places.get(doc)?.path ?? '')
  const filter = { has: isNote, size: places.size }
  const { hits, relaxed } = await lexical.search(query, { limit, filter })
  return relaxed ? [] : hits.map(({ doc }) => doc)
}

function* endedIn(
  live: LiveDocument,
  chunks: readonly Chunk[],
  folders: Known['folders'],
): Generator<readonly [string, Ended] | undefined> {
  const { record, text } = live
  if (text.length > MOST_LETTERS) return
  const area = areaOf(record, folders)
  const isSecurity = IS_SECURITY.test(lastSegment(record.path))
  for (const [at, sentence] of splitSentences(text, bodyStartOf(text)).entries()) {
    if (at % SENTENCES_AT_ONCE === 0) yield
    const { start, end, kind } = sentence
    if (kind === 'code' || (kind === 'row' && !isSecurity)) continue
    const quote = text.slice(start, Math.min(end, start + LONGEST_SENTENCE))
    if (!/\d/.test(quote) || /\[ \]\s*$/.test(text.slice(Math.max(0, start - 6), start))) continue
    const plain = plainText(quote)
    const over =
      kind === 'row'
        ? overInRow(plain)
        : UNSURE.test(plain) || /[?？]\s*$/.test(plain)
          ? []
          : overIn(plain)
    if (over.length === 0) continue
    const headings = headingsAtPlace(chunks, start)
    const { when } = whenOfStatement(record, quote, headings)
    const said = {
      source: record.source,
      doc: record.no,
      at: when?.at,
      by: documentId(record),
      byLine: countLineAt(text, start),
      says: oneLine(quote),
    }
    for (const { key, written, version, below } of over) {
      const isGeneral = key === '' || KINDS_OF_THINGS.has(key)
      const isExact = isGeneral && !area.isProgram
      const folder = isExact ? folderOf(record.path) : area.folder
      yield [key, { ...said, written, version, below, folder, isExact }]
    }
  }
}

interface Over {
  readonly key: string
  readonly written: string
  readonly version: Version
  readonly below: Ended['below']
}

/** `| < 2.0 | :x: |` of a table of what is supported. */
function overInRow(row: string): readonly Over[] {
  if (!/:x:|❌|✗|✘|\|\s*(?:no|unsupported|end of life)\s*\|/i.test(row)) return []
  return versionsIn(row.replace(/^[\s|]+/, 'version '))
    .slice(0, 1)
    .map(({ version, isBelow }) => ({ ...NAMELESS, version, below: isBelow ? 'without' : 'none' }))
}

function overIn(plain: string): readonly Over[] {
  const found: Over[] = []
  for (const group of listed(plain, versionsIn(plain))) {
    const [first, last] = [group[0]!, group.at(-1)!]
    const behind = plain.slice(last.end, last.end + 120)
    const names = ownNames(first)
    const keys = names.filter(({ start }) => isOver(plain.slice(0, start), behind))
    const isBare = names.length === 0 && isOver(plain.slice(0, first.start), behind)
    const all = isBare ? [NAMELESS] : keys
    for (const { version, isBelow } of group) {
      const below = isBelow ? 'without' : IS_BELOW.test(behind) ? 'with' : 'none'
      for (const { key, written } of all) found.push({ key, written, version, below })
    }
  }
  return found
}

const NAMELESS = { key: '', written: '' }

function isOver(before: string, behind: string): boolean {
  const lead = before.slice(-120).replace(/\s*$/, ' ')
  return (
    ENDS_BEFORE.test(lead) ||
    (ENDS_BEHIND.test(behind) && !IS_PART.test(lead)) ||
    ENDS_AROUND.some(([one, other]) => one.test(lead) && other.test(behind))
  )
}

/** Versions that are told in one breath. */
function listed(plain: string, versions: readonly NamedVersion[]): NamedVersion[][] {
  const groups: NamedVersion[][] = []
  for (const version of versions) {
    const last = groups.at(-1)?.at(-1)
    const isNext = last && LISTS.test(plain.slice(last.end, version.start))
    if (isNext) groups.at(-1)!.push(version)
    else groups.push([version])
  }
  return groups
}

/** The last word, and those before it that are written as names. */
function ownNames({ names }: NamedVersion): NamedVersion['names'] {
  const own = names.toReversed()
  const begin = own.slice(1).findIndex(({ written }) => !/^[\p{Lu}@]/u.test(written))
  return begin < 0 ? own : own.slice(0, begin + 1)
}

/** Each program has its own: in the notes of one place they are those of one thing. */
const KINDS_OF_THINGS = new Set(
  `api apis sdk cli server client app application library schema protocol plugin package module service
  format spec model firmware build image endpoint endpoints support database framework runtime`.split(
    /\s+/,
  ),
)

interface Area {
  readonly folder: string
  /** A manifest says that it is one. */
  readonly isProgram: boolean
}

/** Folders of notes about what is beside them. */
const ABOUT =
  /^(?:change-?logs?|changes|releases?|release-?notes|news|history|adrs?|decisions|docs?|documentation)$/i

/** Of which notes something is said: those of the same program, or those in its folder and below. */
function areaOf({ source, path }: Place, folders: Known['folders']): Area {
  const programs = folders.get(source) ?? new Set()
  let folder = folderOf(path)
  for (let at = folder; ; at = folderOf(at)) {
    if (programs.has(at)) return { folder: at, isProgram: true }
    if (at === '') break
  }
  while (ABOUT.test(lastSegment(folder))) folder = folderOf(folder)
  return { folder, isProgram: false }
}

/** Notes that have one of the names, as the index knows them. */
async function docsNaming(
  kb: View,
  places: ReadonlyMap<DocNo, Place>,
  { asked, ended }: Known,
): Promise<readonly DocNo[]> {
  const docs = new Set<DocNo>()
  const names = new Map<string, string>()
  for (const own of asked.values()) {
    for (const [key, [one]] of own)
      if (names.size < MOST_NAMES) names.set(key, one!.requirement.name)
  }
  for (const [key, [one]] of ended) {
    if (names.size < MOST_NAMES && !names.has(key)) names.set(key, one!.written)
  }
  const slices = new Slices()
  for (const [key, written] of names) {
    if (slices.over) await slices.pause()
    for (const query of queriesFor(key, written)) {
      for (const doc of await saying(kb, places, query, MOST_NAMING)) docs.add(doc)
    }
    if (docs.size >= MOST_READ) break
  }
  return [...docs].slice(0, MOST_READ)
}

/** What has no name is looked for as people introduce it. */
function queriesFor(key: string, written: string): readonly string[] {
  if (key === '') return ['+version', '+release', '+versions', '+v1', '+v2', '+v0']
  const phrases = [written, ...spellingsOf(key)].map((each) =>
    each
      .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
      .toLowerCase(),
  )
  return [...new Set(phrases)].flatMap((phrase) => (phrase === '' ? [] : [`+"${phrase}"`]))
}

function* goneIn(
  live: LiveDocument,
  chunks: readonly Chunk[],
  known: Known,
): Steps<GoneVersion | undefined> {
  const { record, text } = live
  if (record.type === 'code' || text.length > MOST_LETTERS || isOfItsTime(record)) return undefined
  if (BESIDE.test(record.path)) return undefined
  for (const [at, sentence] of splitSentences(text, bodyStartOf(text)).entries()) {
    if (at % SENTENCES_AT_ONCE === 0) yield
    const { start, end } = sentence
    const quote = text.slice(start, Math.min(end, start + LONGEST_SENTENCE))
    if (!/\d/.test(quote)) continue
    const plain = plainText(quote)
    for (const named of versionsIn(plain)) {
      const gone = whoEnded(record, plain, named, known)
      if (!gone || isInName(record, named, plain)) continue
      const headings = headingsAtPlace(chunks, start)
      if (!isSaidNow(sentence, plain, named, headings)) continue
      const { when } = whenOfStatement(record, quote, headings)
      if (when && gone.at !== undefined && when.at > gone.at) continue
      const { by, byLine, says } = gone
      return {
        named: cutText(plain.slice(gone.start, named.end).trim(), LONGEST_QUOTE),
        line: countLineAt(text, start),
        sentence: oneLine(quote),
        by,
        byLine,
        says,
      }
    }
  }
  return undefined
}

type Said = Pick<Ended, 'by' | 'byLine' | 'says' | 'at'>

function whoEnded(
  record: DocumentRecord,
  plain: string,
  named: NamedVersion,
  known: Known,
): (Said & { readonly start: number }) | undefined {
  if (named.isBelow || AS_OF.test(plain.slice(0, named.start))) return undefined
  for (const [at, { key, start }] of named.names.entries()) {
    // What came with a release is there since.
    if (AS_OF.test(plain.slice(0, start))) return undefined
    const asked = known.asked.get(record.source)?.get(key)
    const ended = known.ended.get(key)
    if (!asked && !ended) continue
    // `React Native 0.7` is no version of a thing that is called Native.
    const before = named.names[at - 1]?.written
    const isPart = at > 0 && /^\p{Lu}/u.test(before!) && named.names[at - 1]!.start > 0
    if (isPart) return undefined
    const ours = asked?.filter(({ requirement }) => isMeantBy(requirement, plain))
    const said =
      (ours?.length && askedForLater(ours, named.version, record)) || endedFor(record, named, ended)
    return said && { ...said, start }
  }
  const said = named.names.length === 0 && endedFor(record, named, known.ended.get(''))
  return said ? { ...said, start: named.start } : undefined
}

/** What is enough for users may be old for those who work on it. */
function isMeantBy({ isForWork }: Requirement, plain: string): boolean {
  return !isForWork || !AT_LEAST.test(plain)
}

/** All of its manifests that name it ask for a later one; the nearest of them is told. */
function askedForLater(
  asked: readonly Asked[],
  version: Version,
  { path }: DocumentRecord,
): Said | undefined {
  const isLater = ({ requirement: { lowest, depth } }: Asked): boolean =>
    compareVersions(version, lowest, depth) < 0
  if (!asked.every(isLater)) return undefined
  const above = asked.filter((each) => isBelow(path, folderOf(each.path)))
  const [nearest] = (above.length > 0 ? above : asked).toSorted(
    (a, b) => b.path.split('/').length - a.path.split('/').length,
  )
  return saidIn(nearest!)
}

function endedFor(
  { no, source, path }: DocumentRecord,
  { version }: NamedVersion,
  ended: readonly Ended[] = [],
): Said | undefined {
  const about = ended.filter(
    (each) =>
      each.source === source &&
      (each.isExact ? folderOf(path) === each.folder : isBelow(path, each.folder)) &&
      isMeant(each, version),
  )
  // Whoever says so knows.
  if (about.some(({ doc }) => doc === no)) return undefined
  return about[0]
}

function isMeant({ version: over, below }: Ended, version: Version): boolean {
  const order = compareVersions(version, over)
  if (below === 'without') return order < 0
  return hasVersion(over, version) || (below === 'with' && order < 0)
}

function isBelow(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`)
}

/** It is needed now, and not told of another time, as an example or of a release by itself. */
function isSaidNow(
  { kind }: Sentence,
  plain: string,
  named: NamedVersion,
  headings: readonly string[],
): boolean {
  if (kind === 'heading' || (kind === 'row' && !named.isPlain)) return false
  if (dayInHeadings(headings) !== undefined) return false
  const isOfRelease = (heading: string): boolean => /\bv?\d+\.\d/i.test(heading)
  if (headings.some((heading) => isOfRelease(heading) || OTHERWISE.test(heading))) return false
  if (kind === 'code') return named.isSpec && INSTALLS.test(plain)
  if (OTHERWISE.test(plain) || /[?？]\s*$/.test(plain)) return false
  const [before, behind] = [plain.slice(0, named.at), plain.slice(named.end)]
  if (NEEDS.test(before.slice(-MOST_BEFORE)) || NEEDED.test(behind.slice(0, MOST_BEFORE)))
    return true
  return (
    named.names.length > 0 &&
    plain.length < MOST_LISTED &&
    headings.some((each) => HEADS.test(each))
  )
}

const MOST_BEFORE = 120
/** What is listed below a heading is short. */
const MOST_LISTED = 120

const INSTALLS =
  /(?:^|\s)(?:npm|pnpm|yarn|bun|pip3?|poetry|uv|cargo|go|gem)\s+(?:-\S+\s+)*(?:i|install|add|get)\s/

/** What was written of one day or one release says how it was then. */
function isOfItsTime(record: DocumentRecord): boolean {
  const { path, properties } = record
  if (OF_A_DAY.some((key) => key in properties)) return true
  return spanOfDocument({ path, properties: {} }) !== undefined || RECORDS.test(path)
}

const OF_A_DAY = ['date', 'publishDate', 'timestamp']
const RECORDS =
  /(?:^|[/_. -])(?:change-?logs?|changes|history|news|releases?|release[-_ ]notes|migrat\w*|upgrad\w*|security|licen[cs]e|roadmap|posts?|blog|archives?|journal|daily|meetings?|versioned\w*|v?\d+\.(?:\d+|x)|v\d+)(?:[/_. -]|$)/i

/** `Guide to version 2`, `docs/v1/install.md` */
function isInName(
  { title, path }: DocumentRecord,
  { at, end }: NamedVersion,
  plain: string,
): boolean {
  const number = plain
    .slice(at, end)
    .replace(/^v\.? ?/i, '')
    .replace(/[+]$|\.[x*]$/, '')
  return new RegExp(`(?<![\\p{N}.])${number.replaceAll('.', '\\.')}(?!\\p{N})`, 'u').test(
    `${title} ${path}`,
  )
}

function headingsAtPlace(chunks: readonly Chunk[], start: number): readonly string[] {
  const chunk = chunks.findLast((each) => each.start <= start)
  return chunk ? headingsAt(chunk, start) : []
}

function oneLine(quote: string): string {
  return cutText(quote.replaceAll(/\s+/g, ' ').trim(), LONGEST_QUOTE)
}
