/** Where does output go, and how may it look? Results to `out`, everything else to `err`. */

export interface OutputStream {
  write(text: string): unknown
  readonly isTTY?: boolean
  readonly columns?: number
}

export interface Terminal {
  /** Results. */
  out(text: string): void
  /** Notes, progress and errors. */
  err(text: string): void
  /** True when a person looks at the results rather than a program. */
  readonly outIsTerminal: boolean
  readonly errIsTerminal: boolean
  readonly columns: number
  /** Whether words may lead somewhere when they are clicked. */
  readonly hyperlinks: boolean
  readonly style: Style
  readonly errStyle: Style
}

export type Style = Readonly<Record<keyof typeof CODES, (text: string) => string>>

const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const

export function openTerminal(
  out: OutputStream,
  err: OutputStream,
  env: Readonly<Record<string, string | undefined>>,
): Terminal {
  const mayColour = !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  return {
    out: (text) => void out.write(text),
    err: (text) => void err.write(text),
    outIsTerminal: out.isTTY === true,
    errIsTerminal: err.isTTY === true,
    // Long lines are hard to read even where the window is wide.
    columns: Math.max(40, Math.min(out.columns ?? 100, 100)),
    hyperlinks: mayColour && out.isTTY === true,
    style: styleFor(mayColour && out.isTTY === true),
    errStyle: styleFor(mayColour && err.isTTY === true),
  }
}

function styleFor(colours: boolean): Style {
  const paint = ([open, close]: readonly [number, number]) =>
    colours ? (text: string) => `\u001b[${open}m${text}\u001b[${close}m` : (text: string) => text
  return {
    bold: paint(CODES.bold),
    dim: paint(CODES.dim),
    red: paint(CODES.red),
    green: paint(CODES.green),
    yellow: paint(CODES.yellow),
    cyan: paint(CODES.cyan),
  }
}

/**
 * Document text as it may be shown: a note must not move the cursor, set the window title or turn
 * the reading direction round. Tabs and line ends stay.
 */
export function clean(text: string): string {
  return text.replace(ESCAPE_SEQUENCES, '').replace(/\r\n?/g, '\n').replace(UNPRINTABLE, '')
}

/** The same on one line. */
export function cleanLine(text: string): string {
  return clean(text).replace(/\s+/g, ' ').trim()
}

/** CSI (`ESC [ … letter`), OSC and its kin (`ESC ] … BEL`), and two-character escapes. */
const ESCAPE_SEQUENCES =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[\]PX^_][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]?/g

const UNPRINTABLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u200b\u202a-\u202e\u2060-\u206f\ufeff]|(?:\udb40[\udc00-\udc7f])+/g

/**
 * JSON that is safe on a screen as well: JSON itself escapes only the first 32 controls, and a
 * terminal obeys those above 127 too. The parsed value is the same.
 */
export function toJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`.replace(
    /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    unicodeEscape,
  )
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Breaks a text into lines of at most `width` characters, at spaces where there are any. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return line === '' ? lines : [...lines, line]
}

/** Rows with their columns aligned; the last column runs free. */
export function columns(rows: readonly (readonly string[])[], gap = '  '): string[] {
  const widths: number[] = []
  for (const row of rows) {
    row.forEach((cell, index) => (widths[index] = Math.max(widths[index] ?? 0, cell.length)))
  }
  return rows.map((row) =>
    row
      .map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index]!)))
      .join(gap)
      .trimEnd(),
  )
}
