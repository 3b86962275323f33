/** `$a^2$` and `$$…$$` as MathML, which every browser draws without a script. */
import type { MarkdownIt } from 'markdown-it'
import temml from 'temml'
import { escapeHtml } from '../allowed.ts'

const LONGEST = 5_000

export function math(md: MarkdownIt): void {
  md.inline.ruler.before('escape', 'math', (state, silent) => {
    if (state.src[state.pos] !== '$') return false
    const double = state.src[state.pos + 1] === '$'
    const mark = double ? '$$' : '$'
    const from = state.pos + mark.length
    const end = closing(state.src, from, state.posMax, mark)
    if (end < 0) return false
    const tex = state.src.slice(from, end)
    if (tex.trim() === '' || tex.length > LONGEST) return false
    // "$5 and $6" is money.
    if (!double && (/^\s|\s$/.test(tex) || /\d/.test(state.src[end + 1] ?? ''))) return false
    if (!silent) {
      const token = state.push('math', 'math', 0)
      token.content = tex
      token.info = double ? 'block' : 'inline'
    }
    state.pos = end + mark.length
    return true
  })

  md.block.ruler.before(
    'fence',
    'math_block',
    (state, startLine, endLine, silent) => {
      const first = state.src.slice(
        state.bMarks[startLine]! + state.tShift[startLine]!,
        state.eMarks[startLine],
      )
      if (!first.startsWith('$$') || state.sCount[startLine]! - state.blkIndent >= 4) return false
      const rest = first.slice(2).trimEnd()
      const lines: string[] = []
      let next = startLine
      if (rest.endsWith('$$') && rest.length > 2) lines.push(rest.slice(0, -2))
      else {
        if (rest.includes('$$')) return false
        lines.push(rest)
        for (next = startLine + 1; ; next++) {
          if (next >= endLine) return false
          const line = state.getLines(next, next + 1, state.blkIndent, false)
          if (line.trimEnd().endsWith('$$')) {
            lines.push(line.trimEnd().slice(0, -2))
            break
          }
          lines.push(line)
        }
      }
      const tex = lines.join('\n')
      if (tex.length > LONGEST) return false
      if (silent) return true
      state.line = next + 1
      const token = state.push('math_block', 'p', 0)
      token.block = true
      token.content = tex
      token.map = [startLine, state.line]
      return true
    },
    { alt: ['paragraph', 'reference', 'blockquote', 'list'] },
  )

  md.renderer.rules.math = (tokens, index) => {
    const { content, info } = tokens[index]!
    return mathHtml(content, info === 'block')
  }
  md.renderer.rules.math_block = (tokens, index, _options, _env, self) =>
    `<p class="formula"${self.renderAttrs(tokens[index]!)}>${mathHtml(tokens[index]!.content, true)}</p>\n`
}

function closing(text: string, from: number, limit: number, mark: string): number {
  for (let at = from; at < limit; at++) {
    if (text[at] === '\\') at++
    else if (text.startsWith(mark, at)) return at
  }
  return -1
}

/** A formula that cannot be read is shown as it is written. */
function mathHtml(tex: string, displayMode: boolean): string {
  try {
    const html = temml.renderToString(tex, {
      displayMode,
      throwOnError: true,
      trust: false,
      maxExpand: 200,
      maxSize: [50, 50],
    })
    return html.replace(/\n/g, '')
  } catch {
    return `<code class="formula">${escapeHtml(tex)}</code>`
  }
}
