/** `[[target#section|label]]` and `![[target]]`. */
import type { MarkdownIt } from 'markdown-it'
import { escapeHtml } from '../allowed.ts'
import { surroundingsOf } from '../environment.ts'
import { openLink, pictureHtml, shownAs } from '../targets.ts'

const LONGEST = 1_000

export function wikiLinks(md: MarkdownIt): void {
  md.inline.ruler.before('link', 'wiki_link', (state, silent) => {
    const embed = state.src.startsWith('![[', state.pos)
    if (!embed && !state.src.startsWith('[[', state.pos)) return false
    const from = state.pos + (embed ? 3 : 2)
    const end = state.src.indexOf(']]', from)
    if (end < 0 || end > state.posMax || end - from > LONGEST) return false
    const inside = state.src.slice(from, end)
    if (inside.trim() === '' || /[\n[]/.test(inside)) return false
    if (!silent) {
      const token = state.push(embed ? 'wiki_embed' : 'wiki_link', '', 0)
      // In a table the bar of a label is written with a backslash.
      const [target = '', label] = inside.replaceAll('\\|', '|').split('|', 2)
      token.content = target.trim()
      token.info = label?.trim() ?? ''
    }
    state.pos = end + 2
    return true
  })

  md.renderer.rules.wiki_link = (tokens, index, _options, env) => {
    const { content, info } = tokens[index]!
    const { html, close } = openLink('wiki', content, surroundingsOf(env))
    return `${html}${escapeHtml(info || shownTarget(content))}${close}`
  }

  md.renderer.rules.wiki_embed = (tokens, index, _options, env) => {
    const { content, info } = tokens[index]!
    const around = surroundingsOf(env)
    const [target = '', fragment = ''] = content.split('#', 2)
    const kind = shownAs(target)
    if (kind !== undefined) {
      const [width, height] = /^(\d+)(?:x(\d+))?$/.exec(info)?.slice(1) ?? []
      return pictureHtml(
        kind === 'img' ? target : content,
        width === undefined ? info || target : target,
        { width, height },
        around,
      )
    }
    const { html, close } = openLink('wiki', content, around)
    const link = `${html}${escapeHtml(info || shownTarget(content))}${close}`
    const part = around.embed?.(target, fragment)
    if (!part) return link
    return `<span class="embed"><span class="embed-name">${link}</span></span></p><div class="embedded">${part.html}</div><p>`
  }
}

/** `note#section` or `report.pdf#page=3` as people read it. */
function shownTarget(target: string): string {
  return target
    .replace(/#page=(\d+).*$/, ', page $1')
    .replace(/#\^?/, ' › ')
    .replace(/^ › /, '')
}
