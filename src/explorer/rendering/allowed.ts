/**
 * What a rendered note may consist of. Notes are written by strangers and by agents, so this table
 * is the last word: whatever the rules before it made, a tag or an attribute that is not listed
 * comes out as text. No `style`, no event handlers, no address that a script could hide in.
 */

/** How an attribute's value must look; the value is already escaped. */
type Check = RegExp

const NUMBER: Check = /^\d{1,7}$/
const WORDS: Check = /^[\w \-.+#]{0,200}$/
const ANYTHING: Check = /^[^<>"]*$/
/** Our own pages and files, addresses of the web, mail, and places on this page. */
const ADDRESS: Check =
  /^(?:(?:\/(?:n|web\/file)\/|https?:\/\/|mailto:|#)[^\s<>"]*|\/\?q=tag%3A[\w%.-]*)$/
const PICTURE: Check =
  /^(?:\/web\/file\/[^\s<>"]*|data:image\/(?:png|gif|jpeg|webp);base64,[\w+/=]*)$/

const PLAYED: Check = /^\/web\/file\/[^\s<>"]*$/

type Attributes = Readonly<Record<string, Check>>

const CLASS = { class: WORDS } as const satisfies Attributes
/** Which lines of the source a block comes from. */
const LINES = { 'data-line': NUMBER, 'data-end': NUMBER } as const satisfies Attributes
const BLOCK = { ...CLASS, ...LINES } as const satisfies Attributes
const HEADING = { ...BLOCK, id: /^h-[^\s<>"]{0,300}$/ } as const satisfies Attributes
const CELL = { ...CLASS, rowspan: NUMBER, colspan: NUMBER } as const satisfies Attributes
const MATH_LENGTH: Check = /^-?[\d.]*(?:em|ex|px|pt|%|mu)?$/
const MATH_WORD: Check = /^[\w .-]{0,60}$/
const MATH = {
  class: WORDS,
  display: /^(?:block|inline)$/,
  displaystyle: MATH_WORD,
  scriptlevel: /^[+-]?\d$/,
  mathvariant: MATH_WORD,
  stretchy: MATH_WORD,
  fence: MATH_WORD,
  form: MATH_WORD,
  separator: MATH_WORD,
  symmetric: MATH_WORD,
  largeop: MATH_WORD,
  movablelimits: MATH_WORD,
  accent: MATH_WORD,
  accentunder: MATH_WORD,
  columnalign: MATH_WORD,
  lspace: MATH_LENGTH,
  rspace: MATH_LENGTH,
  width: MATH_LENGTH,
  height: MATH_LENGTH,
  depth: MATH_LENGTH,
  voffset: MATH_LENGTH,
  minsize: MATH_LENGTH,
  maxsize: MATH_LENGTH,
  linethickness: MATH_LENGTH,
} as const satisfies Attributes

function each(names: string, attributes: Attributes): Record<string, Attributes> {
  return Object.fromEntries(names.split(' ').map((name) => [name, attributes]))
}

export const ALLOWED: Readonly<Record<string, Attributes>> = {
  ...each('p blockquote pre ul div section figure dl table', BLOCK),
  ...each('h1 h2 h3 h4 h5 h6', HEADING),
  ...each('em strong b i s del ins u mark kbd sub sup small q cite code', CLASS),
  ...each('thead tbody tfoot caption tr dt dd summary figcaption', BLOCK),
  ...each('th td', CELL),
  ...each('br hr', BLOCK),
  ol: { ...BLOCK, start: NUMBER },
  li: { ...BLOCK, id: /^fn-\d+$/ },
  details: { ...BLOCK, open: /^$/ },
  a: {
    ...CLASS,
    href: ADDRESS,
    title: ANYTHING,
    id: /^fnref-\d+(?:-\d+)?$/,
    rel: WORDS,
    target: /^_blank$/,
    'data-id': ANYTHING,
  },
  img: {
    ...CLASS,
    src: PICTURE,
    alt: ANYTHING,
    title: ANYTHING,
    width: NUMBER,
    height: NUMBER,
    loading: WORDS,
  },
  ...each('audio video', {
    ...CLASS,
    src: PLAYED,
    controls: /^$/,
    preload: /^metadata$/,
    width: NUMBER,
    height: NUMBER,
    'aria-label': ANYTHING,
  }),
  span: {
    ...CLASS,
    title: ANYTHING,
    role: WORDS,
    'aria-label': ANYTHING,
    'data-wiki': ANYTHING,
    'data-markdown': ANYTHING,
  },
  ...each(
    'math mrow mi mo mn mtext mspace msup msub msubsup mfrac msqrt mroot mover munder munderover ' +
      'mtable mtr mtd mstyle mpadded mphantom mmultiscripts mprescripts none merror',
    MATH,
  ),
}

export const VOID = new Set(['br', 'hr', 'img'])

const PIECE = /<(\/?)([a-zA-Z][a-zA-Z0-9]*)((?:[ \n]+[a-zA-Z-]+="[^"<>]*")*)[ \n]*\/?>|[<>]|[^<>]+/g
const ATTRIBUTE = /([a-zA-Z-]+)="([^"<>]*)"/g

/** The same page with nothing in it but what is allowed, every tag that was opened closed again. */
export function enforce(html: string): string {
  const open: string[] = []
  let out = ''
  for (const [piece, slash, name, attributes] of html.matchAll(PIECE)) {
    const tag = name?.toLowerCase()
    const known = tag === undefined ? undefined : Object.hasOwn(ALLOWED, tag) && ALLOWED[tag]
    if (tag === undefined || !known) {
      out += visible(piece.replaceAll('<', '&lt;').replaceAll('>', '&gt;'))
    } else if (slash === '/') {
      const at = open.lastIndexOf(tag)
      // What was never opened is not closed, and what is inside is closed first.
      const closed = at < 0 ? [] : open.splice(at).toReversed()
      out += closed.map((each) => `</${each}>`).join('')
    } else {
      out += `<${tag}${allowedAttributes(attributes ?? '', known)}>`
      if (!VOID.has(tag)) open.push(tag)
    }
  }
  while (open.length > 0) out += `</${open.pop()!}>`
  return out
}

function allowedAttributes(written: string, known: Attributes): string {
  let kept = ''
  for (const [, name = '', value = ''] of written.matchAll(ATTRIBUTE)) {
    const lower = name.toLowerCase()
    const check = Object.hasOwn(known, lower) ? known[lower] : undefined
    if (check?.test(value)) kept += ` ${lower}="${value.replace(UNSEEN, '\uFFFD')}"`
  }
  return kept
}

/**
 * Characters that nobody sees and that change what one sees: controls, and those that turn the
 * direction of writing around.
 */
const UNSEEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g

function visible(text: string): string {
  return text.replace(UNSEEN, (character) => {
    const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
    return `<span class="unseen">U+${code}</span>`
  })
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character]!)
}
