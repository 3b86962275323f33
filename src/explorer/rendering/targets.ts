/** Where links and pictures of a note lead. */
import { escapeHtml } from './allowed.ts'

/** A document that a link means. */
export interface LinkTarget {
  readonly id: string
  readonly title: string
}

/** What a note must know of the base around it. */
export interface Surroundings {
  /** The document a link means; undefined when it leads nowhere. */
  link(kind: 'wiki' | 'markdown', target: string): LinkTarget | undefined
  /** Where a page gets what it shows itself and lies in a source; undefined for anything else. */
  picture(target: string): string | undefined
  /** Whether code in a line is a query, to be answered where it stands. */
  isQuery?(code: string): boolean
  /** Whether a line that ends within a paragraph is seen to end there. */
  readonly breaks?: boolean
  /** The rendered part of another note, for `![[note#section]]`. */
  embed?(target: string, fragment: string): { readonly html: string } | undefined
}

export function notePath(id: string): string {
  return `/n/${id.split('/').map(encodeURIComponent).join('/')}`
}

/** The anchor of a heading: the same for the heading's text and for what links write of it. */
export function anchorOf(text: string): string {
  const slug = text
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
  return `h-${slug.slice(0, 200)}`
}

/** A section is named by its anchor; a block, a page or a path of headings is looked up as it is written. */
function placeOf(fragment: string): string {
  return /^\^|[#>]|^[a-z]+=\S/.test(fragment) ? fragment : anchorOf(fragment)
}

const OUTSIDE = /^(?:https?:\/\/|mailto:)/i
const SCHEME = /^(?:[a-z][a-z\d+.-]+:|\/\/|\\\\)/i

/** The opening tag of a link, and whether it leads anywhere: then it must be closed as one. */
export function openLink(
  kind: 'wiki' | 'markdown',
  written: string,
  { link }: Surroundings,
): { readonly html: string; readonly close: string } {
  const [target, fragment] = split(written)
  if (kind === 'markdown' && OUTSIDE.test(written)) return outside(written)
  if (kind === 'markdown' && SCHEME.test(written)) return refused(written)
  const anchor = fragment === '' ? '' : `#${encodeURIComponent(placeOf(fragment))}`
  if (target === '') {
    if (anchor === '') return ghost(kind, written)
    return { html: `<a class="here" href="${anchor}">`, close: '</a>' }
  }
  const found = link(kind, kind === 'markdown' ? decoded(target) : target)
  if (!found) return ghost(kind, written)
  const href = escapeHtml(notePath(found.id) + anchor)
  const id = escapeHtml(found.id)
  return {
    html: `<a class="note" href="${href}" data-id="${id}" title="${escapeHtml(found.title)}">`,
    close: '</a>',
  }
}

interface Size {
  readonly width?: string
  readonly height?: string
}

const KINDS = [
  ['img', /\.(?:png|jpe?g|gif|webp|svg|avif|bmp)$/i],
  ['audio', /\.(?:mp3|m4a|og[ga]|opus|wav|flac)$/i],
  ['video', /\.(?:mp4|m4v|webm|ogv|mov|mkv)$/i],
] as const

/** What a page shows itself: a picture, a sound or a film; undefined for anything else. */
export function shownAs(target: string): 'img' | 'audio' | 'video' | undefined {
  return KINDS.find(([, name]) => name.test(target))?.[0]
}

/** A picture of the base; one from elsewhere becomes a link, because loading it would tell on us. */
export function pictureHtml(
  written: string,
  alt: string,
  size: Size,
  { picture }: Surroundings,
): string {
  const shown = escapeHtml(alt)
  const [file, moment] = split(written)
  const kind = SCHEME.test(written) ? undefined : shownAs(file)
  if (kind === 'audio' || kind === 'video') {
    const src = picture(decoded(file))
    if (src !== undefined) return playerHtml(kind, src, moment, alt || file, size)
  }
  const inline = /^data:image\/(?:png|gif|jpeg|webp);base64,[\w+/=]*$/.test(written)
  const src = inline ? written : SCHEME.test(written) ? undefined : picture(decoded(written))
  if (src !== undefined) {
    return `<img class="picture" src="${escapeHtml(src)}" alt="${shown}" loading="lazy"${sizesHtml(size)}>`
  }
  if (!OUTSIDE.test(written)) return `<span class="ghost">${shown || 'picture'}</span>`
  const { html, close } = outside(written)
  return `${html}<span class="picture-outside">${shown || 'picture'}</span>${close}`
}

/** Nothing is played by itself, and of a film no more is loaded than its length. */
function playerHtml(
  kind: 'audio' | 'video',
  src: string,
  moment: string,
  name: string,
  size: Size,
): string {
  const at = /^t=[\d:.,]{1,40}$/.test(moment) ? `#${moment}` : ''
  const sizes = kind === 'video' ? sizesHtml(size) : ''
  return `<${kind} class="player" controls="" preload="metadata" src="${escapeHtml(src + at)}" aria-label="${escapeHtml(name)}"${sizes}></${kind}>`
}

function sizesHtml(size: Size): string {
  return (['width', 'height'] as const)
    .filter((key) => /^\d{1,5}$/.test(size[key] ?? ''))
    .map((key) => ` ${key}="${size[key]}"`)
    .join('')
}

function outside(address: string): { html: string; close: string } {
  const url = URL.parse(address)
  if (!url) return refused(address)
  const host =
    url.protocol === 'mailto:' ? '' : ` <span class="host">${escapeHtml(url.host)}</span>`
  const href = escapeHtml(url.href.replace(/[\s<>"]/g, encodeURIComponent))
  return {
    html: `<a class="outside" href="${href}" rel="noopener noreferrer" target="_blank">`,
    close: `${host}</a>`,
  }
}

function refused(address: string): { html: string; close: string } {
  const title = escapeHtml(`Not a link one can follow here: ${address.slice(0, 100)}`)
  return { html: `<span class="refused" title="${title}">`, close: '</span>' }
}

/** Who may write can make what it names: the page goes by its target. */
function ghost(kind: 'wiki' | 'markdown', written: string): { html: string; close: string } {
  const title = escapeHtml(`Nothing here is called ${written.slice(0, 200)}`)
  const target = escapeHtml((kind === 'wiki' ? written : decoded(written)).slice(0, 1_000))
  const named = ` data-${kind}="${target}"`
  return { html: `<span class="ghost" title="${title}"${named}>`, close: '</span>' }
}

function split(written: string): [string, string] {
  const hash = written.indexOf('#')
  if (hash < 0) return [written.trim(), '']
  return [written.slice(0, hash).trim(), decoded(written.slice(hash + 1)).trim()]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text).trim()
  } catch {
    return text.trim()
  }
}
