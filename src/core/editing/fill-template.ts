/**
 * Fills the places of a template: those of Obsidian (`{{title}}`, `{{date:YYYY}}`), of Foam
 * (`${FOAM_TITLE}`) and the plain ones of Templater (`<% tp.file.title %>`). It looks names up and
 * runs nothing: a place with any other name stays as it is written, and is named to whoever asked.
 */
import { formatMoment } from '../kit/format-moment.ts'
import { folderOf, lastSegment } from '../kit/paths.ts'

export interface TemplateFacts {
  readonly title: string
  /** The day the note is about, at the time of now. */
  readonly now: Date
  /** Of the new note, below its source. */
  readonly path: string
  /** What goes into the note besides: where the template has no place for it, whoever asked puts it. */
  readonly content?: string
  readonly dateFormat?: string
  readonly timeFormat?: string
}

export interface FilledTemplate {
  readonly text: string
  /** Places that nobody knows what to fill with, as they are written, each once. */
  readonly unknown: readonly string[]
  /** The content has found its place. */
  readonly tookContent: boolean
}

/** Every alternative is bounded: a template may come from anywhere. */
const PLACE =
  /\{\{([^{}\n]{1,200})\}\}|<%([^%]{1,500})%>|\$\{((?:FOAM|CURRENT)_[A-Z_]{1,40}(?::[^{}\n]{0,100})?)\}|\$((?:FOAM|CURRENT)_[A-Z_]{1,40})/g

const NAMED_AT_MOST = 20

export function fillTemplate(template: string, facts: TemplateFacts): FilledTemplate {
  const unknown = new Set<string>()
  let tookContent = false
  const text = template.replace(
    PLACE,
    (written: string, braces?: string, command?: string, wrapped?: string, bare?: string) => {
      const variable = wrapped ?? bare
      if (variable === 'FOAM_SELECTED_TEXT' || braces?.trim() === 'content') tookContent = true
      const value =
        braces !== undefined
          ? obsidianValue(braces.trim(), facts)
          : command !== undefined
            ? templaterValue(command.replace(/^[-_]|[-_]$/g, '').trim(), facts)
            : foamValue(variable!, facts)
      if (value === undefined && unknown.size < NAMED_AT_MOST) unknown.add(written)
      return value ?? written
    },
  )
  return { text, unknown: [...unknown], tookContent }
}

function obsidianValue(place: string, facts: TemplateFacts): string | undefined {
  const { title, now, content = '', dateFormat = 'YYYY-MM-DD', timeFormat = 'HH:mm' } = facts
  const [, name = '', format] = /^(\w+)(?::([^]*))?$/.exec(place) ?? []
  switch (name.toLowerCase()) {
    case 'title':
      return format === undefined ? title : undefined
    case 'content':
      return format === undefined ? content : undefined
    case 'date':
      return formatMoment(now, format ?? dateFormat)
    case 'time':
      return formatMoment(now, format ?? timeFormat)
    case 'yesterday':
      return formatMoment(daysLater(now, -1), format ?? dateFormat)
    case 'tomorrow':
      return formatMoment(daysLater(now, 1), format ?? dateFormat)
    default:
      return undefined
  }
}

const CALL =
  /^tp\.(date\.(?:now|tomorrow|yesterday)|file\.(?:creation_date|last_modified_date|cursor|folder))\(\s*(?:"([^"]*)"|'([^']*)'|(\d*))\s*(?:,\s*(-?\d{1,6})\s*)?\)$/

function templaterValue(command: string, { title, now, path }: TemplateFacts): string | undefined {
  if (command === 'tp.file.title') return title
  const [, name, double, single, bare, days] = CALL.exec(command) ?? []
  const format = double ?? single
  switch (name) {
    case 'date.now':
      return formatMoment(daysLater(now, Number(days ?? 0)), format ?? 'YYYY-MM-DD')
    case 'date.tomorrow':
      return formatMoment(daysLater(now, 1), format ?? 'YYYY-MM-DD')
    case 'date.yesterday':
      return formatMoment(daysLater(now, -1), format ?? 'YYYY-MM-DD')
    case 'file.creation_date':
    case 'file.last_modified_date':
      return formatMoment(now, format ?? 'YYYY-MM-DD HH:mm')
    case 'file.cursor':
      return ''
    case 'file.folder':
      return bare === '' ? lastSegment(folderOf(path)) : undefined
    default:
      return undefined
  }
}

const FOAM_DATES: Readonly<Record<string, string>> = {
  YEAR: 'YYYY',
  YEAR_SHORT: 'YY',
  MONTH: 'MM',
  MONTH_NAME: 'MMMM',
  MONTH_NAME_SHORT: 'MMM',
  WEEK: 'WW',
  DATE: 'DD',
  DAY_ISO: 'E',
  DAY_NAME: 'dddd',
  DAY_NAME_SHORT: 'ddd',
  HOUR: 'HH',
  MINUTE: 'mm',
  SECOND: 'ss',
  SECONDS_UNIX: 'X',
}

function foamValue(variable: string, facts: TemplateFacts): string | undefined {
  const date = /^(?:FOAM_DATE|CURRENT)_([A-Z_]+)$/.exec(variable)?.[1]
  const format =
    date !== undefined && Object.hasOwn(FOAM_DATES, date) ? FOAM_DATES[date] : undefined
  if (format !== undefined) return formatMoment(facts.now, format)
  switch (variable) {
    case 'FOAM_TITLE':
      return facts.title
    case 'FOAM_TITLE_SAFE':
      return facts.title.replace(/[#%&{}\\<>*?/$!'":@+`|=]/g, '-')
    case 'FOAM_SLUG':
      return slug(facts.title)
    case 'FOAM_SELECTED_TEXT':
      return facts.content ?? ''
    case 'FOAM_CURRENT_DIR':
      return folderOf(facts.path)
    case 'CURRENT_DATE':
      return formatMoment(facts.now, 'DD')
    default:
      return undefined
  }
}

/** As file names of Foam are made from titles. */
function slug(title: string): string {
  return title
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
}

function daysLater(now: Date, days: number): Date {
  const later = new Date(now)
  later.setDate(later.getDate() + days)
  return later
}
