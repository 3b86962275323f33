/**
 * What Obsidian's writers write besides: `%% comments %%` and `^block-marks` that nobody is shown,
 * `==marks==`, `^[notes at the foot]` and `#tags`.
 */
import type { MarkdownIt } from 'markdown-it'
import { escapeHtml } from '../allowed.ts'
import { environmentOf } from '../environment.ts'

/** As Obsidian takes them: letters, digits and hyphens behind a space, at the end of a block. */
const BLOCK_MARK = /(?:^|[ \t\n])\^[A-Za-z\d-]{1,100}[ \t]*$/
const TAG = /^#(?=[\p{N}_/-]*[\p{L}_/-])([\p{L}\p{N}\p{M}_/-]{1,100})/u
const LONGEST = 5_000

export function obsidian(md: MarkdownIt): void {
  // A comment that begins a line may go on over blank ones.
  md.block.ruler.before(
    'fence',
    'comment_block',
    (state, startLine, endLine, silent) => {
      const from = state.bMarks[startLine]! + state.tShift[startLine]!
      if (!state.src.startsWith('%%', from) || state.sCount[startLine]! - state.blkIndent >= 4)
        return false
      const end = state.src.indexOf('%%', from + 2)
      if (end < 0) return false
      let line = startLine
      while (line < endLine && state.eMarks[line]! < end + 2) line++
      // What stands behind it on its line is text, and read as such.
      if (line >= endLine || state.src.slice(end + 2, state.eMarks[line]).trim() !== '')
        return false
      if (!silent) state.line = line + 1
      return true
    },
    { alt: ['paragraph', 'blockquote', 'list'] },
  )

  md.inline.ruler.before('escape', 'comment', (state) => {
    if (!state.src.startsWith('%%', state.pos)) return false
    const end = state.src.indexOf('%%', state.pos + 2)
    if (end < 0 || end + 2 > state.posMax) return false
    state.pos = end + 2
    return true
  })

  md.core.ruler.after('block', 'block_marks', ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      if (token.type !== 'inline') continue
      const found = BLOCK_MARK.exec(token.content.slice(-120))
      if (!found) continue
      token.content = token.content.slice(0, token.content.length - found[0].length)
      if (token.content !== '' || tokens[index - 1]?.type !== 'paragraph_open') continue
      tokens[index - 1]!.hidden = true
      tokens[index + 1]!.hidden = true
    }
  })

  md.inline.ruler.before('emphasis', 'marked', (state, silent) => {
    const { pos, posMax } = state
    if (!state.src.startsWith('==', pos) || /[\s=]/.test(state.src[pos + 2] ?? ' ')) return false
    const end = state.src.slice(0, Math.min(posMax, pos + LONGEST)).indexOf('==', pos + 3)
    if (end < 0 || /\s/.test(state.src[end - 1]!)) return false
    if (!silent) {
      state.push('mark_open', 'mark', 1)
      Object.assign(state, { pos: pos + 2, posMax: end })
      state.md.inline.tokenize(state)
      state.push('mark_close', 'mark', -1)
    }
    Object.assign(state, { pos: end + 2, posMax })
    return true
  })

  md.inline.ruler.before('link', 'inline_footnote', (state, silent) => {
    if (!state.src.startsWith('^[', state.pos)) return false
    const end = state.md.helpers.parseLinkLabel(state, state.pos + 1)
    if (end < 0 || end - state.pos > LONGEST) return false
    if (!silent) {
      const { footnotes, lineOffset } = environmentOf(state.env)
      // No label that somebody writes has a blank in it.
      const label = `inline ${footnotes.used.size}`
      const text = state.src.slice(state.pos + 2, end)
      footnotes.texts.set(label, { text, line: lineOffset })
      footnotes.used.set(label, 1)
      const token = state.push('footnote_reference', '', 0)
      token.content = String(footnotes.used.size)
    }
    state.pos = end + 1
    return true
  })

  md.inline.ruler.before('link', 'tag', (state, silent) => {
    if (state.src[state.pos] !== '#' || /\S/.test(state.src[state.pos - 1] ?? ' ')) return false
    // In the words of a link it would be a link in a link.
    if ((state as { linkLevel?: number }).linkLevel) return false
    const found = TAG.exec(state.src.slice(state.pos, Math.min(state.posMax, state.pos + 102)))
    if (!found) return false
    if (!silent) state.push('tag', '', 0).content = found[1]!
    state.pos += found[0].length
    return true
  })
  md.renderer.rules.tag = (tokens, index) => {
    const { content } = tokens[index]!
    const href = `/?q=${encodeURIComponent(`tag:${content}`)}`
    return `<a class="tag" href="${escapeHtml(href)}">#${escapeHtml(content)}</a>`
  }
}
