/**
 * Diagrams of a note become pictures. A sandboxed frame draws them, and what comes back is shown as
 * a picture, in which nothing runs and which loads nothing, whoever wrote it.
 */
import style from './diagrams.css'
import { addStyle } from '../parts/add-style.ts'
import type { Drawing, ToDraw } from './messages.ts'

/** One that hangs is given up, with its frame. */
const PATIENCE_MS = 20_000

interface Waiting {
  readonly done: (drawing: Drawing) => void
  readonly timer: number
}

const waiting = new Map<number, Waiting>()
let frame: Promise<HTMLIFrameElement> | undefined
let keys = 0

/** Draws what is a diagram in a text that has just been put in; asked again, it does nothing. */
export function drawDiagrams(text: Element): void {
  addStyle(style)
  for (const code of text.querySelectorAll('.prose code.language-mermaid:not([data-drawn])')) {
    code.setAttribute('data-drawn', '')
    void show(code)
  }
}

async function show(code: Element): Promise<void> {
  const source = code.textContent ?? ''
  const drawing = await ask({ key: ++keys, text: source, dark: isDark() })
  if (!code.isConnected) return
  const block = code.closest('.code-box') ?? code.parentElement!
  if (drawing.svg === undefined) {
    const problem = document.createElement('p')
    problem.className = 'hint'
    problem.textContent = `This diagram cannot be drawn: ${drawing.problem ?? 'no answer'}`
    block.after(problem)
    return
  }
  const figure = document.createElement('figure')
  figure.className = 'diagram'
  const picture = document.createElement('img')
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawing.svg)}`
  picture.alt = altOf(source)
  picture.width = Math.ceil(drawing.width ?? 0)
  const details = document.createElement('details')
  const summary = document.createElement('summary')
  summary.textContent = 'Source'
  // It stays what it was: its lines are known, and its words are lit where they are found.
  for (const name of ['data-line', 'data-end']) {
    const value = code.parentElement?.getAttribute(name)
    if (value) figure.setAttribute(name, value)
  }
  block.replaceWith(figure)
  details.append(summary, block)
  figure.append(picture, details)
}

/** What it calls itself, or what kind it is. */
function altOf(source: string): string {
  const said = /^\s*(?:accTitle|title)\s*:?\s*(.+)$/m.exec(source)?.[1]
  const kind = /^\s*(?!---|%%)([A-Za-z]\w*)/m.exec(source)?.[1] ?? ''
  return `Diagram${said ? `: ${said.slice(0, 200)}` : kind === '' ? '' : ` (${kind})`}`
}

function isDark(): boolean {
  const { theme } = document.documentElement.dataset
  return theme === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark'
}

async function ask(wanted: ToDraw): Promise<Drawing> {
  const ready = await (frame ??= openFrame()).catch(() => undefined)
  if (!ready?.contentWindow) return { key: wanted.key, problem: 'the page cannot draw' }
  return new Promise((done) => {
    const timer = setTimeout(() => giveUp(wanted.key), PATIENCE_MS) as unknown as number
    waiting.set(wanted.key, { done, timer })
    ready.contentWindow!.postMessage(wanted, '*')
  })
}

/** What hangs holds up those behind it: all are told, and the next one gets a new frame. */
function giveUp(key: number): void {
  const problem = 'it takes too long'
  for (const [each, { done, timer }] of waiting) {
    clearTimeout(timer)
    done({ key: each, problem: each === key ? problem : 'another one takes too long' })
  }
  waiting.clear()
  document.querySelector('.diagram-frame')?.remove()
  frame = undefined
}

function openFrame(): Promise<HTMLIFrameElement> {
  return new Promise((done, give) => {
    const element = document.createElement('iframe')
    element.className = 'diagram-frame'
    element.setAttribute('sandbox', 'allow-scripts')
    element.ariaHidden = 'true'
    element.tabIndex = -1
    element.src = '/web/diagrams'
    const timer = setTimeout(() => give(new Error('late')), PATIENCE_MS)
    addEventListener('message', ({ data, source }: MessageEvent<Drawing & { ready?: boolean }>) => {
      if (source === null || source !== element.contentWindow) return
      if (data?.ready === true) {
        clearTimeout(timer)
        done(element)
        return
      }
      const asked = waiting.get(data?.key)
      if (!asked) return
      waiting.delete(data.key)
      clearTimeout(asked.timer)
      asked.done(data)
    })
    document.body.append(element)
  })
}
