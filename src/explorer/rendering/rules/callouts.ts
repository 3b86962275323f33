/** A quotation that begins with `[!note]` is a callout, as GitHub and Obsidian write them. */
import type { MarkdownIt, Token } from 'markdown-it'

const OPENING = /^\[!([\w-]{1,30})\]([+-]?)[ \t]*([^\n]*)(?:\n|$)/

export function callouts(md: MarkdownIt): void {
  md.core.ruler.after('block', 'callouts', (state) => {
    const { tokens, Token } = state
    const shown: Token[] = []
    for (const [index, quote] of tokens.entries()) {
      shown.push(quote)
      if (quote.type !== 'blockquote_open') continue
      const paragraph = tokens[index + 1]
      const first = tokens[index + 2]
      if (paragraph?.type !== 'paragraph_open' || first?.type !== 'inline') continue
      const found = OPENING.exec(first.content)
      if (!found) continue
      const [all, kind = 'note', fold = '', title = ''] = found
      const name = kind.toLowerCase()
      quote.attrJoin('class', `callout callout-${name}`)
      if (fold !== '') foldAway(tokens, index, fold === '+')
      // A line like any other: its links are followed, and its footnotes counted before those below.
      const tag = fold === '' ? 'p' : 'summary'
      const [open, line] = [new Token('title_open', tag, 1), new Token('inline', '', 0)]
      open.attrJoin('class', 'callout-title')
      line.content = title.trim() || capital(name)
      line.children = []
      shown.push(open, line, new Token('title_close', tag, -1))
      first.content = first.content.slice(all.length)
      if (first.map && all.includes('\n')) first.map = [first.map[0] + 1, first.map[1]]
      if (first.content !== '') continue
      // Nothing else stood in the paragraph.
      paragraph.hidden = true
      tokens[index + 3]!.hidden = true
    }
    state.tokens = shown
  })
}

/** `[!note]-` is shown by its title until somebody wants to read it, `[!note]+` can be put away. */
function foldAway(tokens: readonly Token[], index: number, isOpen: boolean): void {
  const quote = tokens[index]!
  const end = tokens.find(
    ({ type, level }, at) => at > index && type === 'blockquote_close' && level === quote.level,
  )
  if (!end) return
  quote.tag = 'details'
  end.tag = 'details'
  if (isOpen) quote.attrSet('open', '')
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
