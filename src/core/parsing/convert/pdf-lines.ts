/** Lines of a page in the order they are read, from pieces of text with their places. */
export interface PageItem {
  readonly text: string
  /** From the left and the top of the page to where the piece begins on its base line. */
  readonly x: number
  readonly y: number
  readonly width: number
  readonly size: number
}

export interface PageLine {
  readonly text: string
  readonly x: number
  readonly right: number
  readonly y: number
  readonly size: number
  /** It stands where heads and numbers of pages do. */
  readonly inMargin: boolean
  /** Pieces with wide gaps between them: cells of a row, where there are several. */
  readonly cells: readonly PageCell[]
}

export interface PageCell {
  readonly text: string
  readonly x: number
  readonly right: number
}

interface Segment extends PageCell {
  readonly y: number
  readonly size: number
  /** Gaps in it that may be a narrow gutter: where they stand on the page, and in the text. */
  readonly seams: readonly Seam[]
}

interface Seam {
  readonly from: number
  readonly to: number
  readonly at: number
}

/** Of the size of the letters: a wider gap parts columns and cells. */
const WIDE_GAP = 1.6
/** No blank between words is so wide, but for a few of a line that is spread to both edges. */
const SEAM_GAP = 0.8
/** How much of a page its margins take. */
const MARGIN = 0.12
/** From here on there is a blank between two pieces. */
const BLANK_GAP = 0.17

export function linesOfPage(
  items: readonly PageItem[],
  page: { readonly width: number; readonly height: number },
): readonly PageLine[] {
  const segments = segmentsOf(items)
  const lines = inColumns(segments, page.width).flatMap(linesOf)
  const margin = page.height * MARGIN
  return lines.map((line) => ({
    ...line,
    inMargin: line.y < margin || line.y > page.height - margin,
  }))
}

/** Pieces side by side on one base line are one segment, up to a wide gap. */
function segmentsOf(items: readonly PageItem[]): readonly Segment[] {
  const rows = rowsOf(items)
  return rows.flatMap((row) => {
    const segments: Segment[] = []
    // Made longer in place: a line may be of very many pieces.
    let open: (Segment & { readonly seams: Seam[] }) | undefined
    /** The last piece of its text that says something: looking at all of it would take longer. */
    let ending = ''
    for (const { text, x, y, width, size } of row.toSorted((a, b) => a.x - b.x)) {
      const right = x + width
      const gap = open ? x - open.right : 0
      if (
        open &&
        gap < WIDE_GAP * Math.max(open.size, size) &&
        gap > -Math.max(open.size, size) * 2
      ) {
        const isApart =
          gap > BLANK_GAP * Math.min(open.size, size) && !/\s$/.test(ending) && !/^\s/.test(text)
        const isLarger = right - x > (open.right - open.x) / 2 && size > open.size
        const added = `${isApart ? ' ' : ''}${text}`
        if (added !== '') ending = added
        if (gap > SEAM_GAP * Math.max(open.size, size))
          open.seams.push({ from: open.right, to: x, at: open.text.length })
        open = {
          seams: open.seams,
          text: open.text + added,
          x: open.x,
          right: Math.max(open.right, right),
          y: isLarger ? y : open.y,
          size: Math.max(open.size, size),
        }
        segments[segments.length - 1] = open
      } else {
        open = { text, x, right, y, size, seams: [] }
        ending = text
        segments.push(open)
      }
    }
    return segments
  })
}

interface Lying {
  readonly y: number
  readonly size: number
}

/** What stands on one base line, with what is raised or lowered beside it. */
function rowsOf<Item extends Lying>(items: readonly Item[]): readonly (readonly Item[])[] {
  const sorted = items.toSorted((a, b) => a.y - b.y)
  const rows: { base: number; size: number; items: Item[] }[] = []
  for (const item of sorted) {
    const row = rows.at(-1)
    const tolerance = 0.45 * Math.max(item.size, row?.size ?? 0)
    if (row && item.y - row.base <= Math.min(tolerance, 0.6 * Math.min(item.size, row.size) + 1)) {
      row.items.push(item)
      if (item.size > row.size) {
        row.base = item.y
        row.size = item.size
      }
    } else rows.push({ base: item.y, size: item.size, items: [item] })
  }
  return rows.map((row) => row.items)
}

/** Fewer lines on one side are a table, or two lines that happen to be there. */
const LEAST_LINES = 4

/**
 * Parts of a page one after the other: what reaches over the gutter divides the columns above it
 * from those below.
 */
function inColumns(segments: readonly Segment[], width: number): readonly (readonly Segment[])[] {
  const gutter = gutterOf(segments, width)
  if (gutter === undefined) return aroundColumns(segments, width)
  const edge = Math.min(...segments.filter(({ x }) => x > gutter - 1).map(({ x }) => x))
  const parts: Segment[][] = []
  let left: Segment[] = []
  let right: Segment[] = []
  const flush = (): void => {
    for (const part of [left, right]) if (part.length > 0) parts.push(part)
    left = []
    right = []
  }
  for (const joined of rowsOf(segments)) {
    const row = joined.flatMap((each) => partedAt(each, edge))
    if (row.some((each) => each.x < gutter - 2 && each.right > Math.max(gutter + 2, edge))) {
      flush()
      parts.push([...row])
      continue
    }
    for (const each of row) (each.x < edge - 1 ? left : right).push(each)
  }
  flush()
  return parts
}

