/** What may be meant by somebody who has begun to write a link, a tag, a property or a `/`. */
import type {
  Completion,
  CompletionContext,
  CompletionResult,
  CompletionSource,
} from '@codemirror/autocomplete'
import type { EditorState } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { door, errorOf, say } from '../state/app.ts'
import { clean } from '../parts/text.tsx'
import type { LinkOffer, Making, PlaceOffers, Vocabulary } from '../../wire/wire.ts'
import { BLOCKS } from './blocks.ts'

/** Of a note, and where the part of it that is written begins. */
interface Where {
  readonly id: string
  readonly first: number
}

export function sources({ id, first }: Where): readonly CompletionSource[] {
  let words: Promise<Vocabulary> | undefined
  const vocabulary = (): Promise<Vocabulary> =>
    (words ??= door.read<Vocabulary>('vocabulary', { id }).catch(() => {
      words = undefined
      return { tags: [], properties: [] }
    }))
  return [
    (context) => links(context, id),
    (context) => (first === 1 ? properties(context, vocabulary) : null),
    (context) => tags(context, vocabulary),
    (context) => slash(context, id, first),
  ]
}

/** Behind `[[`: titles; behind a `#` its headings, behind `#^` its blocks. */
async function links(context: CompletionContext, id: string): Promise<CompletionResult | null> {
  const begun = context.matchBefore(/\[\[[^[\]\n|]{0,200}/)
  if (!begun) return null
  const text = begun.text.slice(2)
  const at = text.indexOf('#')
  if (at >= 0)
    return places(context, id, { name: text.slice(0, at), from: begun.from + 2 + at + 1 })
  const offers = await asked<{ readonly items: readonly LinkOffer[] }>(context, 'links', {
    id,
    text,
  })
  if (!offers) return null
  return {
    from: begun.from + 2,
    // The server has looked for them, by all their names.
    filter: false,
    options: offers.items.map(({ id: to, title, as, target }) => ({
      label: clean(as ?? title),
      detail: clean(as === undefined ? to : `${title} · ${to}`),
      apply: closing(as === undefined ? target : `${target}|${as}`),
    })),
  }
}

async function places(
  context: CompletionContext,
  id: string,
  { name, from }: { readonly name: string; readonly from: number },
): Promise<CompletionResult | null> {
  const found =
    name.trim() === ''
      ? ownPlaces(context.state)
      : await asked<PlaceOffers>(context, 'sections', { id, name })
  if (!found) return null
  const isBlock = context.state.sliceDoc(from, from + 1) === '^'
  const options: Completion[] = isBlock
    ? found.blocks.map((block) => ({
        label: `^${block.name}`,
        detail: clean(block.text),
        apply: closing(`^${block.name}`),
      }))
    : found.headings.map(({ level, text }) => ({
        label: clean(text),
        detail: `${'#'.repeat(level)}`,
        apply: closing(
          text
            .replace(/[[\]|#^]/g, ' ')
            .replace(/\s+/g, ' ')
            .trim(),
        ),
      }))
  return { from, options, validFor: /^[^[\]|\n]*$/ }
}

/** As it is written just now, and nobody else knows yet. */
function ownPlaces({ doc }: EditorState): PlaceOffers {
  const headings: { level: number; text: string }[] = []
  const blocks: { name: string; text: string }[] = []
  let fence = ''
  for (const line of doc.iterLines()) {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1] ?? ''
    if (mark !== '' && (fence === '' || mark.startsWith(fence))) fence = fence === '' ? mark : ''
    if (fence !== '' || headings.length + blocks.length > 2_000) continue
    const heading = /^(#{1,6})\s+(.+?)\s*#*$/.exec(line)
    if (heading) headings.push({ level: heading[1]!.length, text: heading[2]! })
    const block = /(?:^|\s)\^([A-Za-z0-9-]+)\s*$/.exec(line)
    if (block) blocks.push({ name: block[1]!, text: line.slice(0, block.index).trim() })
  }
  return { headings, blocks }
}

/** Writes it, and the brackets behind it where they are not there yet. */
function closing(text: string) {
  return (view: EditorView, _: Completion, from: number, to: number): void => {
    const isClosed = view.state.sliceDoc(to, to + 2) === ']]'
    const insert = isClosed ? text : `${text}]]`
    const anchor = from + text.length + 2
    view.dispatch({
      changes: { from, to, insert },
      selection: { anchor },
      userEvent: 'input.complete',
    })
  }
}

const TAG = /#[\p{L}\p{N}_/-]*/u

async function tags(
  context: CompletionContext,
  vocabulary: () => Promise<Vocabulary>,
): Promise<CompletionResult | null> {
  const begun = context.matchBefore(TAG)
  if (!begun || /[^\s(]/.test(context.state.sliceDoc(begun.from - 1, begun.from))) return null
  // At the beginning of a line it may become a heading.
  const isStart = begun.from === context.state.doc.lineAt(begun.from).from
  if (isStart && begun.text === '#' && !context.explicit) return null
  const { tags: known } = await vocabulary()
  return {
    from: begun.from + 1,
    options: known.map((tag) => ({ label: tag })),
    validFor: /^[\p{L}\p{N}_/-]*$/u,
  }
}

/** In the lines between `---` at the top: names, what others say in them, and tags. */
async function properties(
  context: CompletionContext,
  vocabulary: () => Promise<Vocabulary>,
): Promise<CompletionResult | null> {
  const { state, pos } = context
  if (!isInFrontMatter(state, pos)) return null
  const line = state.doc.lineAt(pos)
  const before = line.text.slice(0, pos - line.from)
  const name = /^[\p{L}\p{N}_ -]*$/u.exec(before)
  const known = await vocabulary()
  if (name && !before.startsWith('-')) {
    if (before === '' && !context.explicit) return null
    return {
      from: line.from,
      options: known.properties.map(({ key }) => ({ label: key, apply: `${key}: ` })),
      validFor: /^[\p{L}\p{N}_ -]*$/u,
    }
  }
  const value = /^([^:]+):\s*(?:\[(?:[^\]]*,)?\s*)?["']?([^,[\]"']*)$/.exec(before)
  const item = /^\s*-\s+["']?([^"']*)$/.exec(before)
  const key = (value?.[1] ?? (item && keyAbove(state, line.number)))?.trim()
  const begun = value?.[2] ?? item?.[1]
  if (key === undefined || begun === undefined) return null
  const values = known.properties.find((each) => each.key === key)?.values ?? []
  const options = /^tags?$/.test(key) ? [...new Set([...values, ...known.tags])] : values
  return {
    from: pos - begun.length,
    options: options.map((label) => ({ label, apply: asValue(label) })),
    validFor: /^[^,[\]"']*$/,
  }
}

/** Quoted where YAML would read something else. */
function asValue(text: string): string {
  return /^[\p{L}\p{N}][\p{L}\p{N} _./-]*$/u.test(text) ? text : JSON.stringify(text)
}

function isInFrontMatter({ doc }: EditorState, pos: number): boolean {
  if (!/^---\s*$/.test(doc.line(1).text)) return false
  const { number } = doc.lineAt(pos)
  for (let at = 2; at <= Math.min(doc.lines, 500); at++) {
    if (/^(?:---|\.\.\.)\s*$/.test(doc.line(at).text)) return number > 1 && number < at
  }
  return false
}

function keyAbove({ doc }: EditorState, from: number): string | undefined {
  for (let at = from - 1; at > 1; at--) {
    const key = /^([^\s:-][^:]*):\s*$/.exec(doc.line(at).text)?.[1]
    if (key !== undefined) return key
    if (!/^\s*-\s/.test(doc.line(at).text)) return undefined
  }
  return undefined
}

/** At the beginning of a line, or of a word: blocks, and templates that this base has. */
async function slash(
  context: CompletionContext,
  id: string,
  first: number,
): Promise<CompletionResult | null> {
  const begun = context.matchBefore(/\/[\p{L}\p{N}-]*/u)
  if (!begun || /\S/.test(context.state.sliceDoc(begun.from - 1, begun.from))) return null
  const today = new Date().toLocaleDateString('sv')
  const making = await asked<Making>(context, 'making', { from: id, today })
  const blocks = BLOCKS.map(({ name, detail, make }, index) => ({
    label: `/${name}`,
    detail,
    // In the order in which they are used, not in that of letters.
    boost: BLOCKS.length - index,
    apply: (view: EditorView, _: Completion, from: number, to: number) => {
      insert(view, from, to, make(today))
    },
  }))
  const templates = (making?.templates ?? []).map(({ name }) => ({
    label: `/${clean(name)}`,
    detail: 'template',
    apply: (view: EditorView, _: Completion, from: number, to: number) => {
      void insertTemplate({ view, name, id, first }, from, to)
    },
  }))
  return { from: begun.from, options: [...blocks, ...templates], validFor: /^\/[\p{L}\p{N} -]*$/u }
}

/** `¦` is where the cursor goes. */
function insert(view: EditorView, from: number, to: number, text: string): void {
  const line = view.state.doc.lineAt(from)
  const isBlock = text.startsWith('\n')
  // A block begins on a line of its own.
  const own = isBlock
    ? line.text.slice(0, from - line.from).trim() === ''
      ? text.slice(1)
      : `\n${text}`
    : text
  const at = own.indexOf('¦')
  const whole = own.replace('¦', '')
  const anchor = from + (at < 0 ? whole.length : at)
  view.dispatch({ changes: { from, to, insert: whole }, selection: { anchor }, userEvent: 'input' })
}

interface Place {
  readonly view: EditorView
  readonly name: string
  readonly id: string
  readonly first: number
}

async function insertTemplate(
  { view, name, id, first }: Place,
  from: number,
  to: number,
): Promise<void> {
  const typed = view.state.sliceDoc(from, to)
  view.dispatch({ changes: { from, to } })
  try {
    const { text } = await door.read<{ readonly text: string }>('template', { name, id })
    const plain = text.replaceAll(/(?<!\r)\r\n/g, '\n')
    // Properties stand at the top or nowhere.
    const isTop = first === 1 && from === 0
    const own = isTop ? plain : plain.replace(/^---\n[^]*?\n(?:---|\.\.\.)[ \t]*(?:\n|$)/, '')
    if (own !== plain) say('The properties of the template were left out')
    const at = Math.min(from, view.state.doc.length)
    view.dispatch({ changes: { from: at, insert: own }, selection: { anchor: at + own.length } })
  } catch (problem) {
    view.dispatch({ changes: { from: Math.min(from, view.state.doc.length), insert: typed } })
    say(errorOf(problem).message)
  }
}

/** Undefined where nobody waits for it any more, or nobody answers. */
async function asked<Answer>(
  context: CompletionContext,
  name: string,
  args: object,
): Promise<Answer | undefined> {
  const gone = new AbortController()
  context.addEventListener('abort', () => gone.abort(), { onDocChange: true })
  try {
    return await door.read<Answer>(name, args, gone.signal)
  } catch {
    return undefined
  }
}
