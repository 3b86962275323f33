/**
 * What stands inside a paragraph or heading: links, code spans, tags, and its plain text.
 *
 * The scanner walks the characters once and stops only at those that can begin something. Emphasis
 * never decides where a link is, so `*` and `_` are looked at only when plain text is asked for.
 * Every search is bounded by what it has already seen, which keeps hostile input linear.
 */
import type { Steps } from '../../kit/slices.ts'
import {
  AMPERSAND,
  BACKSLASH,
  BACKTICK,
  BANG,
  BRACKET_CLOSE,
  BRACKET_OPEN,
  DASH,
  DOUBLE_QUOTE,
  GREATER,
  HASH,
  LESS,
  NEWLINE,
  PAREN_CLOSE,
  PAREN_OPEN,
  PIPE,
  SINGLE_QUOTE,
  SLASH,
  SPACE,
  STAR,
  UNDERSCORE,
  flankOf,
  isAsciiAlphanumeric,
  isAsciiPunctuation,
  isDigit,
  skipBlanks,
  skipSpacing,
  tableOf,
} from './characters.ts'
import { referenceAt, unescapeMarkdown } from './entities.ts'
import {
  emailAutolinkEnd,
  inlineHtmlEnd,
  mayOpenAngle,
  terminators,
  uriAutolinkEnd,
  type Terminators,
} from './html.ts'

export type LinkForm = 'inline' | 'reference' | 'image' | 'autolink' | 'wiki' | 'embed'

/** A link as written. Offsets are mutable because a paragraph inside a quote is scanned apart. */
export interface FoundLink {
  form: LinkForm
  /** Escapes resolved, angle brackets gone; for wiki links what stands before the `|`. */
  destination: string
  /** Plain text between the brackets; empty when there is none. */
  label: string
  start: number
  end: number
}

export interface FoundCodeSpan {
  content: string
  start: number
  end: number
}

export interface FoundTag {
  name: string
  start: number
}

/** Everything found in the inline content of one document, and what is needed to find it. */
export interface InlineFindings {
  readonly links: FoundLink[]
  readonly codeSpans: FoundCodeSpan[]
  readonly tags: FoundTag[]
  /** Destinations of `[label]: destination`, by normalised label. */
  readonly definitions: Map<string, string>
  /** Wiki links and tags: off for plain CommonMark. */
  readonly wiki: boolean
  /** Wiki links inside HTML, and footnotes. */
  readonly notes: boolean
  /** The whole text, the low byte of each of its characters, and how far searches have come. */
  readonly text: string
  readonly lowBytes: Uint8Array
  readonly ends: Terminators
  /** Open brackets, shared by nested scans, each of which uses what lies above its own base. */
  readonly brackets: Bracket[]
}

interface Bracket {
  readonly at: number
  readonly image: boolean
  /** Whether another bracket follows inside, so that the text between cannot be a label. */
  holdsBracket: boolean
  /** How deep the links inside are nested. */
  depth: number
  /** How many emphasis marks had been seen before this bracket. */
  readonly marks: number
}

export function inlineFindings(
  text: string,
  { wiki, notes }: Pick<InlineFindings, 'wiki' | 'notes'>,
): InlineFindings {
  return {
    links: [],
    codeSpans: [],
    tags: [],
    definitions: new Map(),
    wiki,
    notes,
    text,
    lowBytes: lowBytesOf(text),
    ends: terminators(),
    brackets: [],
  }
}

/** A piece of this length is scanned in about a millisecond. */
export const PIECE = 32 * 1024

const scratch = Buffer.allocUnsafe(PIECE)

/**
 * Looking for the next mark in bytes takes half the time it takes in a string. A wide character
 * may have the low byte of a mark, so whoever stops there looks at the text itself again. The
 * bytes are good until the next text comes: a text of one piece is scanned without a stop, so none
 * comes in between, and a longer one has bytes of its own.
 */
function lowBytesOf(text: string): Uint8Array {
  if (text.length > PIECE) return Buffer.from(text, 'latin1')
  scratch.write(text, 0, 'latin1')
  return scratch
}

/** Collects the links, code spans and tags of `text` between `from` and `to`. */
export function scanInline(findings: InlineFindings, text: string, from: number, to: number): void {
  new InlineScan(findings, text, from, to, true, undefined).scan(to)
}

