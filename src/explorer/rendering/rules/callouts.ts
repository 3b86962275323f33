/** A quotation that begins with `[!note]` is a callout, as GitHub and Obsidian write them. */
import type { MarkdownIt, Token } from 'markdown-it'

const OPENING = /^\[!([\w-]{1,30})\]([+-]?)[ \t]*([^\n]*)(?:\n|$)/

interface Titled {
  readonly callout?: string
}

export function callouts(md: MarkdownIt): void {
  md.core.ruler.after('block', 'callouts', ({ tokens }) => {
    for (const [index, quote] of tokens.entries()) {
      if (quote.type !== 'blockquote_open') continue
      const paragraph = tokens[index + 1]
      const first = tokens[index + 2]
      if (paragraph?.type !== 'paragraph_open' || first?.type !== 'inline') continue
      const found = OPENING.exec(first.content)
      if (!found) continue
      const [all, kind = 'note', fold = '', title = ''] = found
      const name = kind.toLowerCase()
      quote.attrJoin('class', `callout callout-${name}`)
      const shown = { callout: title.trim() || capital(name) } satisfies Titled
      quote.meta = { ...(quote.meta as object | null), ...shown }
      if (fold !== '') foldAway(tokens, index, fold === '+')
      first.content = first.content.slice(all.length)
      if (first.map && all.includes('\n')) first.map = [first.map[0] + 1, first.map[1]]
      if (first.content !== '') continue
      // Nothing else stood in the paragraph.
      paragraph.hidden = true
      tokens[index + 3]!.hidden = true
    }
  })

  md.renderer.rules.blockquote_open = (tokens, index, options, env, self) => {
    const token = tokens[index]!
    const open = self.renderToken(tokens, index, options)
    const title = (token.meta as Titled | null)?.callout
    if (title === undefined) return open
    // Links and emphasis of a title are those of any line.
    const shown = md.renderInline(title, env)
    return token.tag === 'details'
      ? `${open}<summary class="callout-title">${shown}</summary>`
      : `${open}<p class="callout-title">${shown}</p>`
  }
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
