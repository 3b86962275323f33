/** Markdown as this base has it, for colours: GFM, and what Obsidian adds to it. */
import {
  defineLanguageFacet,
  HighlightStyle,
  Language,
  syntaxHighlighting,
} from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { styleTags, Tag, tags } from '@lezer/highlight'
import {
  GFM,
  parser,
  type BlockParser,
  type InlineParser,
  type MarkdownConfig,
} from '@lezer/markdown'

const link = Tag.define()
const front = Tag.define()
const mark = Tag.define()

/** Lines that such a beginning may have: what goes on for longer is text. */
const LONGEST_FRONT = 500

const frontMatter: BlockParser = {
  name: 'FrontMatter',
  before: 'LinkReference',
  parse(cx, line) {
    if (cx.lineStart !== 0 || !/^---\s*$/.test(line.text)) return false
    for (let lines = 0; lines < LONGEST_FRONT && cx.nextLine(); lines++) {
      if (!/^(?:---|\.\.\.)\s*$/.test(line.text)) continue
      cx.nextLine()
      break
    }
    cx.addElement(cx.elt('FrontMatter', 0, cx.prevLineEnd()))
    return true
  },
}

/** `[[note]]`, `![[note]]` */
const wikiLink: InlineParser = {
  name: 'WikiLink',
  before: 'Link',
  parse(cx, next, at) {
    const start = next === 33 /* ! */ ? at + 1 : at
    if (cx.slice(start, start + 2) !== '[[') return -1
    const end = /^\[\[[^\]\n]*\]\]/.exec(cx.slice(start, Math.min(cx.end, start + 500)))
    return end ? cx.addElement(cx.elt('WikiLink', at, start + end[0].length)) : -1
  },
}

/** `#tag` */
const tag: InlineParser = {
  name: 'Tag',
  parse(cx, next, at) {
    if (next !== 35 /* # */ || /[^\s(]/.test(cx.slice(Math.max(cx.offset, at - 1), at))) return -1
    const found = /^#[\p{L}\p{N}_/-]+/u.exec(cx.slice(at, Math.min(cx.end, at + 100)))
    return found && /[^\d#]/.test(found[0])
      ? cx.addElement(cx.elt('Tag', at, at + found[0].length))
      : -1
  },
}

const HIGHLIGHT = { resolve: 'Highlight', mark: 'HighlightMark' }
const highlight: InlineParser = {
  name: 'Highlight',
  parse(cx, next, at) {
    if (next !== 61 /* = */ || cx.char(at + 1) !== 61) return -1
    const after = cx.slice(at + 2, at + 3)
    const before = cx.slice(at - 1, at)
    return cx.addDelimiter(HIGHLIGHT, at, at + 2, /\S/.test(after), /\S/.test(before))
  },
}

const ours: MarkdownConfig = {
  defineNodes: ['WikiLink', 'Tag', 'Highlight', 'HighlightMark'],
  parseInline: [wikiLink, tag, highlight],
  props: [
    styleTags({
      'WikiLink Tag': link,
      'Highlight/...': mark,
      HighlightMark: tags.processingInstruction,
    }),
  ],
}

const whole: MarkdownConfig = {
  defineNodes: [{ name: 'FrontMatter', block: true }],
  parseBlock: [frontMatter],
  props: [styleTags({ FrontMatter: front })],
}

/** Looks are the page's own colours, light and dark. */
const style = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '650', color: 'var(--ink)' },
  { tag: tags.heading1, fontWeight: '650', fontSize: '1.35em' },
  { tag: tags.heading2, fontWeight: '650', fontSize: '1.18em' },
  { tag: tags.strong, fontWeight: '650' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.url, link], color: 'var(--accent)' },
  {
    tag: [tags.processingInstruction, tags.contentSeparator, tags.labelName],
    color: 'var(--soft)',
  },
  { tag: [tags.monospace], color: 'var(--c3)', fontFamily: 'var(--mono)', fontSize: '0.92em' },
  { tag: tags.quote, color: 'var(--soft)' },
  {
    tag: [front, tags.comment],
    color: 'var(--soft)',
    fontFamily: 'var(--mono)',
    fontSize: '0.92em',
  },
  { tag: mark, backgroundColor: 'var(--mark)', color: 'var(--mark-ink)' },
])

/** `isWhole`: the text begins where the note does, so it may begin with its properties. */
export function writtenAsMarkdown(isWhole: boolean): Extension {
  const facet = defineLanguageFacet()
  const configured = parser.configure([GFM, ours, ...(isWhole ? [whole] : [])])
  return [new Language(facet, configured, [], 'markdown'), syntaxHighlighting(style)]
}