/** The same, and returns the plain text: markup removed, escapes resolved, on one line. */
export function scanInlineText(
  findings: InlineFindings,
  text: string,
  from: number,
  to: number,
): string {
  const edits = new Edits(SPACE, SPACE)
  new InlineScan(findings, text, from, to, true, edits).scan(to)
  return edits.apply(text, from, to)
}

/** A long text piece by piece, with a stop after each; its plain text where that is asked for. */
export function* scanningInline(
  findings: InlineFindings,
  text: string,
  from: number,
  to: number,
  asText: boolean,
): Steps<string> {
  const edits = asText ? new Edits(SPACE, SPACE) : undefined
  const scan = new InlineScan(findings, text, from, to, true, edits)
  while (!scan.scan(Math.min(to, scan.at + PIECE))) yield
  return edits?.apply(text, from, to) ?? ''
}

/**
 * Images may stand inside links and inside each other. Past this depth a label is left out:
 * thousands of nested images would ask for the same characters thousands of times.
 */
const DEEPEST_LABEL = 8

const LINK_STOPS = tableOf('\\`<[]#')
const TEXT_STOPS = tableOf('\\`<[]#*_&\n')

/**
 * One walk over the characters, which may stop and go on. What each mark means is a method of its
 * own: V8 compiles a function anew when it first comes to a branch of it, and as one function with
 * all of them this was a quarter of what it compiled for a whole base.
 */
class InlineScan {
  /** Where it goes on. */
  at: number
  readonly #findings: InlineFindings
  readonly #text: string
  readonly #from: number
  readonly #to: number
  readonly #collect: boolean
  readonly #edits: Edits | undefined
  /** Open brackets of scans around this one. */
  readonly #base: number
  /** A link may not hold another: brackets below this height were shut by a finished link. */
  #shutBelow: number
  #escapedAt = -1
  #backticks: BacktickRuns | undefined = undefined
  #ends: Terminators | undefined = undefined

  constructor(
    findings: InlineFindings,
    text: string,
    from: number,
    to: number,
    collect: boolean,
    edits: Edits | undefined,
  ) {
    this.at = from
    this.#findings = findings
    this.#text = text
    this.#from = from
    this.#to = to
    this.#collect = collect
    this.#edits = edits
    this.#base = findings.brackets.length
    this.#shutBelow = this.#base
  }

