/** `- [ ] to do` and `- [x] done`. A mark and no box to click: files are changed by writing. */
import type { MarkdownIt } from 'markdown-it'

const BOX = /^\[([ xX])\][ \t]+/

export function taskLists(md: MarkdownIt): void {
  md.core.ruler.after('block', 'task_lists', ({ tokens, Token }) => {
    for (const [index, item] of tokens.entries()) {
      if (item.type !== 'list_item_open') continue
      const first = tokens[index + 2]
      const found = first?.type === 'inline' ? BOX.exec(first.content) : null
      if (!first || !found) continue
      item.attrJoin('class', 'task')
      first.content = first.content.slice(found[0].length)
      const box = new Token('task_box', '', 0)
      box.content = found[1] === ' ' ? 'open' : 'done'
      first.meta = { ...(first.meta as object | null), box }
    }
  })
  md.core.ruler.after('inline', 'task_boxes', ({ tokens }) => {
    for (const token of tokens) {
      const { box } = (token.meta ?? {}) as { box?: (typeof tokens)[number] }
      if (box) token.children?.unshift(box)
    }
  })
  md.renderer.rules.task_box = (tokens, index) => {
    const done = tokens[index]!.content === 'done'
    const label = done ? 'done' : 'to do'
    return `<span class="box ${done ? 'box-done' : 'box-open'}" role="img" aria-label="${label}"></span>`
  }
}
