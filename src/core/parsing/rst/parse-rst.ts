/**
 * A reStructuredText file as a document, by a line scanner: headings, links, code, metadata. The text
 * stays what it is; lists and tables are read as they stand.
 */
import type { CodeBlock, Heading, Link, Parser, Properties } from '../../domain/text.ts'
import { chunkDocument } from '../chunk.ts'
import { lineStartsOf } from '../lines.ts'

export const parseRst: Parser = (text) => {
  const bodyStart = text.startsWith('\uFEFF') ? 1 : 0
  const lineStarts = lineStartsOf(text)
  const scan = new Scan(text, lineStarts, bodyStart)
  scan.run()
  const { headings, codeBlocks, properties } = scan
  const [first] = headings
  // Little stands above the title of a file.
  const heading = first?.level === 1 && first.line <= TITLE_WITHIN ? first.text : undefined
  const said = (key: string): string | undefined => {
    const value = properties[key]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  return {
    document: {
      title: said('title') ?? heading,
      frontMatterTitle: said('title'),
      aliases: [...scan.labels].slice(0, MOST_LABELS),
      tags: (said('tags') ?? '').split(',').flatMap((tag) => tag.trim() || []),
      inlineTags: [],
      description: said('description') ?? said('summary'),
      properties,
      bodyStart,
      headings,
      links: scan.links(),
      codeBlocks,
      chunks: chunkDocument({ text, bodyStart, headings, codeBlocks, lineStarts }),
    },
    warnings: [],
  }
}

const TITLE_WITHIN = 60
const MOST_LABELS = 200
/** A longer line is no heading, and looking for links in it takes long. */
const LONGEST_LINE = 4_000
const LONGEST_HEADING = 200

/** A line of one sign, four times at least or as long as what it underlines. */
const ADORNMENT = /^([!-/:-@[-`{-~])\1*$/
const DIRECTIVE = /^( *)\.\. (?:\|[^|]+\| )?([\w:.-]+)::(?:[ \t]+(.*))?$/
const OPTION = /^\s+:([\w-]+):(?:[ \t]+(.*))?$/
const LABEL = /^ *\.\. _(`[^`]+`|(?:\\:|[^:`])+):(?:[ \t]+(\S.*))?$/
const FIELD = /^:([\w -]{1,60}):(?:[ \t]+(.*))?$/
/** Nikola, Tinkerer and others write what a page is in comments at its top. */
const COMMENT_FIELD = /^\.\. ([a-z][\w-]{0,40}):[ \t]+(\S.*)$/

const CODE = new Set(['code-block', 'code', 'sourcecode', 'parsed-literal', 'math', 'raw'])
const PICTURES = new Set(['image', 'figure'])
const FILES = new Set(['include', 'literalinclude', 'download'])

class Scan {
  readonly headings: Heading[] = []
  readonly codeBlocks: CodeBlock[] = []
  readonly properties: Record<string, string> & Properties = {}
  readonly labels = new Set<string>()
  readonly #text: string
  readonly #starts: readonly number[]
  readonly #from: number
  readonly #links: Link[] = []
  /** What `name_` means, by its name; and where it is said. */
  readonly #targets = new Map<string, string>()
  readonly #references: { readonly name: string; readonly at: Place }[] = []
  /** Which adornments were seen, the outermost first. */
  readonly #levels: string[] = []
  #at = 0
  #isTop = true

  constructor(text: string, starts: readonly number[], from: number) {
    this.#text = text
    this.#starts = starts
    this.#from = from
  }

  run(): void {
    while (this.#at < this.#starts.length) {
      if (!this.#heading()) this.#block()
      this.#at++
    }
  }

  /** In the order of the text; references by name are known when everything was read. */
  links(): readonly Link[] {
    for (const { name, at } of this.#references) {
      const target = this.#targets.get(nameOf(name))
      if (target !== undefined) this.#add(target, at, name)
    }
    return this.#links.toSorted((a, b) => a.start - b.start)
  }

  #line(at: number): string {
    const start = at === 0 ? this.#from : this.#starts[at]!
    const end = this.#starts[at + 1] ?? this.#text.length
    return this.#text.slice(start, end).trimEnd()
  }

  /** Two lines, or three with a line above. */
  #heading(): boolean {
    const above = this.#line(this.#at)
    if (above === '') return false
    const isOver = ADORNMENT.test(above) && above.length > 1
    const text = isOver ? this.#line(this.#at + 1) : above
    const below = this.#at + (isOver ? 2 : 1)
    const under = below < this.#starts.length ? this.#line(below) : ''
    const title = text.trim()
    if (!isHeading(title, under) || (isOver ? above !== under : !this.#standsAlone(text)))
      return false
    const style = `${isOver ? 'over' : ''}${under[0]}`
    if (!this.#levels.includes(style)) this.#levels.push(style)
    this.headings.push({
      level: Math.min(6, this.#levels.indexOf(style) + 1),
      text: shownText(title),
      start: this.#at === 0 ? this.#from : this.#starts[this.#at]!,
      end: this.#starts[below]! + this.#line(below).length,
      line: this.#at + (isOver ? 2 : 1),
    })
    this.#at = below
    return true
  }

  /** The last line of a paragraph is none, whatever stands below it. */
  #standsAlone(text: string): boolean {
    const before = this.#at === 0 ? '' : this.#line(this.#at - 1)
    const isClear = before === '' || before.startsWith('..') || ADORNMENT.test(before)
    return isClear && !/^\s/.test(text)
  }

  #block(): void {
    const line = this.#line(this.#at)
    if (line === '') return
    if (line.length > LONGEST_LINE) {
      this.#isTop = false
      return
    }
    const directive = DIRECTIVE.exec(line)
    if (directive) return this.#directive(directive)
    const label = LABEL.exec(line)
    if (label) {
      this.#label(unquoted(label[1]!), label[2])
      return
    }
    const comment = this.#isTop ? COMMENT_FIELD.exec(line) : null
    const field = comment ?? (this.headings.length < 2 && this.#isTop ? FIELD.exec(line) : null)
    if (field) {
      this.#property(field[1]!, field[2] ?? '')
      return
    }
    if (/^\s*\.\.(?:\s|$)/.test(line)) {
      if (this.#isFootnote(line)) this.#inline(line)
      else this.#skipBelow(indentOf(line))
      return
    }
    this.#isTop = false
    this.#inline(line)
    if (line.endsWith('::')) this.#literal(indentOf(line), '')
  }

  #isFootnote(line: string): boolean {
    return /^\s*\.\. \[[^\]]+\]/.test(line)
  }

  #property(name: string, value: string): void {
    const key = name.trim().toLowerCase().replaceAll(' ', '_')
    if (key === '' || Object.keys(this.properties).length >= 50) return
    this.properties[key] = value.slice(0, 500)
  }

  /** `.. _install:` names the place, `.. _Python: https://…` is a link by name. */
  #label(name: string, target: string | undefined): void {
    const known = nameOf(name.replaceAll('\\:', ':'))
    if (target === undefined) {
      if (known !== '') this.labels.add(name.replaceAll('\\:', ':').trim().slice(0, 200))
      return
    }
    // `.. _a: b_` is another name of what is called b; who follows it finds the place by b.
    if (!/^[^\s`]+_$/.test(target)) this.#targets.set(known, target.replaceAll(/\s+/g, ''))
  }

  #directive([line, lead = '', name = '', argument = '']: RegExpExecArray): void {
    const kind = name.toLowerCase()
    const start = this.#starts[this.#at]! + line.length - argument.length
    const at: Place = { start, end: start + argument.length, line: this.#at + 1 }
    if (CODE.has(kind)) {
      return this.#literal(lead.length, kind === 'math' || kind === 'raw' ? '' : argument.trim())
    }
    if (PICTURES.has(kind)) {
      this.#addLink('image', argument.trim(), at, this.#optionBelow(lead.length, 'alt'))
    } else if (FILES.has(kind)) {
      // What stands in angle brackets comes with Sphinx or docutils.
      if (!argument.startsWith('<')) this.#add(argument.trim(), at, undefined)
    } else if (kind === 'toctree') {
      this.#entries(lead.length)
    } else if (kind === 'meta') {
      this.#meta(lead.length)
    } else if (argument !== '') {
      // A note, a warning, a heading of a side bar: its text is text.
      this.#inline(argument, start)
    }
  }

  /** Lines below that stand further in, as far as they go, without the blank ones between. */
  *#below(indent: number): Generator<{ readonly text: string; readonly at: number }> {
    for (let at = this.#at + 1; at < this.#starts.length; at++) {
      const text = this.#line(at)
      if (text === '') continue
      if (indentOf(text) <= indent) return
      yield { text, at }
    }
  }

  #skipBelow(indent: number): void {
    let last = this.#at
    for (const { at } of this.#below(indent)) last = at
    this.#at = last
  }

  #optionBelow(indent: number, name: string): string | undefined {
    let caption: string | undefined
    for (const { text } of this.#below(indent)) {
      const option = OPTION.exec(text)
      if (option?.[1] === name) return option[2]?.trim()
      if (!option) {
        caption = shownText(text.trim())
        break
      }
    }
    return caption
  }

  #literal(indent: number, language: string): void {
    let first: number | undefined
    let last = this.#at
    for (const { text, at } of this.#below(indent)) {
      if (first === undefined && OPTION.test(text)) continue
      first ??= at
      last = at
    }
    if (first === undefined) return
    this.codeBlocks.push({
      language: language.toLowerCase(),
      fenced: language !== '',
      start: this.#starts[first]!,
      end: this.#starts[last]! + this.#line(last).length,
    })
    this.#at = last
  }

  #entries(indent: number): void {
    let last = this.#at
    for (const { text, at } of this.#below(indent)) {
      last = at
      if (OPTION.test(text) || text.includes('*')) continue
      const entry = text.trim()
      const [, title, inner] = /^(.*?)\s*<([^<>]+)>$/.exec(entry) ?? []
      const place = { start: this.#starts[at]! + text.indexOf(entry), line: at + 1 }
      const to = { ...place, end: place.start + entry.length }
      this.#document(inner ?? entry, to, title || undefined)
    }
    this.#at = last
  }

  #meta(indent: number): void {
    for (const { text } of this.#below(indent)) {
      const [, name = '', value = ''] = OPTION.exec(text) ?? []
      if (name === 'description') this.#property(name, value)
      if (name === 'keywords') this.#property('tags', value)
    }
    this.#skipBelow(indent)
  }

  #inline(line: string, from = this.#starts[this.#at]!): void {
    if (!line.includes('`') && !line.includes('_') && !line.includes('://')) return
    const place = (index: number, length: number): Place => ({
      start: from + index,
      end: from + index + length,
      line: this.#at + 1,
    })
    for (const { 0: whole, 1: role, 2: said = '', index } of line.matchAll(ROLE)) {
      const [, title, inner] = /^([^<>]*?)\s*<([^<>]+)>$/.exec(said) ?? []
      const target = inner ?? said
      const at = place(index, whole.length)
      const label = title || undefined
      if (role === 'doc') this.#document(target, at, label)
      else if (role === 'download') this.#add(target, at, label)
      else if (/^(?:std:)?(?:ref|numref)$/.test(role!) && !ELSEWHERE.test(target))
        this.#addLink('wiki', target, at, label)
    }
    for (const { 0: whole, 1: title = '', 2: target = '', index } of line.matchAll(NAMED_LINK)) {
      // `Words <name_>`: what is called so says where it leads.
      if (/^[^/.]+_$/.test(target)) {
        this.#references.push({ name: target.slice(0, -1), at: place(index, whole.length) })
        continue
      }
      this.#add(target, place(index, whole.length), title.trim() || undefined)
      // From then on the words alone mean it as well.
      if (title.trim() !== '') this.#targets.set(nameOf(title), target)
    }
    for (const { 0: whole, 1: quoted, 2: word, index } of line.matchAll(REFERENCE)) {
      const name = quoted ?? word ?? ''
      if (!/<[^<>]+>$/.test(name)) this.#references.push({ name, at: place(index, whole.length) })
    }
    for (const { 0: url, index } of line.matchAll(ADDRESS)) {
      const bare = url.replace(/[.,;:!?'")\]]+$/, '')
      this.#addLink('url', bare, place(index, bare.length), undefined)
    }
  }

  /** Another file of the same kind, named without its ending. */
  #document(target: string, at: Place, label: string | undefined): void {
    if (/^[a-z][a-z\d+.-]+:\/\//i.test(target)) return this.#addLink('url', target, at, label)
    const path = target.trim()
    if (path === 'self' || path === '' || path.length > 500) return
    this.#addLink('markdown', /\.\w{1,5}$/.test(path) ? path : `${path}.rst`, at, label)
  }

  #add(target: string, at: Place, label: string | undefined): void {
    const isAway = /^(?:[a-z][a-z\d+.-]+:|\/\/)/i.test(target)
    this.#addLink(isAway ? 'url' : 'markdown', target, at, label)
  }

  #addLink(kind: Link['kind'], written: string, at: Place, label: string | undefined): void {
    const hash = kind === 'url' || kind === 'wiki' ? -1 : written.indexOf('#')
    const target = (hash < 0 ? written : written.slice(0, hash)).trim()
    const fragment = hash < 0 ? '' : written.slice(hash + 1)
    if (target === '' || target.length > 1_000) return
    this.#links.push({
      kind,
      target,
      ...(fragment !== '' && { fragment }),
      ...(label !== undefined && label !== '' && { label: label.slice(0, 500) }),
      ...at,
    })
  }
}

interface Place {
  readonly start: number
  readonly end: number
  readonly line: number
}

/** What Sphinx makes itself, and what another project says. */
const ELSEWHERE = /^(?:genindex|modindex|search)$|:(?!:)/

const ROLE = /:([\w:+-]{1,40}):`([^`]{1,500})`/g
const NAMED_LINK = /(?<![:\w])`([^`<>]{0,500})<([^`<>\s][^`<>]{0,1000})>`__?/g
const REFERENCE = /(?<![:\w`])(?:`([^`]{1,200})`|([A-Za-z][\w.+-]{0,80}?))_(?![\w`_])/g
const ADDRESS = /(?<![<\w`])https?:\/\/[^\s<>`]{1,1000}/g

function isHeading(title: string, under: string): boolean {
  if (title === '' || title.length > LONGEST_HEADING || !ADORNMENT.test(under)) return false
  if (ADORNMENT.test(title) && title.length > 3) return false
  // Wide letters take two columns, so a line that looks long enough counts letters.
  return (
    under.length >= Math.min(4, title.length) &&
    under.length >= title.length * 0.8 &&
    /[\p{L}\p{N}]/u.test(title)
  )
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

function unquoted(name: string): string {
  return name.replace(/^`(.*)`$/, '$1')
}

function nameOf(name: string): string {
  return name.trim().toLowerCase().replaceAll(/\s+/g, ' ')
}

/** Without the signs that mark it: `` :doc:`Setup <setup>` `` is Setup. */
function shownText(text: string): string {
  return text
    .replaceAll(/:[\w:+-]+:`([^`<]*?)\s*(?:<[^<>`]*>)?`/g, '$1')
    .replaceAll(/`([^`<]*?)\s*(?:<[^<>`]*>)?`_{0,2}/g, '$1')
    .replaceAll(/(\*\*?|``)([^*`]+)\1/g, '$2')
    .replaceAll(/\|([^|]+)\|/g, '$1')
    .trim()
}
