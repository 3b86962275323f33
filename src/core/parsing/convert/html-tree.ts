/** A tree of HTML or XML, as far as a text needs one: no entity of the file's own is ever expanded. */
import { Parser } from 'htmlparser2'
import { Unreadable } from '../../domain/conversion.ts'

export interface HtmlElement {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: HtmlNode[]
  /** Of all text in it, and of that in links. */
  letters: number
  linked: number
}

export type HtmlNode = HtmlElement | string

/** Nobody sees what is nested deeper; it stands where the nesting ended. */
const DEEPEST = 200
/** Every one more costs as much as all that are open. */
const MOST_OPEN = 10_000
const MOST_NODES = 3_000_000

/** Nobody reads what is in them. */
const UNREAD = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'svg',
  'iframe',
  'object',
  'embed',
  'canvas',
  'audio',
  'video',
  'select',
  'datalist',
  'textarea',
  'button',
  'map',
])

export function parseHtml(html: string): HtmlElement {
  return parseTree(html, { xml: false })
}

/** Names keep their prefixes: `w:p`. */
export function parseXml(xml: string): HtmlElement {
  return parseTree(xml, { xml: true })
}

function parseTree(source: string, { xml }: { readonly xml: boolean }): HtmlElement {
  const root: HtmlElement = { tag: '', attributes: {}, children: [], letters: 0, linked: 0 }
  const open: HtmlElement[] = [root]
  let nodes = 0
  let depth = 0
  let unread = 0
  let links = 0
  const count = (): void => {
    if (++nodes > MOST_NODES) throw new Unreadable(`more than ${MOST_NODES} elements`)
  }
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        count()
        if (++depth > MOST_OPEN) throw new Unreadable('elements nested without end')
        if (!xml && UNREAD.has(tag)) unread++
        if (tag === 'a') links++
        if (unread > 0 || depth > DEEPEST) return
        const element: HtmlElement = { tag, attributes, children: [], letters: 0, linked: 0 }
        open.at(-1)!.children.push(element)
        open.push(element)
      },
      onclosetag(tag) {
        if (!xml && UNREAD.has(tag)) unread = Math.max(0, unread - 1)
        else if (unread === 0 && depth <= DEEPEST) close(open)
        if (tag === 'a') links = Math.max(0, links - 1)
        depth--
      },
      ontext(text) {
        if (unread > 0) return
        const element = open.at(-1)!
        const last = element.children.length - 1
        if (typeof element.children[last] === 'string') element.children[last] += text
        else {
          count()
          element.children.push(text)
        }
        const letters = text.length > 64 || /\S/.test(text) ? text.length : 0
        element.letters += letters
        if (links > 0) element.linked += letters
      },
    },
    { xmlMode: xml, decodeEntities: true, lowerCaseTags: !xml, lowerCaseAttributeNames: !xml },
  )
  parser.write(source)
  parser.end()
  while (open.length > 1) close(open)
  return root
}

function close(open: HtmlElement[]): void {
  if (open.length < 2) return
  const element = open.pop()!
  const outer = open.at(-1)!
  outer.letters += element.letters
  outer.linked += element.linked
}

export function isElement(node: HtmlNode): node is HtmlElement {
  return typeof node !== 'string'
}

export function attributeOf({ attributes }: HtmlElement, name: string): string | undefined {
  return Object.hasOwn(attributes, name) ? attributes[name] : undefined
}

/** All text in it, as it is written. */
export function textOf(element: HtmlElement): string {
  return element.children.map((each) => (isElement(each) ? textOf(each) : each)).join('')
}

export function childrenOf(element: HtmlElement, tag?: string): readonly HtmlElement[] {
  const children = element.children.filter(isElement)
  return tag === undefined ? children : children.filter((each) => each.tag === tag)
}

/** The first element of a name in it, in the order of the text. */
export function findElement(element: HtmlElement, tag: string): HtmlElement | undefined {
  for (const child of element.children) {
    if (!isElement(child)) continue
    if (child.tag === tag) return child
    const found = findElement(child, tag)
    if (found) return found
  }
  return undefined
}

export function* findElements(element: HtmlElement, tag: string): Generator<HtmlElement> {
  for (const child of element.children) {
    if (!isElement(child)) continue
    if (child.tag === tag) yield child
    yield* findElements(child, tag)
  }
}
