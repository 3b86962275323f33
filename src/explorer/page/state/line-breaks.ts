/** Whether lines end within paragraphs: as the editor of the notes has it, always, or never. */
import { signal } from '@preact/signals'
import { IN_CHAT } from '../chat/in-chat.ts'
import { otherLook } from './changes.ts'

const LINE_BREAKS = ['usual', 'all', 'no'] as const
type LineBreaks = (typeof LINE_BREAKS)[number]

const KEY = 'cairn-line-breaks'

export const lineBreaks = signal<LineBreaks>(IN_CHAT ? 'usual' : stored())

function stored(): LineBreaks {
  try {
    return LINE_BREAKS.find((each) => each === localStorage.getItem(KEY)) ?? 'usual'
  } catch {
    return 'usual'
  }
}

export function nextLineBreaks(): void {
  const at = LINE_BREAKS.indexOf(lineBreaks.value)
  lineBreaks.value = LINE_BREAKS[(at + 1) % LINE_BREAKS.length]!
  otherLook.value++
  try {
    localStorage.setItem(KEY, lineBreaks.value)
  } catch {
    // Where nothing may be kept, the choice lasts as long as the page.
  }
}

/** What a note is asked for with. */
export function withBreaks(): { readonly breaks?: boolean } {
  if (IN_CHAT || lineBreaks.value === 'usual') return {}
  return { breaks: lineBreaks.value === 'all' }
}
