/**
 * PDF as text: pages in reading order, headings by their size or the outline, tables as rows,
 * without running heads. Nothing in the file is run, and nothing it names is fetched.
 */
import { MORE_COMES, MORE_IS_LEFT, READ_SO_FAR, Unreadable } from '../../domain/conversion.ts'
import type { FileBlock, FileContents, FileReader } from '../../domain/conversion.ts'
import { ownWork } from '../../kit/thread-work.ts'
import { linesOfPage, runningKey } from './pdf-lines.ts'
import type { PageLine, PageItem } from './pdf-lines.ts'
import { writePage } from './pdf-page.ts'
import type { PageStyle } from './pdf-page.ts'

/** What is used of pdf.js. */
interface Pdf {
  readonly numPages: number
  getPage(number: number): Promise<PdfPage>
  getMetadata(): Promise<{ readonly info?: Readonly<Record<string, unknown>> }>
  getOutline(): Promise<readonly OutlineItem[] | null>
}

interface PdfPage {
  readonly view: readonly number[]
  readonly rotate: number
  getTextContent(options: object): Promise<{ readonly items: readonly RawItem[] }>
  getAnnotations(): Promise<readonly { readonly url?: string; readonly unsafeUrl?: string }[]>
  getViewport(options: { readonly scale: number }): {
    readonly width: number
    readonly height: number
    readonly transform: readonly number[]
  }
  cleanup(): void
}

interface RawItem {
  readonly str?: string
  readonly transform: readonly number[]
  readonly width: number
  readonly height: number
}

interface OutlineItem {
  readonly title: string
  readonly items: readonly OutlineItem[]
}

/** A file of more pages is a collection; what is left out is counted. */
const MOST_PAGES = 2_000
const MOST_ITEMS = 60_000
const MOST_LETTERS = 8 * 1024 * 1024
/** Less than a file may take as a whole: of one that takes longer, what was read by then counts. */
const MOST_MS = 45_000
/** A file of so many pages takes a second or more; found by the first ones while the rest is read. */
const LONG_PAGES = 150
const FIRST_PAGES = 40

interface ReadOptions {
  readonly mostMs?: number
  readonly isFirst?: boolean | undefined
}

export const readPdf: FileReader = (bytes, _path, isFirst) => readPages(bytes, { isFirst })

export async function readPages(
  bytes: Uint8Array,
  { mostMs = MOST_MS, isFirst = false }: ReadOptions = {},
): Promise<FileContents> {
  if (!hasSignature(bytes)) throw new Unreadable('no PDF, whatever its name says')
  const pdf = await openPdf(bytes)
  const read = Math.min(pdf.numPages, MOST_PAGES)
  const enough = isFirst && read >= LONG_PAGES ? FIRST_PAGES : read
  const pages: PageRead[] = []
  let letters = 0
  let isPart = false
  const spent = ownWork()
  for (let number = 1; number <= read && letters < MOST_LETTERS; number++) {
    // Where the first ones are pictures, it goes on to one that says something.
    isPart = number > enough && letters > 0
    if (isPart) break
    if (number > 1 && spent() > mostMs) break
    const page = await readPage(pdf, number)
    letters += page.letters
    pages.push(page)
  }
  if (letters === 0) throw new Unreadable(`a scan without text (${pagesText(pdf.numPages)})`)
  const outline = await outlineOf(pdf)
  const style = styleOf(pages, outline)
  const blocks: FileBlock[] = pages.map(({ lines, links }, index) => ({
    anchor: `page=${index + 1}`,
    text: [writePage(lines, style), linksText(links, lines)]
      .filter((text) => text !== '')
      .join('\n\n'),
  }))
  const more = pdf.numPages - pages.length
  const soFar = isPart
    ? `pages 1–${pages.length} of ${pdf.numPages.toLocaleString('en')}`
    : undefined
  if (more > 0) blocks.push({ text: `(${pagesText(more)} ${isPart ? MORE_COMES : MORE_IS_LEFT}` })
  const { title, metadata } = await describe(pdf)
  return { title, metadata: { ...metadata, [READ_SO_FAR]: soFar }, blocks, isPart }
}

function pagesText(count: number): string {
  return `${count} page${count === 1 ? '' : 's'}`
}

/** Readers of PDF find the signature within the first kilobyte. */
function hasSignature(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(1024, bytes.length)).includes('%PDF-')
}

async function openPdf(bytes: Uint8Array): Promise<Pdf> {
  const { getDocument } = (await import('unpdf/pdfjs')) as unknown as {
    getDocument(options: object): { readonly promise: Promise<Pdf> }
  }
  try {
    return await getDocument({
      // Given away.
      data: new Uint8Array(bytes),
      isEvalSupported: false,
      enableXfa: false,
      disableFontFace: true,
      useSystemFonts: false,
      useWorkerFetch: false,
      stopAtErrors: false,
      verbosity: 0,
      maxImageSize: 1,
    }).promise
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') {
      throw new Unreadable('protected by a password')
    }
    throw new Unreadable(
      `a damaged PDF: ${error instanceof Error ? error.message.slice(0, 200) : ''}`,
    )
  }
}

interface PageRead {
  readonly lines: readonly PageLine[]
  readonly links: readonly string[]
  readonly letters: number
}

