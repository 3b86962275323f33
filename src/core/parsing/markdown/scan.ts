/**
 * What a Markdown text is made of: headings, code, links and tags, with their places.
 *
 * The block structure is read line by line with a stack of open quotes and list items, as the
 * CommonMark specification describes it; the inline content of paragraphs and headings follows
 * when all link definitions are known. Ordinary paragraph lines outside of lists and quotes, the
 * bulk of any text, take a short cut. The result agrees with markdown-it in an eighth of the time;
 * `test/markdown-agreement.test.ts` holds it to that.
 */
import { ownText } from '../../kit/own-text.ts'
import type { Steps } from '../../kit/slices.ts'
import type { CodeBlock, Heading, InlineTag } from '../../domain/text.ts'
import { lineIndexAt, lineStartsOf } from '../lines.ts'
import {
  BACKTICK,
  BRACKET_OPEN,
  COLON,
  DASH,
  DOT,
  EQUALS,
  GREATER,
  HASH,
  LESS,
  NEWLINE,
  PAREN_CLOSE,
  PLUS,
  SPACE,
  STAR,
  TAB,
  TILDE,
  UNDERSCORE,
  isBlank,
  isDigit,
  skipBlanks,
  skipSpacing,
  tableOf,
} from './characters.ts'
import { unescapeMarkdown } from './entities.ts'
import { endsHtmlBlock, htmlBlockKind, type HtmlBlockKind } from './html.ts'
import {
  PIECE,
  inlineFindings,
  lastDestination,
  linkLabelEnd,
  normaliseLabel,
  readDestination,
  readTitle,
  scanInline,
  scanInlineText,
  scanningInline,
  type InlineFindings,
  type LinkForm,
} from './inline.ts'

export interface ScannedHeading extends Heading {
  /** Inside a quote or list, where it is no part of the document's outline. */
  readonly nested: boolean
}

export interface ScannedLink {
  readonly form: LinkForm
  readonly destination: string
  readonly label: string
  readonly start: number
  readonly end: number
  readonly line: number
}

export interface CodeSpan {
  readonly content: string
  readonly start: number
  readonly end: number
}

/** All lists are in order of `start`. */
export interface MarkdownScan {
  readonly headings: readonly ScannedHeading[]
  readonly codeBlocks: readonly CodeBlock[]
  readonly codeSpans: readonly CodeSpan[]
  readonly links: readonly ScannedLink[]
  readonly tags: readonly InlineTag[]
  /** Where each line of the text begins. */
  readonly lineStarts: readonly number[]
}

export interface ScanOptions {
  /** Where to begin: behind the front matter. */
  readonly from?: number
  /** `[[wiki links]]` and `#tags`; without them the text is plain CommonMark. */
  readonly wiki?: boolean
  /** What else notes have: wiki links inside HTML, and footnotes. Where wiki links are, unless said. */
  readonly notes?: boolean
}

/** With a stop every few milliseconds. */
export function* scanningMarkdown(text: string, options: ScanOptions = {}): Steps<MarkdownScan> {
  const { from = 0, wiki = true, notes = wiki } = options
  const isPlain = !text.includes('\r') && !text.includes('\0')
  const scan = isPlain ? scanningLines : scanningForeignLines
  return yield* scan(text, from, { wiki, notes })
}

type Dialect = Required<Pick<ScanOptions, 'wiki' | 'notes'>>

/** Windows and old Macintosh line ends: scan a copy with plain ones, then move the offsets back. */
function* scanningForeignLines(text: string, from: number, dialect: Dialect): Steps<MarkdownScan> {
  const start = withPlainLines(text.slice(0, from)).length
  const scan = yield* scanningLines(withPlainLines(text), start, dialect)
  const lineStarts = lineStartsOf(text)
  const moved = (offset: number): number => {
    const line = lineIndexAt(scan.lineStarts, offset)
    return lineStarts[line]! + offset - scan.lineStarts[line]!
  }
  const move = <T extends { readonly start: number; readonly end: number }>(item: T): T => ({
    ...item,
    start: moved(item.start),
    end: moved(item.end),
  })
  return {
    headings: scan.headings.map(move),
    codeBlocks: scan.codeBlocks.map(move),
    codeSpans: scan.codeSpans.map(move),
    links: scan.links.map(move),
    tags: scan.tags.map((tag) => ({ ...tag, start: moved(tag.start) })),
    lineStarts,
  }
}