/** Two lines that stand so close that they were taken for one: the second begins where its column does. */
function partedAt(segment: Segment, edge: number): readonly Segment[] {
  const { text, seams } = segment
  const seam = seams.find(({ to }) => Math.abs(to - edge) < 2)
  if (!seam) return [segment]
  return [
    { ...segment, text: text.slice(0, seam.at), right: seam.from, seams: [] },
    { ...segment, text: text.slice(seam.at).trimStart(), x: seam.to, seams: [] },
  ]
}

/** So many lines side by side, one below the other, are text: figures and tables stand above or below. */
const LEAST_ROWS = 8

/** A page whose columns are a part of it, with a figure or a table over its whole width. */
function aroundColumns(
  segments: readonly Segment[],
  width: number,
): readonly (readonly Segment[])[] {
  const rows = rowsOf(segments)
  let best: { readonly from: number; readonly to: number; readonly beside: number } | undefined
  for (let x = width * 0.4; x <= width * 0.6; x += 2) {
    let [from, beside] = [0, 0]
    for (let at = 0; at <= rows.length; at++) {
      const row = rows[at]
      if (!row || row.some((each) => each.x < x - 1 && each.right > x + 1)) {
        if (beside > (best?.beside ?? LEAST_ROWS - 1)) best = { from, to: at, beside }
        from = at + 1
        beside = 0
      } else if (row.some((each) => each.right <= x + 1) && row.some((each) => each.x >= x - 1)) {
        beside++
      }
    }
  }
  if (!best || (best.from === 0 && best.to === rows.length)) return [segments]
  const part = rows.slice(best.from, best.to).flat()
  if (gutterOf(part, width) === undefined) return [segments]
  const [above, below] = [rows.slice(0, best.from).flat(), rows.slice(best.to).flat()]
  return [above, part, below].flatMap((each) => (each.length > 0 ? inColumns(each, width) : []))
}

/** Where the page is empty from above to below between two columns of text, if it has two. */
function gutterOf(segments: readonly Segment[], width: number): number | undefined {
  if (segments.length < 2 * LEAST_LINES) return undefined
  let best: { readonly x: number; readonly crossing: number } | undefined
  for (let x = width * 0.35; x <= width * 0.65; x += 2) {
    let crossing = 0
    for (const each of segments) if (each.x < x - 1 && each.right > x + 1) crossing++
    if (
      !best ||
      crossing < best.crossing ||
      (crossing === best.crossing && isNearer(x, best.x, width))
    ) {
      best = { x, crossing }
    }
  }
  if (!best) return undefined
  const { x } = best
  const left = segments.filter((each) => each.right <= x + 1)
  const right = segments.filter((each) => each.x >= x - 1)
  const sides = [left, right]
  if (sides.some((side) => side.length < LEAST_LINES)) return undefined
  if (best.crossing > 0.34 * segments.length) return undefined
  const areFull = sides.map((side) => isFull(side, width))
  if (sides.every((side, at) => areFull[at] || isFilled(side, width))) return x
  const text = sides[areFull.indexOf(true)]
  const other = sides[areFull.indexOf(false)]!
  return text && isBeside(other, text) ? x : undefined
}

/** Lines of text fill their column, cells of a table do not. */
function isFilled(side: readonly Segment[], width: number): boolean {
  const across = acrossOf(side)
  const widths = side.map((each) => each.right - each.x).toSorted((a, b) => a - b)
  return across > width * 0.2 && widths[Math.floor(widths.length / 2)]! > 0.6 * across
}

/** Most of what it says are such lines: a figure among them has many short pieces and few letters. */
function isFull(side: readonly Segment[], width: number): boolean {
  const across = acrossOf(side)
  const full = side.filter((each) => each.right - each.x > 0.8 * across)
  return across > width * 0.2 && full.length >= LEAST_ROWS && lettersOf(full) > lettersOf(side) / 2
}

function acrossOf(side: readonly Segment[]): number {
  return Math.max(...side.map(({ right }) => right)) - Math.min(...side.map(({ x }) => x))
}

/** Labels of a figure stand where they may, cells of a table on the lines of those beside them. */
function isBeside(figure: readonly Segment[], text: readonly Segment[]): boolean {
  const inRow = figure.filter(({ y }) => text.some((each) => Math.abs(each.y - y) < 1))
  return inRow.length < figure.length / 2
}

function lettersOf(segments: readonly Segment[]): number {
  return segments.reduce((sum, { text }) => sum + text.length, 0)
}

function isNearer(x: number, than: number, width: number): boolean {
  return Math.abs(x - width / 2) < Math.abs(than - width / 2)
}

function linesOf(segments: readonly Segment[]): readonly Omit<PageLine, 'inMargin'>[] {
  return rowsOf(segments).map((row) => {
    const cells = row
      .toSorted((a, b) => a.x - b.x)
      .map(({ text, x, right }) => ({ text: text.replaceAll(/\s+/g, ' ').trim(), x, right }))
    const widest = row.reduce((a, b) => (b.text.length > a.text.length ? b : a))
    return {
      text: cells.map(({ text }) => text).join(' '),
      x: cells[0]!.x,
      right: Math.max(...cells.map(({ right }) => right)),
      y: widest.y,
      size: widest.size,
      cells,
    }
  })
}

/** The same line on another page, where only the number of the page differs. */
export function runningKey({ text, y }: Pick<PageLine, 'text' | 'y'>): string {
  return `${text.replaceAll(/\d+/g, '#').replaceAll(/\s+/g, ' ').trim()} at ${Math.round(y / 8)}`
}