  /** Goes on up to about there; true when all is scanned. */
  scan(until: number): boolean {
    const findings = this.#findings
    const text = this.#text
    const stops = this.#edits ? TEXT_STOPS : LINK_STOPS
    const bytes = text === findings.text ? findings.lowBytes : undefined
    let p = this.at
    while (p < until) {
      if (bytes) {
        while (p < until && stops[bytes[p]!] === 0) p++
        if (p === until) break
      }
      const code = text.charCodeAt(p)
      p = code > 127 || stops[code] === 0 ? p + 1 : this.#pass(code, p)
    }
    this.at = p
    if (p < this.#to) return false
    this.#edits?.settleMarks(0)
    findings.brackets.length = this.#base
    return true
  }

  /** What the mark at `p` means; returns where to go on. */
  #pass(code: number, p: number): number {
    switch (code) {
      case BACKSLASH:
        return this.#passBackslash(p)
      case BACKTICK:
        return this.#passBacktick(p)
      case LESS:
        return this.#passAngle(p)
      case BRACKET_OPEN:
        return this.#openBracket(p)
      case BRACKET_CLOSE:
        return this.#closeBracket(p)
      case HASH:
        if (!this.#findings.wiki || !this.#collect) return p + 1
        return tagAt(this.#findings, this.#text, p, this.#from, this.#to)
      case STAR:
      case UNDERSCORE:
        return this.#passEmphasis(code, p)
      case AMPERSAND:
        return this.#passReference(p)
      case NEWLINE:
        return this.#passLineEnd(p)
      default:
        return p + 1
    }
  }

  #passBackslash(p: number): number {
    const next = p + 1 < this.#to ? this.#text.charCodeAt(p + 1) : 0
    if (isAsciiPunctuation(next)) {
      this.#edits?.replace(p, p + 1, '')
      this.#escapedAt = p + 1
      return p + 2
    }
    if (next === NEWLINE) this.#edits?.replace(p, p + 1, '')
    return p + 1
  }

  #passBacktick(p: number): number {
    const text = this.#text
    const width = runLength(text, p, this.#to, BACKTICK)
    this.#backticks ??= new BacktickRuns()
    const close = this.#backticks.find(text, p + width, this.#to, width)
    if (close < 0) return p + width
    const end = close + width
    if (this.#collect || this.#edits) {
      const content = codeSpanContent(text, p + width, close)
      if (this.#collect) this.#findings.codeSpans.push({ content, start: p, end })
      this.#edits?.replace(p, end, content)
    }
    return end
  }

  #passAngle(p: number): number {
    const text = this.#text
    const to = this.#to
    if (!mayOpenAngle(text, p)) return p + 1
    let end = uriAutolinkEnd(text, p, to)
    const email = end < 0
    if (email) end = emailAutolinkEnd(text, p, to)
    if (end > 0) {
      const inner = text.slice(p + 1, end - 1)
      const destination = email ? `mailto:${inner}` : inner
      if (this.#collect) {
        const link = { form: 'autolink' as const, destination, label: inner, start: p, end }
        this.#findings.links.push(link)
      }
      this.#edits?.replace(p, end, inner)
      return end
    }
    this.#ends ??= text === this.#findings.text ? this.#findings.ends : terminators()
    end = inlineHtmlEnd(text, p, to, this.#ends)
    if (end < 0) return p + 1
    this.#edits?.replace(p, end, '')
    return end
  }

  #openBracket(p: number): number {
    const text = this.#text
    const { brackets, wiki } = this.#findings
    const edits = this.#edits
    const image = p > this.#from && text.charCodeAt(p - 1) === BANG && this.#escapedAt !== p - 1
    if (brackets.length > this.#base) brackets[brackets.length - 1]!.holdsBracket = true
    if (wiki && text.charCodeAt(p + 1) === BRACKET_OPEN) {
      const link = wikiLinkAt(text, p, this.#to, image)
      if (link) {
        if (this.#collect) this.#findings.links.push(link)
        edits?.replace(link.start, link.end, image ? '' : link.label || link.destination)
        // A link may not hold another; an embed is like an image and may stand in one.
        if (!image) this.#shutBelow = brackets.length
        return link.end
      }
    }
    const marks = edits ? edits.marks.length : 0
    brackets.push({ at: p, image, holdsBracket: false, depth: 0, marks })
    return p + 1
  }

  #closeBracket(p: number): number {
    const findings = this.#findings
    const { brackets } = findings
    if (brackets.length === this.#base) return p + 1
    const text = this.#text
    const edits = this.#edits
    const opener = brackets.pop() as Bracket
    const height = brackets.length
    const shut = !opener.image && height < this.#shutBelow
    if (this.#shutBelow > height) this.#shutBelow = height
    const form = shut ? undefined : closeBracket(findings, text, opener, p, this.#to)
    const depth = opener.depth + (form ? 1 : 0)
    if (height > this.#base && brackets[height - 1]!.depth < depth) {
      brackets[height - 1]!.depth = depth
    }
    if (!form) return p + 1
    const end = tail.end
    const start = opener.image ? opener.at - 1 : opener.at
    if (this.#collect) {
      const { destination } = tail
      const label = depth > DEEPEST_LABEL ? '' : labelText(findings, text, opener.at + 1, p)
      findings.links.push({ form, destination, label, start, end })
    }
    if (edits) {
      edits.settleMarks(opener.marks)
      edits.replace(start, opener.at + 1, '')
      edits.replace(p, end, '')
    }
    if (!opener.image) this.#shutBelow = height
    return end
  }

  #passEmphasis(code: number, p: number): number {
    const width = runLength(this.#text, p, this.#to, code)
    this.#edits?.mark(this.#text, p, width, code, this.#from, this.#to)
    return p + width
  }

  #passReference(p: number): number {
    const reference = referenceAt(this.#text, p)
    if (!reference || reference.end > this.#to) return p + 1
    this.#edits?.replace(p, reference.end, reference.text)
    return reference.end
  }

  #passLineEnd(p: number): number {
    let start = p
    while (start > this.#from && this.#text.charCodeAt(start - 1) === SPACE) start--
    const end = skipBlanks(this.#text, p + 1, this.#to)
    this.#edits?.replace(start, end, ' ')
    return end
  }
}

function runLength(text: string, at: number, to: number, code: number): number {
  let end = at + 1
  while (end < to && text.charCodeAt(end) === code) end++
  return end - at
}

/** Finds closing backticks, and remembers which lengths no longer occur before the end. */
class BacktickRuns {
  /** Once a search has reached the end: the last place where each length was seen. */
  #last: Map<number, number> | undefined

  find(text: string, from: number, to: number, width: number): number {
    if (this.#last && (this.#last.get(width) ?? -1) < from) return -1
    const seen = new Map<number, number>()
    let p = from
    while (p < to) {
      if (text.charCodeAt(p) !== BACKTICK) {
        p++
        continue
      }
      const length = runLength(text, p, to, BACKTICK)
      if (length === width) return p
      seen.set(length, p)
      p += length
    }
    this.#last ??= seen
    return -1
  }
}

/** Line ends become spaces, and one space goes from either side when both have one. */
function codeSpanContent(text: string, from: number, to: number): string {
  let content = text.slice(from, to)
  if (content.includes('\n')) content = content.replaceAll('\n', ' ')
  const padded =
    content.length > 1 &&
    content.charCodeAt(0) === SPACE &&
    content.charCodeAt(content.length - 1) === SPACE
  return padded && content.trim() !== '' ? content.slice(1, -1) : content
}

/** What the last successful look behind a `]` found; read at once, so it needs no object. */
const tail = { destination: '', title: '', end: 0 }

/** The form of the link that the `]` at `at` completes, or undefined. Fills `tail`. */
function closeBracket(
  findings: InlineFindings,
  text: string,
  opener: Bracket,
  at: number,
  to: number,
): LinkForm | undefined {
  const next = at + 1 < to ? text.charCodeAt(at + 1) : 0
  if (next === PAREN_OPEN && readInlineTail(text, at + 2, to)) {
    return opener.image ? 'image' : 'inline'
  }
  const { definitions } = findings
  if (definitions.size === 0) return undefined
  let end = at + 1
  let label: string | undefined
  if (next === BRACKET_OPEN) {
    const labelEnd = linkLabelEnd(text, at + 1, to)
    if (labelEnd > 0) {
      end = labelEnd
      const collapsed = labelEnd === at + 3
      if (!collapsed) label = text.slice(at + 2, labelEnd - 1)
    }
  }
  if (label === undefined) {
    if (opener.holdsBracket || at - opener.at > LONGEST_LABEL) return undefined
    label = text.slice(opener.at + 1, at)
  }
  const destination = definitions.get(normaliseLabel(label))
  if (destination === undefined) return undefined
  tail.destination = destination
  tail.end = end
  return opener.image ? 'image' : 'reference'
}

const LONGEST_LABEL = 1000

/** The end of the label whose `[` is at `at`, or -1: it has no brackets inside and is not endless. */
export function linkLabelEnd(text: string, at: number, to: number): number {
  const limit = Math.min(to, at + LONGEST_LABEL + 1)
  for (let p = at + 1; p < limit; p++) {
    const code = text.charCodeAt(p)
    if (code === BRACKET_CLOSE) return p + 1
    if (code === BRACKET_OPEN) return -1
    if (code === BACKSLASH && p + 1 < limit) p++
  }
  return -1
}

/** Labels match without regard to case and runs of spaces. */
export function normaliseLabel(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase()
}

/** Reads `destination "title")`, where `from` is behind the `(`. Fills `tail`. */
function readInlineTail(text: string, from: number, to: number): boolean {
  let p = skipSpacing(text, from, to)
  p = readDestination(text, p, to)
  if (p < 0) return false
  const destination = tail.destination
  const afterSpace = skipSpacing(text, p, to)
  if (afterSpace > p) {
    const titleEnd = readTitle(text, afterSpace, to)
    p = titleEnd > 0 ? skipSpacing(text, titleEnd, to) : afterSpace
  }
  if (p >= to || text.charCodeAt(p) !== PAREN_CLOSE) return false
  tail.destination = destination
  tail.end = p + 1
  return true
}

/** Deeper parentheses than this end a destination; the limit keeps hostile input linear. */
const DEEPEST_PARENTHESES = 32

/** Reads a destination, possibly empty, into `tail.destination` and returns its end, or -1. */
export function readDestination(text: string, from: number, to: number): number {
  let p = from
  if (p < to && text.charCodeAt(p) === LESS) {
    for (p++; p < to; p++) {
      const code = text.charCodeAt(p)
      if (code === GREATER) {
        tail.destination = unescapeMarkdown(text.slice(from + 1, p))
        return p + 1
      }
      if (code === NEWLINE || code === LESS) return -1
      if (code === BACKSLASH && p + 1 < to) p++
    }
    return -1
  }
  let open = 0
  for (; p < to; p++) {
    const code = text.charCodeAt(p)
    if (code <= SPACE || code === 127) break
    if (code === BACKSLASH) {
      if (p + 1 < to && isAsciiPunctuation(text.charCodeAt(p + 1))) p++
    } else if (code === PAREN_OPEN) {
      if (++open > DEEPEST_PARENTHESES) return -1
    } else if (code === PAREN_CLOSE && --open < 0) break
  }
  if (open > 0) return -1
  tail.destination = unescapeMarkdown(text.slice(from, p))
  return p
}

/** The destination read last. */
export function lastDestination(): string {
  return tail.destination
}

/** The end of the quoted or parenthesised title at `from`, or -1. */
export function readTitle(text: string, from: number, to: number): number {
  if (from >= to) return -1
  const open = text.charCodeAt(from)
  if (open !== DOUBLE_QUOTE && open !== SINGLE_QUOTE && open !== PAREN_OPEN) return -1
  const close = open === PAREN_OPEN ? PAREN_CLOSE : open
  for (let p = from + 1; p < to; p++) {
    const code = text.charCodeAt(p)
    if (code === close) return p + 1
    if (code === PAREN_OPEN && open === PAREN_OPEN) return -1
    if (code === BACKSLASH) p++
  }
  return -1
}

/** Plain text of a label. Most labels are plain already. */
function labelText(findings: InlineFindings, text: string, from: number, to: number): string {
  for (let p = from; p < to; p++) {
    const code = text.charCodeAt(p)
    if (code < 128 && TEXT_STOPS[code] === 1) {
      const edits = new Edits(BRACKET_OPEN, BRACKET_CLOSE)
      new InlineScan(findings, text, from, to, false, edits).scan(to)
      return edits.apply(text, from, to)
    }
  }
  return text.slice(from, to)
}

/**
 * `[[target|label]]` at `at`. The target holds no brackets, the label no `[[`, and both stay on
 * one line. In tables the `|` is written `\|`.
 */
function wikiLinkAt(text: string, at: number, to: number, embed: boolean): FoundLink | undefined {
  let pipe = -1
  let p = at + 2
  for (; p + 1 < to; p++) {
    const code = text.charCodeAt(p)
    if (code === BRACKET_CLOSE) {
      if (text.charCodeAt(p + 1) === BRACKET_CLOSE) break
      if (pipe < 0) return undefined
    } else if (code === BRACKET_OPEN) {
      if (pipe < 0 || text.charCodeAt(p + 1) === BRACKET_OPEN) return undefined
    } else if (code === PIPE) {
      if (pipe < 0) pipe = p
    } else if (code === NEWLINE) return undefined
  }
  if (p + 1 >= to) return undefined
  let targetEnd = pipe < 0 ? p : pipe
  if (pipe > 0 && text.charCodeAt(pipe - 1) === BACKSLASH) targetEnd--
  const destination = text.slice(at + 2, targetEnd).trim()
  if (destination === '') return undefined
  const label = pipe < 0 ? '' : text.slice(pipe + 1, p).trim()
  const form = embed ? 'embed' : 'wiki'
  return { form, destination, label, start: embed ? at - 1 : at, end: p + 2 }
}

const TAG = /[\p{L}\p{M}\p{N}_/-]+/uy
const SPACE_BEFORE_TAG = /\s/

/** Notes the tag whose `#` is at `at`, if it is one, and returns where to go on. */
function tagAt(
  findings: InlineFindings,
  text: string,
  at: number,
  from: number,
  to: number,
): number {
  const next = at + 1
  if (next >= to || (at > from && !SPACE_BEFORE_TAG.test(text[at - 1]!))) return next
  const first = text.charCodeAt(next)
  if (first < 128 && !isTagCode(first)) return next
  let end = next
  while (end < to && isTagCode(text.charCodeAt(end))) end++
  if (end < to && text.charCodeAt(end) > 127) {
    TAG.lastIndex = next
    if (!TAG.test(text)) return next
    end = Math.min(TAG.lastIndex, to)
  }
  while (end > next && text.charCodeAt(end - 1) === SLASH) end--
  const name = text.slice(next, end)
  if (isTagName(name)) findings.tags.push({ name, start: at })
  return end > next ? end : next
}

function isTagCode(code: number): boolean {
  return isAsciiAlphanumeric(code) || code === DASH || code === SLASH || code === UNDERSCORE
}

/** Not a number (`#12` is an issue or a rank), and not dashes alone. */
function isTagName(name: string): boolean {
  let onlyDigits = true
  let onlyPunctuation = true
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i)
    if (!isDigit(code)) onlyDigits = false
    if (code !== DASH && code !== SLASH) onlyPunctuation = false
  }
  return name !== '' && !onlyDigits && !onlyPunctuation
}

interface Mark {
  readonly at: number
  readonly code: number
  readonly width: number
  readonly opens: boolean
  readonly closes: boolean
  /** How many of its characters are still text. */
  left: number
}

/** Changes that turn a piece of Markdown into its plain text. They never overlap. */
class Edits {
  readonly marks: Mark[] = []
  readonly #edits: { readonly start: number; readonly end: number; readonly text: string }[] = []
  readonly #before: number
  readonly #after: number

  /** The characters around the piece, which decide what an emphasis mark at its edge can do. */
  constructor(before: number, after: number) {
    this.#before = before
    this.#after = after
  }

  replace(start: number, end: number, text: string): void {
    this.#edits.push({ start, end, text })
  }

  /** A run of `*` or `_`, which may open or close emphasis depending on its neighbours. */
  mark(text: string, at: number, width: number, code: number, from: number, to: number): void {
    const before = flankOf(at > from ? codePointBefore(text, at) : this.#before)
    const end = at + width
    const after = flankOf(end < to ? (text.codePointAt(end) ?? SPACE) : this.#after)
    const left = after !== 'space' && (after !== 'punctuation' || before !== 'other')
    const right = before !== 'space' && (before !== 'punctuation' || after !== 'other')
    const inWord = code === UNDERSCORE
    const opens = left && (!inWord || !right || before === 'punctuation')
    const closes = right && (!inWord || !left || after === 'punctuation')
    this.marks.push({ at, code, width, opens, closes, left: width })
  }

  /**
   * Pairs the marks from number `first` on and forgets them. Each mark looks back for its opener
   * along `previous`, which skips what is spent; `floor` remembers, for each kind of closer, below
   * which mark there is none, so that no stretch is searched twice.
   */
  settleMarks(first: number): void {
    const { marks } = this
    if (marks.length <= first) return
    const previous: number[] = []
    const floor = new Map<number, number>()
    let last = -1
    for (let i = first; i < marks.length; i++) {
      const closer = marks[i]!
      let back = last
      while (closer.closes && closer.left > 0) {
        const kind = closer.code * 6 + (closer.opens ? 3 : 0) + (closer.width % 3)
        const lowest = floor.get(kind) ?? first - 1
        let j = back
        while (j > lowest && !pairs(marks[j]!, closer)) j = previous[j - first]!
        if (j <= lowest) {
          floor.set(kind, back)
          break
        }
        const opener = marks[j]!
        const used = opener.left >= 2 && closer.left >= 2 ? 2 : 1
        opener.left -= used
        closer.left -= used
        back = opener.left > 0 ? j : previous[j - first]!
      }
      previous[i - first] = back
      last = closer.opens && closer.left > 0 ? i : back
    }
    for (let i = first; i < marks.length; i++) {
      const { at, width, left, code } = marks[i]!
      if (left < width) this.replace(at, at + width, String.fromCharCode(code).repeat(left))
    }
    marks.length = first
  }

  apply(text: string, from: number, to: number): string {
    const edits = this.#edits
    if (edits.length === 0) return text.slice(from, to)
    edits.sort((a, b) => a.start - b.start)
    let result = ''
    let p = from
    for (const edit of edits) {
      result += text.slice(p, edit.start) + edit.text
      p = edit.end
    }
    return result + text.slice(p, to)
  }
}

/** CommonMark's rule of three: `**a*` does not pair when both sides could do either. */
function pairs(opener: Mark, closer: Mark): boolean {
  if (opener.code !== closer.code || !opener.opens || opener.left === 0) return false
  const either = opener.closes || closer.opens
  return (
    !either ||
    (opener.width + closer.width) % 3 !== 0 ||
    (opener.width % 3 === 0 && closer.width % 3 === 0)
  )
}

function codePointBefore(text: string, at: number): number {
  const low = text.charCodeAt(at - 1)
  const pair = low >= 0xdc00 && low <= 0xdfff && at >= 2
  return pair ? (text.codePointAt(at - 2) ?? low) : low
}
