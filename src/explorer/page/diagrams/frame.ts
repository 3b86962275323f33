/** What runs in the frame that draws: a source comes in, a picture goes out, one after the other. */
import type { Drawing, ToDraw } from './messages.ts'

interface Mermaid {
  initialize(config: object): void
  render(id: string, text: string): Promise<{ readonly svg: string }>
}

const { mermaid } = globalThis as unknown as { mermaid: Mermaid }

/** Beyond this nobody sees anything in it, and laying it out takes minutes. */
const LIMITS = { maxTextSize: 50_000, maxEdges: 500 }

const OURS = ['secure', 'securityLevel', 'startOnLoad', 'themeCSS', 'htmlLabels', 'fontFamily']

let before: Promise<unknown> = Promise.resolve()
let drawn = 0

addEventListener('message', ({ data, source }: MessageEvent<ToDraw>) => {
  if (source !== parent || typeof data?.text !== 'string') return
  before = before.then(async () => parent.postMessage(await draw(data), '*'))
})

async function draw({ key, text, dark }: ToDraw): Promise<Drawing> {
  try {
    mermaid.initialize({
      ...LIMITS,
      startOnLoad: false,
      securityLevel: 'strict',
      // What a diagram may not set for itself.
      secure: [...Object.keys(LIMITS), ...OURS],
      theme: dark ? 'dark' : 'neutral',
      fontFamily: 'sans-serif',
      // Text as text: a picture shows no HTML.
      htmlLabels: false,
      flowchart: { htmlLabels: false },
      suppressErrorRendering: true,
      deterministicIds: true,
    })
    const { svg } = await mermaid.render(`d${drawn++}`, text)
    return { key, ...sized(svg) }
  } catch (error) {
    return { key, problem: error instanceof Error ? error.message.slice(0, 500) : 'unknown' }
  } finally {
    document.body.replaceChildren()
  }
}

/** A picture needs a size of its own. */
function sized(svg: string): { svg: string; width: number; height: number } {
  const root = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement
  const [, , width = 0, height = 0] = (root.getAttribute('viewBox') ?? '')
    .split(/[\s,]+/)
    .map(Number)
  if (!(width > 0 && height > 0)) throw new Error('It has no size.')
  root.setAttribute('width', String(Math.ceil(width)))
  root.setAttribute('height', String(Math.ceil(height)))
  root.removeAttribute('style')
  return { svg: new XMLSerializer().serializeToString(root), width, height }
}

parent.postMessage({ ready: true }, '*')
