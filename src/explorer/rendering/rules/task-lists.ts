/** `- [ ] to do`, `- [x] done`, `- [/] begun`. A mark and no box to click: files are changed by writing. */
import type { MarkdownIt } from 'markdown-it'

const BOX = /^\[([ xX/\-!?<>*])\][ \t]+/

/** Besides those of GitHub the ones that people use in Obsidian. */
const STATES: Readonly<Record<string, readonly [name: string, label: string]>> = {
  ' ': ['open', 'to do'],
  x: ['done', 'done'],
  '/': ['begun', 'in progress'],
  '-': ['dropped', 'cancelled'],
  '!': ['urgent', 'important'],
  '?': ['asked', 'question'],
  '>': ['moved', 'forwarded'],
  '<': ['planned', 'scheduled'],
  '*': ['starred', 'starred'],
}

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
      box.content = found[1]!.toLowerCase()
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
    const [name, label] = STATES[tokens[index]!.content]!
    return `<span class="box box-${name}" role="img" aria-label="${label}"></span>`
  }
}
