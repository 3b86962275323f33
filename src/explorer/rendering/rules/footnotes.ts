/** `[^label]` in the text, `[^label]: …` anywhere; the notes stand at the end, with a way back. */
import type { MarkdownIt } from 'markdown-it'
import { environmentOf, type Environment } from '../environment.ts'

const DEFINITION = /^\[\^([^\]\s]{1,100})\]:[ \t]?(.*)$/

export function footnotes(md: MarkdownIt): void {
  md.block.ruler.before(
    'reference',
    'footnote',
    (state, startLine, endLine, silent) => {
      const from = state.bMarks[startLine]! + state.tShift[startLine]!
      if (state.src[from] !== '[' || state.src[from + 1] !== '^') return false
      const found = DEFINITION.exec(state.src.slice(from, state.eMarks[startLine]))
      if (!found) return false
      if (silent) return true
      const lines = [found[2] ?? '']
      let next = startLine + 1
      for (; next < endLine; next++) {
        const blank = state.isEmpty(next)
        // A note goes on while its lines are indented; a blank line only between such lines.
        const indented = state.sCount[next]! - state.blkIndent >= 2
        const further = next + 1 < endLine && state.sCount[next + 1]! - state.blkIndent >= 2
        if (blank ? !further : !indented) break
        lines.push(blank ? '' : state.getLines(next, next + 1, state.sCount[next]!, false))
      }
      const { footnotes, lineOffset } = environmentOf(state.env)
      const [, label = ''] = found
      if (!footnotes.texts.has(label)) {
        footnotes.texts.set(label, { text: lines.join('\n'), line: startLine + lineOffset })
      }
      state.line = next
      return true
    },
    { alt: ['paragraph'] },
  )

  md.inline.ruler.before('link', 'footnote_reference', (state, silent) => {
    if (state.src[state.pos] !== '[' || state.src[state.pos + 1] !== '^') return false
    const found = /^\[\^([^\]\s]{1,100})\]/.exec(state.src.slice(state.pos, state.pos + 110))
    const { footnotes } = environmentOf(state.env)
    if (!found || !footnotes.texts.has(found[1] ?? '')) return false
    if (!silent) {
      const label = found[1] ?? ''
      const times = (footnotes.used.get(label) ?? 0) + 1
      footnotes.used.set(label, times)
      const token = state.push('footnote_reference', '', 0)
      token.content = String([...footnotes.used.keys()].indexOf(label) + 1)
      token.info = times === 1 ? '' : `-${times}`
    }
    state.pos += found[0].length
    return true
  })

  md.renderer.rules.footnote_reference = (tokens, index) => {
    const { content, info } = tokens[index]!
    return `<sup class="footnote"><a id="fnref-${content}${info}" href="#fn-${content}">${content}</a></sup>`
  }
}

/** A footnote may refer to others; a ring of them must end. */
const MOST = 500

export function footnotesHtml(md: MarkdownIt, env: Environment): string {
  const { texts, used } = env.footnotes
  const items: string[] = []
  for (const label of used.keys()) {
    if (items.length >= MOST) break
    const { text, line } = texts.get(label)!
    const number = items.length + 1
    const html = md.render(text, { ...env, lineOffset: line, headings: [] })
    const back = `<a class="back" href="#fnref-${number}" title="Back to the text">↩</a>`
    items.push(`<li id="fn-${number}">${html.replace(/<\/p>\s*$/, ` ${back}</p>`)}</li>`)
  }
  if (items.length === 0) return ''
  return `<section class="footnotes"><ol>${items.join('')}</ol></section>`
}
