/** Runs the script of a page with just enough of a browser around it to see what it does. */
import { createContext, runInContext } from 'node:vm'

export interface FakeElement {
  textContent: string
  value: string
  hidden: boolean
  title: string
  readonly children: FakeElement[]
  fire(type: string, event?: object): void
}

export interface FakePage {
  element(id: string): FakeElement
  /** Runs what waits for the next frame, until nothing does or the frames are used up. */
  frames(most: number): number
  /** Everything that was written onto the canvas. */
  readonly written: string[]
  /** Values of the script's own names. */
  evaluate(expression: string): unknown
}

export function openFakePage(html: string): FakePage {
  const elements = new Map<string, ReturnType<typeof fakeElement>>()
  const waiting: (() => void)[] = []
  const written: string[] = []
  const pen = new Proxy(
    {},
    {
      get: (_, name) => (text: unknown) => {
        if (name === 'fillText') written.push(String(text))
      },
      set: () => true,
    },
  )
  const element = (id: string) => {
    let found = elements.get(id)
    if (!found) elements.set(id, (found = fakeElement(pen)))
    return found
  }
  element('graph').textContent = contentOf(html, /<script type="application\/json" id="graph">/)
  const root = fakeElement(pen)
  const context = createContext({
    document: {
      getElementById: element,
      createElement: () => fakeElement(pen),
      documentElement: root,
      body: root,
    },
    getComputedStyle: () => ({ color: 'black' }),
    matchMedia: () => ({ matches: false, addEventListener: () => {} }),
    requestAnimationFrame: (callback: () => void) => waiting.push(callback),
    addEventListener: () => {},
    window: { devicePixelRatio: 1 },
    performance,
  })
  runInContext(contentOf(html, /<script>/), context)
  return {
    element,
    written,
    frames(most) {
      let done = 0
      while (waiting.length > 0 && done < most) {
        for (const callback of waiting.splice(0)) callback()
        done++
      }
      return done
    },
    evaluate: (expression) => runInContext(expression, context),
  }
}

function contentOf(html: string, opening: RegExp): string {
  const start = opening.exec(html)
  const from = start!.index + start![0].length
  return html.slice(from, html.indexOf('</script>', from))
}

function fakeElement(pen: object) {
  const listeners = new Map<string, (event: object) => void>()
  const children: FakeElement[] = []
  return {
    textContent: '',
    value: '',
    hidden: false,
    title: '',
    className: '',
    children,
    style: {},
    dataset: {},
    clientWidth: 1200,
    clientHeight: 800,
    width: 0,
    height: 0,
    classList: { add: () => {}, remove: () => {} },
    getContext: () => pen,
    setPointerCapture: () => {},
    addEventListener: (type: string, listener: (event: object) => void) => {
      listeners.set(type, listener)
    },
    append: (...more: FakeElement[]) => children.push(...more),
    replaceChildren: (...more: FakeElement[]) => children.splice(0, children.length, ...more),
    remove: () => {},
    fire: (type: string, event: object = {}) =>
      listeners.get(type)?.({ preventDefault: () => {}, type, ...event }),
  }
}