async function readPage(pdf: Pdf, number: number): Promise<PageRead> {
  let page: PdfPage
  let content
  try {
    page = await pdf.getPage(number)
    content = await page.getTextContent({
      includeMarkedContent: false,
      disableNormalization: false,
    })
  } catch {
    // One bad page is one bad page.
    return { lines: [], links: [], letters: 0 }
  }
  const { width, height, transform } = page.getViewport({ scale: 1 })
  const items: PageItem[] = []
  let letters = 0
  for (const item of content.items.slice(0, MOST_ITEMS)) {
    if (item.str === undefined || item.str.trim() === '') continue
    const placed = placeOf(item, transform)
    // Text that runs up the margin is none that is read.
    if (!placed) continue
    letters += item.str.trim().length
    items.push(placed)
  }
  const links: string[] = []
  try {
    for (const { url, unsafeUrl } of await page.getAnnotations()) {
      const link = url ?? unsafeUrl
      if (link !== undefined && /^(?:https?:\/\/|mailto:)[^\s<>]{1,900}$/i.test(link))
        links.push(link)
    }
  } catch {
    // Links are worth less than the page.
  }
  page.cleanup()
  return { lines: linesOfPage(items, { width, height }), links: [...new Set(links)], letters }
}

/** Where an item stands, from the top left corner of the page as it is shown. */
function placeOf(
  { str = '', transform, width }: RawItem,
  view: readonly number[],
): PageItem | undefined {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = transform
  const [va = 1, vb = 0, vc = 0, vd = -1, ve = 0, vf = 0] = view
  const across = va * a + vc * b
  const slope = vb * a + vd * b
  if (Math.abs(slope) > Math.abs(across) * 0.2) return undefined
  const size = Math.hypot(c, d) || Math.hypot(a, b)
  if (!(size > 0.5) || !Number.isFinite(size)) return undefined
  return { text: str, x: va * e + vc * f + ve, y: vb * e + vd * f + vf, width, size }
}

async function outlineOf(pdf: Pdf): Promise<ReadonlyMap<string, number>> {
  const levels = new Map<string, number>()
  const add = (items: readonly OutlineItem[], level: number): void => {
    for (const { title, items: inner } of items) {
      if (levels.size >= 5_000) return
      const key = headingKey(title)
      if (key !== '' && !levels.has(key)) levels.set(key, Math.min(level, 6))
      if (level < 8) add(inner, level + 1)
    }
  }
  try {
    add((await pdf.getOutline()) ?? [], 1)
  } catch {
    return levels
  }
  return levels
}

/** Without the number that one of them has and the other not. */
export function headingKey(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^(?:chapter|section|appendix)?\s*[\dA-Z]{0,3}(?:\.\d+)*[.):]?\s+/i, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

/** What is the text, and what stands out of it. */
function styleOf(pages: readonly PageRead[], outline: ReadonlyMap<string, number>): PageStyle {
  const letters = new Map<number, number>()
  for (const { lines } of pages) {
    for (const { size, text } of lines) {
      const rounded = Math.round(size * 2) / 2
      letters.set(rounded, (letters.get(rounded) ?? 0) + text.length)
    }
  }
  const byUse = [...letters].toSorted((a, b) => b[1] - a[1])
  const body = byUse[0]?.[0] ?? 10
  const large = [...letters.keys()].filter((size) => size >= body * 1.12).toSorted((a, b) => b - a)
  // Sizes that hardly differ are one level.
  const levels: number[] = []
  for (const size of large)
    if (levels.length === 0 || size < levels.at(-1)! * 0.94) levels.push(size)
  return { body, levels: levels.slice(0, 4), outline, running: runningHeads(pages), headingKey }
}

function runningHeads(pages: readonly PageRead[]): ReadonlySet<string> {
  const seen = new Map<string, number>()
  for (const { lines } of pages) {
    const margins = new Set(lines.filter(({ inMargin }) => inMargin).map(runningKey))
    for (const key of margins) seen.set(key, (seen.get(key) ?? 0) + 1)
  }
  // Odd and even pages have heads of their own, and chapters their titles.
  const least = Math.max(3, Math.min(8, pages.length * 0.25))
  return new Set([...seen].flatMap(([key, count]) => (count >= least ? [key] : [])))
}

function linksText(links: readonly string[], lines: readonly PageLine[]): string {
  if (links.length === 0) return ''
  const text = lines.map((line) => line.text).join(' ')
  const hidden = links
    .filter((link) => !text.includes(link.replace(/^(?:https?:\/\/|mailto:)/, '')))
    .slice(0, 100)
  return hidden.length === 0 ? '' : `Links: ${hidden.map((link) => `<${link}>`).join(' ')}`
}

async function describe(pdf: Pdf): Promise<Pick<FileContents, 'title' | 'metadata'>> {
  let info: Readonly<Record<string, unknown>> = {}
  try {
    info = (await pdf.getMetadata()).info ?? {}
  } catch {
    // A file without a word on itself.
  }
  const textIn = (key: string): string | undefined => {
    const value = info[key]
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
  }
  const title = textIn('Title')
  const keywords = textIn('Keywords')
  return {
    // Programs put the name of the file they printed there.
    title:
      title !== undefined &&
      !/\.(?:docx?|tex|dvi|indd|qxd|pptx?|xlsx?|odt|html?)$|^(?:untitled|microsoft word)/i.test(
        title,
      )
        ? title
        : undefined,
    metadata: {
      author: textIn('Author'),
      description: textIn('Subject'),
      keywords: keywords
        ?.split(/[,;]/)
        .map((word) => word.trim())
        .filter((word) => word !== ''),
      created: dateIn(textIn('CreationDate')),
      pages: pdf.numPages,
    },
  }
}

/** `D:20240131120000+01'00'` */
function dateIn(text: string | undefined): string | undefined {
  const [, year, month, day] = /^(?:D:)?(\d{4})(\d\d)(\d\d)/.exec(text ?? '') ?? []
  return year === undefined ? undefined : `${year}-${month}-${day}`
}