function withPlainLines(text: string): string {
  return text.replace(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD')
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

/** A paragraph or heading, whose inline content is scanned when the definitions are known. */
interface Leaf {
  /** Pairs of start and end: one pair unless the prefix of a container stands between the lines. */
  readonly pieces: readonly number[]
  readonly heading: Mutable<ScannedHeading> | undefined
}

function* scanningLines(text: string, from: number, dialect: Dialect): Steps<MarkdownScan> {
  const findings = inlineFindings(text, dialect)
  const blocks = new BlockScanner(text, from, findings)
  while (!blocks.scan(PIECE)) yield
  let since = 0
  for (const leaf of blocks.leaves) {
    const length = leaf.pieces.at(-1)! - leaf.pieces[0]!
    if (length > PIECE) yield* scanningLeaf(findings, text, leaf)
    else scanLeaf(findings, text, leaf)
    since += length
    if (since < PIECE) continue
    since = 0
    yield
  }
  for (let i = 0; i < blocks.html.length; i += 2) {
    scanHtml(findings, text, blocks.html[i]!, blocks.html[i + 1]!)
  }
  yield
  const { links, codeSpans, tags } = findings
  return {
    headings: blocks.headings,
    codeBlocks: blocks.codeBlocks,
    codeSpans,
    links: withLines(links, blocks.lineStarts),
    tags,
    lineStarts: blocks.lineStarts,
  }
}

function scanLeaf(findings: InlineFindings, text: string, { pieces, heading }: Leaf): void {
  if (pieces.length > 2) return scanJoined(findings, text, { pieces, heading })
  const [start, end] = pieces
  if (heading) heading.text = ownText(scanInlineText(findings, text, start!, end!))
  else scanInline(findings, text, start!, end!)
}

/** The same for a long one. */
function* scanningLeaf(
  findings: InlineFindings,
  text: string,
  { pieces, heading }: Leaf,
): Steps<void> {
  if (pieces.length > 2) return scanJoined(findings, text, { pieces, heading })
  const [start, end] = pieces
  const plain = yield* scanningInline(findings, text, start!, end!, heading !== undefined)
  if (heading) heading.text = ownText(plain)
}

function scanJoined(findings: InlineFindings, text: string, { pieces, heading }: Leaf): void {
  let joined = ''
  for (let i = 0; i < pieces.length; i += 2) {
    joined += (i > 0 ? '\n' : '') + text.slice(pieces[i], pieces[i + 1])
  }
  const links = findings.links.length
  const codeSpans = findings.codeSpans.length
  const tags = findings.tags.length
  if (heading) heading.text = ownText(scanInlineText(findings, joined, 0, joined.length))
  else scanInline(findings, joined, 0, joined.length)
  const moved = placeInPieces(pieces)
  for (let i = links; i < findings.links.length; i++) moveSpan(findings.links[i]!, moved)
  for (let i = codeSpans; i < findings.codeSpans.length; i++)
    moveSpan(findings.codeSpans[i]!, moved)
  for (let i = tags; i < findings.tags.length; i++) {
    findings.tags[i]!.start = moved(findings.tags[i]!.start)
  }
}

/**
 * HTML is no Markdown, but people write `<div>[[note]]</div>` and mean the note. Of what stands
 * between the tags only wiki links count; comments and code have none.
 */
function scanHtml(findings: InlineFindings, text: string, from: number, to: number): void {
  const { links, codeSpans, tags } = findings
  const known = { links: links.length, codeSpans: codeSpans.length, tags: tags.length }
  scanInline(findings, text, from, to)
  const found = links.splice(known.links).filter(({ form }) => form === 'wiki' || form === 'embed')
  links.push(...found)
  codeSpans.length = known.codeSpans
  tags.length = known.tags
}

/** From an offset in the joined pieces to the offset in the text, by binary search. */
function placeInPieces(pieces: readonly number[]): (offset: number) => number {
  const starts: number[] = []
  let at = 0
  for (let i = 0; i < pieces.length; i += 2) {
    starts.push(at)
    at += pieces[i + 1]! - pieces[i]! + 1
  }
  return (offset) => {
    const piece = lineIndexAt(starts, offset)
    return pieces[piece * 2]! + offset - starts[piece]!
  }
}

function moveSpan(span: { start: number; end: number }, moved: (offset: number) => number): void {
  span.start = moved(span.start)
  span.end = moved(span.end)
}

/** An image inside a link is found before the link around it; put them in order of `start`. */
function withLines(
  links: (Omit<ScannedLink, 'line' | 'start'> & { start: number })[],
  lineStarts: readonly number[],
): ScannedLink[] {
  let ordered = true
  for (let i = 1; i < links.length && ordered; i++) ordered = links[i - 1]!.start <= links[i]!.start
  if (!ordered) links.sort((a, b) => a.start - b.start)
  let line = 0
  return links.map(({ form, destination, label, start, end }) => {
    while (line + 1 < lineStarts.length && lineStarts[line + 1]! <= start) line++
    return { form, destination, label, start, end, line: line + 1 }
  })
}

/** A quote or list item that is still open. */
interface Container {
  readonly quote: boolean
  /** For an item: how far its content is indented, from where the container around it begins. */
  readonly indent: number
  /** Whether anything stands in it yet; a list item may begin with one blank line, not two. */
  filled: boolean
}

type OpenLeaf = 'none' | 'paragraph' | 'fence' | 'indented' | 'html'

/**
 * Quotes and lists nested deeper than this are text. It is far more than anyone can read, and
 * keeps a line of a million `>` from opening a million quotes for each following line to look at.
 */
const DEEPEST_NESTING = 100

/** Characters at which a line may be something other than a paragraph's text. */
const LINE_SPECIAL = tableOf(' \t\n#>-+*_=0123456789`~<')

class BlockScanner {
  readonly leaves: Leaf[] = []
  /** Pairs of start and end of HTML that may hold wiki links. */
  readonly html: number[] = []
  readonly headings: Mutable<ScannedHeading>[] = []
  readonly codeBlocks: CodeBlock[] = []
  readonly lineStarts: number[] = []

  readonly #text: string
  readonly #from: number
  readonly #findings: InlineFindings
  readonly #containers: Container[] = []

  #leaf: OpenLeaf = 'none'
  /** Pieces of the open paragraph. */
  #pieces: number[] = []
  /** Where the open code block begins, and where its last line that counts ends. */
  #codeStart = 0
  #codeEnd = 0
  #fenceCode = 0
  #fenceWidth = 0
  #language = ''
  #htmlKind: HtmlBlockKind = 1

  /** Where the next line begins. */
  #lineStart = 0
  // The place in the current line. A tab at `#at` reaches to the next multiple of four columns,
  // also when a container has taken part of it, so offset and column together say everything.
  #at = 0
  #column = 0
  #lineEnd = 0
  // The first character that is not blank, from `#at`.
  #next = 0
  #nextColumn = 0

  constructor(text: string, from: number, findings: InlineFindings) {
    this.#text = text
    this.#from = from
    this.#findings = findings
  }

  /** Goes on for about so many characters; true when all are read. */
  scan(length: number): boolean {
    const text = this.#text
    const lineStarts = this.lineStarts
    const size = text.length
    if (lineStarts.length === 0) this.#passFrontMatter()
    let start = this.#lineStart
    const until = start + length
    while (start < size) {
      if (start >= until) {
        this.#lineStart = start
        return false
      }
      let end = text.indexOf('\n', start)
      const last = end < 0
      if (last) {
        end = size
        // Blanks at the very end are no line: an unclosed fence ends before them.
        if (skipBlanks(text, start, end) === end) break
      }
      const code = text.charCodeAt(start)
      const plain =
        this.#leaf === 'paragraph' &&
        this.#containers.length === 0 &&
        (code > 127 || LINE_SPECIAL[code] === 0)
      if (plain) this.#continueParagraph(start, end, start)
      else this.#line(start, end)
      if (last) break
      start = end + 1
      lineStarts.push(start)
    }
    this.#closeLeaf()
    return true
  }

  /** Its lines count, though nothing in them does. */
  #passFrontMatter(): void {
    this.lineStarts.push(0)
    let start = 0
    while (start < this.#from) {
      const end = this.#text.indexOf('\n', start)
      if (end < 0 || end >= this.#from) break
      start = end + 1
      this.lineStarts.push(start)
    }
    this.#lineStart = this.#from
  }

  #line(start: number, end: number): void {
    this.#at = start
    this.#column = 0
    this.#lineEnd = end
    const matched = this.#matchContainers()
    const allMatched = matched === this.#containers.length

    if (this.#leaf !== 'none' && this.#leaf !== 'paragraph') {
      if (allMatched && this.#continueLiteral()) return
      this.#closeLeaf()
    }
    if (this.#openBlocks(matched, allMatched)) return
    // Text is left. A paragraph takes it even if its quote or item has no prefix on this line.
    if (this.#leaf === 'paragraph') {
      // Blanks before the text stay, for code spans keep them; only a list item takes its indent.
      const lazyItem = !allMatched && !this.#containers[matched]!.quote
      this.#continueParagraph(lazyItem ? this.#next : this.#at, end, start)
      return
    }
    this.#leaf = 'paragraph'
    this.#pieces = [this.#next, end]
    this.#fill()
  }

  /** Walks over the prefixes of open quotes and items; returns how many of them go on. */
  #matchContainers(): number {
    const containers = this.#containers
    let matched = 0
    // Walking over the indent of an item does not change what comes next: looking for it again in
    // every item would take the square of their depth.
    this.#findNext()
    for (; matched < containers.length; matched++) {
      const container = containers[matched]!
      const indent = this.#nextColumn - this.#column
      if (container.quote) {
        if (indent > 3 || !this.#nextIs(GREATER)) break
        this.#passQuoteMark()
        this.#findNext()
      } else if (this.#next >= this.#lineEnd) {
        if (!container.filled) break
        this.#at = this.#next
        this.#column = this.#nextColumn
      } else {
        if (indent < container.indent) break
        this.#advance(container.indent)
      }
    }
    return matched
  }

  /** Adds the line to the open code or HTML block; false when the block ends before it. */
  #continueLiteral(): boolean {
    const text = this.#text
    const end = this.#lineEnd
    const blank = this.#next >= end
    const indent = this.#nextColumn - this.#column
    switch (this.#leaf) {
      case 'fence': {
        if (indent <= 3 && this.#nextIs(this.#fenceCode)) {
          let p = this.#next
          while (p < end && text.charCodeAt(p) === this.#fenceCode) p++
          if (p - this.#next >= this.#fenceWidth && skipBlanks(text, p, end) === end) {
            this.#codeEnd = end
            this.#closeLeaf()
            return true
          }
        }
        this.#codeEnd = end
        return true
      }
      case 'indented': {
        if (blank) return true
        if (indent < 4) return false
        this.#codeEnd = end
        return true
      }
      case 'html': {
        if (blank && this.#htmlKind >= 6) return false
        this.#keepHtml(this.#at)
        if (endsHtmlBlock(this.#htmlKind, text.slice(this.#at, end))) this.#leaf = 'none'
        return true
      }
      default:
        return false
    }
  }

  /** Lines that follow each other are one piece, so that a comment may end in a later one. */
  #keepHtml(from: number): void {
    // What stands in scripts, <pre>, instructions and declarations is code.
    if (!this.#findings.notes || ![2, 6, 7].includes(this.#htmlKind)) return
    const { html } = this
    if (html.at(-1) === from - 1) html[html.length - 1] = this.#lineEnd
    else html.push(from, this.#lineEnd)
  }

  /** Opens what the rest of the line opens; true when nothing of the line is left over. */
  #openBlocks(matched: number, allMatched: boolean): boolean {
    const text = this.#text
    const end = this.#lineEnd
    let open = matched
    let inParagraph = allMatched && this.#leaf === 'paragraph'
    for (;;) {
      if (this.#next >= end) {
        if (this.#leaf === 'paragraph') this.#closeLeaf()
        this.#closeContainers(open)
        return true
      }
      const indent = this.#nextColumn - this.#column
      const code = text.charCodeAt(this.#next)
      if (indent >= 4) {
        if (this.#leaf === 'paragraph') return false
        this.#closeContainers(open)
        this.#leaf = 'indented'
        this.#codeStart = this.#next
        this.#codeEnd = end
        this.#language = ''
        this.#fill()
        return true
      }
      if (code > 127 || LINE_SPECIAL[code] === 0) {
        if (this.#leaf !== 'paragraph') this.#closeContainers(open)
        return false
      }
      switch (code) {
        case GREATER: {
          if (open >= DEEPEST_NESTING) break
          this.#closeUpTo(open)
          this.#push({ quote: true, indent: 0, filled: false })
          this.#passQuoteMark()
          this.#findNext()
          open++
          inParagraph = false
          continue
        }
        case HASH:
          if (this.#openAtxHeading(open)) return true
          break
        case BACKTICK:
        case TILDE:
          if (this.#openFence(open, code)) return true
          break
        case LESS: {
          const kind = htmlBlockKind(text, this.#next, end, this.#leaf === 'paragraph')
          if (kind === undefined) break
          this.#closeUpTo(open)
          this.#fill()
          this.#htmlKind = kind
          this.#keepHtml(this.#next)
          if (!endsHtmlBlock(kind, text.slice(this.#next, end))) {
            this.#leaf = 'html'
          }
          return true
        }
        default:
      }
      if (inParagraph && (code === EQUALS || code === DASH) && this.#openSetextHeading(code)) {
        return true
      }
      if (this.#leaf === 'none') inParagraph = false
      if (code === STAR || code === DASH || code === UNDERSCORE) {
        if (this.#isThematicBreak(code)) {
          this.#closeUpTo(open)
          this.#fill()
          return true
        }
      }
      const width = this.#listMarkerWidth(code, inParagraph)
      if (width > 0 && open < DEEPEST_NESTING) {
        this.#closeUpTo(open)
        this.#openItem(indent, width)
        open++
        inParagraph = false
        continue
      }
      if (this.#leaf !== 'paragraph') this.#closeContainers(open)
      return false
    }
  }

  #openAtxHeading(open: number): boolean {
    const text = this.#text
    const end = this.#lineEnd
    const start = this.#next
    let p = start
    while (p < end && text.charCodeAt(p) === HASH) p++
    const level = p - start
    if (level > 6 || (p < end && !isBlank(text.charCodeAt(p)))) return false
    const from = skipBlanks(text, p, end)
    let to = trimEnd(text, from, end)
    // A closing run of `#` goes, if a blank stands before it or nothing does.
    let closing = to
    while (closing > from && text.charCodeAt(closing - 1) === HASH) closing--
    if (closing === from || isBlank(text.charCodeAt(closing - 1))) to = trimEnd(text, from, closing)
    this.#closeUpTo(open)
    this.#addHeading(level, start, trimEnd(text, start, end), this.lineStarts.length, [from, to])
    return true
  }

  /** Turns the open paragraph into a heading when this line underlines it. */
  #openSetextHeading(code: number): boolean {
    const text = this.#text
    const end = this.#lineEnd
    let p = this.#next
    while (p < end && text.charCodeAt(p) === code) p++
    if (skipBlanks(text, p, end) !== end) return false
    const pieces = this.#withoutDefinitions(this.#pieces)
    if (pieces.length === 0) {
      // Definitions alone are no heading; the line stands for itself.
      this.#leaf = 'none'
      return false
    }
    this.#leaf = 'none'
    pieces[pieces.length - 1] = trimEnd(text, pieces[pieces.length - 2]!, pieces.at(-1) ?? 0)
    const line = lineIndexAt(this.lineStarts, pieces[0]!) + 1
    this.#addHeading(code === EQUALS ? 1 : 2, pieces[0]!, p, line, pieces)
    return true
  }

  #addHeading(level: number, start: number, end: number, line: number, pieces: number[]): void {
    this.#fill()
    const nested = this.#containers.length > 0
    const heading = { level, text: '', start, end, line, nested }
    this.headings.push(heading)
    this.leaves.push({ pieces, heading })
  }

  #openFence(open: number, code: number): boolean {
    const text = this.#text
    const end = this.#lineEnd
    let p = this.#next
    while (p < end && text.charCodeAt(p) === code) p++
    const width = p - this.#next
    if (width < 3) return false
    const info = text.slice(p, end).trim()
    if (code === BACKTICK && info.includes('`')) return false
    this.#closeUpTo(open)
    this.#fill()
    this.#leaf = 'fence'
    this.#fenceCode = code
    this.#fenceWidth = width
    this.#codeStart = this.#next
    this.#codeEnd = end
    this.#language = languageOf(info)
    return true
  }

  #isThematicBreak(code: number): boolean {
    const text = this.#text
    let count = 0
    for (let p = this.#next; p < this.#lineEnd; p++) {
      const here = text.charCodeAt(p)
      if (here === code) count++
      else if (!isBlank(here)) return false
    }
    return count >= 3
  }

  /** How wide the list marker here is, or 0. Not every marker may interrupt a paragraph. */
  #listMarkerWidth(code: number, inParagraph: boolean): number {
    const text = this.#text
    const end = this.#lineEnd
    const start = this.#next
    let p = start + 1
    if (code !== DASH && code !== STAR && code !== PLUS) {
      if (!isDigit(code)) return 0
      while (p < end && p - start < 10 && isDigit(text.charCodeAt(p))) p++
      const mark = p < end ? text.charCodeAt(p) : 0
      if (p - start > 9 || (mark !== DOT && mark !== PAREN_CLOSE)) return 0
      if (inParagraph && Number(text.slice(start, p)) !== 1) return 0
      p++
    }
    if (p < end && !isBlank(text.charCodeAt(p))) return 0
    if (inParagraph && skipBlanks(text, p, end) === end) return 0
    return p - start
  }

  #openItem(indent: number, width: number): void {
    const text = this.#text
    this.#at = this.#next + width
    this.#column = this.#nextColumn + width
    this.#findNext()
    const gap = this.#nextColumn - this.#column
    const blank = this.#next >= this.#lineEnd
    // Five blanks or more: one belongs to the marker, the others indent code.
    const padding = gap >= 5 || gap < 1 || blank ? 1 : gap
    if (this.#at < this.#lineEnd && isBlank(text.charCodeAt(this.#at))) this.#advance(padding)
    this.#findNext()
    this.#push({ quote: false, indent: indent + width + padding, filled: false })
  }

  #passQuoteMark(): void {
    this.#at = this.#next + 1
    this.#column = this.#nextColumn + 1
    if (this.#at < this.#lineEnd && isBlank(this.#text.charCodeAt(this.#at))) this.#advance(1)
  }

  #findNext(): void {
    const text = this.#text
    let at = this.#at
    let column = this.#column
    for (; at < this.#lineEnd; at++) {
      const code = text.charCodeAt(at)
      if (code === SPACE) column++
      else if (code === TAB) column += 4 - (column & 3)
      else break
    }
    this.#next = at
    this.#nextColumn = column
  }

  #nextIs(code: number): boolean {
    return this.#next < this.#lineEnd && this.#text.charCodeAt(this.#next) === code
  }

  /** Moves on by so many columns of blanks; the last tab may be taken in part. */
  #advance(columns: number): void {
    let left = columns
    while (left > 0 && this.#at < this.#lineEnd) {
      const width = this.#text.charCodeAt(this.#at) === TAB ? 4 - (this.#column & 3) : 1
      if (width > left) {
        this.#column += left
        return
      }
      this.#column += width
      this.#at++
      left -= width
    }
  }

  #fill(): void {
    const { length } = this.#containers
    if (length > 0) this.#containers[length - 1]!.filled = true
  }

  #push(container: Container): void {
    this.#fill()
    this.#containers.push(container)
  }

  #closeUpTo(open: number): void {
    this.#closeLeaf()
    this.#closeContainers(open)
  }

  #closeContainers(open: number): void {
    if (this.#containers.length > open) {
      this.#closeLeaf()
      this.#containers.length = open
    }
  }

  #continueParagraph(from: number, end: number, lineStart: number): void {
    const pieces = this.#pieces
    const last = pieces.length - 1
    // Lines without a container's prefix lie next to each other in the text: one piece.
    if (from === lineStart && pieces[last]! + 1 === from) pieces[last] = end
    else pieces.push(from, end)
  }

  #closeLeaf(): void {
    switch (this.#leaf) {
      case 'paragraph': {
        const pieces = this.#withoutDefinitions(this.#pieces)
        if (pieces.length > 0) this.leaves.push({ pieces, heading: undefined })
        break
      }
      case 'fence':
      case 'indented': {
        const fenced = this.#leaf === 'fence'
        const start = this.#codeStart
        this.codeBlocks.push({ language: this.#language, fenced, start, end: this.#codeEnd })
        break
      }
      default:
    }
    this.#leaf = 'none'
  }

  /** Takes the link definitions from the front of a paragraph; what is left may be nothing. */
  #withoutDefinitions(pieces: number[]): number[] {
    const text = this.#text
    if (text.charCodeAt(pieces[0]!) !== BRACKET_OPEN) return pieces
    const whole = pieces.length === 2
    let joined = text
    if (!whole) {
      joined = ''
      for (let i = 0; i < pieces.length; i += 2) {
        joined += (i > 0 ? '\n' : '') + text.slice(pieces[i], pieces[i + 1])
      }
    }
    const start = whole ? pieces[0]! : 0
    const to = whole ? pieces[1]! : joined.length
    let from = start
    while (from < to && joined.charCodeAt(from) === BRACKET_OPEN) {
      const end = this.#readDefinition(joined, from, to)
      if (end < 0) break
      from = skipBlanks(joined, end, to)
    }
    if (from === start) return pieces
    if (from >= to) return []
    if (whole) return [from, to]
    // Definitions end with a line, so the rest begins at a line: find the piece it lies in.
    let skip = from
    let i = 0
    while (skip > pieces[i + 1]! - pieces[i]!) {
      skip -= pieces[i + 1]! - pieces[i]! + 1
      i += 2
    }
    return [pieces[i]! + skip, ...pieces.slice(i + 1)]
  }

  /** Reads `[label]: destination "title"` and returns the start of the next line, or -1. */
  #readDefinition(text: string, from: number, to: number): number {
    const labelEnd = linkLabelEnd(text, from, to)
    if (labelEnd < 0 || labelEnd >= to || text.charCodeAt(labelEnd) !== COLON) return -1
    const label = normaliseLabel(text.slice(from + 1, labelEnd - 1))
    if (label === '') return -1
    // `[^1]: [[note]]` is a footnote, whose text is text.
    if (this.#findings.notes && label.startsWith('^')) return -1
    const start = skipSpacing(text, labelEnd + 1, to)
    const end = readDestination(text, start, to)
    if (end < 0 || end === start) return -1
    const destination = lastDestination()
    let rest = lineEndAt(text, end, to)
    const titleStart = skipSpacing(text, end, to)
    if (titleStart > end) {
      const titleEnd = readTitle(text, titleStart, to)
      if (titleEnd > 0) {
        const afterTitle = lineEndAt(text, titleEnd, to)
        if (afterTitle >= 0) rest = afterTitle
      }
    }
    if (rest < 0) return -1
    const { definitions } = this.#findings
    if (!definitions.has(label)) definitions.set(label, destination)
    return Math.min(rest + 1, to)
  }
}

/** Where the line ends if only blanks follow, or -1. */
function lineEndAt(text: string, from: number, to: number): number {
  const at = skipBlanks(text, from, to)
  return at >= to || text.charCodeAt(at) === NEWLINE ? at : -1
}

function trimEnd(text: string, from: number, to: number): number {
  let end = to
  while (end > from && isBlank(text.charCodeAt(end - 1))) end--
  return end
}

function languageOf(info: string): string {
  if (info === '') return ''
  const space = info.search(/\s/)
  return unescapeMarkdown(space < 0 ? info : info.slice(0, space)).toLowerCase()
}
