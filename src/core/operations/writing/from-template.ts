/** What a new note holds and where it goes, when it is made from a template or is the note of a day. */
import { documentId } from '../../domain/document.ts'
import { invalid, KnowledgeError, quoted } from '../../domain/error.ts'
import type { Warning } from '../../domain/warning.ts'
import { setFrontMatter } from '../../editing/edit-front-matter.ts'
import { appendText } from '../../editing/add-text.ts'
import { fillTemplate } from '../../editing/fill-template.ts'
import { formatMoment } from '../../kit/format-moment.ts'
import { folderOf, joinPath, lastSegment, withoutNoteExtension } from '../../kit/paths.ts'
import { nameKey } from '../../indexing/link-names.ts'
import { parseFrontMatter } from '../../parsing/markdown/front-matter.ts'
import type { View } from '../view/view.ts'
import { firstFolder, hasExtension, locateNew } from './locate-file.ts'
import { getTemplate } from './list-templates.ts'
import { noteSettings } from './note-settings.ts'

export interface FromTemplate {
  /** Name of a template, or `daily`. */
  readonly template: string
  /** Path of the note; for `daily` its day, or nothing. A template of Foam may know the path itself. */
  readonly id?: string | undefined
  /** Path of the note that gets it into its text, where that one is there already. */
  readonly except?: string | undefined
  /** Where the template has no place for it, it goes to the end. */
  readonly content?: string | undefined
  readonly now?: Date
}

export interface MadeNote {
  /** As `createDocument` takes it. */
  readonly id: string
  readonly content: string
  readonly warnings: readonly Warning[]
}

const DAILY = 'daily'

export async function makeFromTemplate(kb: View, wanted: FromTemplate): Promise<MadeNote> {
  const { id, now = new Date() } = wanted
  const day = foldedName(wanted.template) === DAILY ? dayOf(id, now) : undefined
  if (day) return makeDaily(kb, { ...wanted, now: day })
  const given = id?.trim() || undefined
  const place = given === undefined ? undefined : await locateNew(kb, given, wanted.except)
  const { template, text } = getTemplate(kb, wanted.template, place?.source)
  const { source } = place ?? template
  const own = readFoam(text, documentId(template))
  const fill = filling(kb, source, now)
  if (place) return noteOf(place, fill(own.text, place.path, wanted.content), own.warnings)
  if (own.path === undefined) {
    throw invalid(
      `The template ${quoted(template.name)} does not say where its note goes.`,
      'Pass the path of the new note as id, such as "notes/idea.md".',
    )
  }
  const path = below(fill(own.path, '').text)
  return noteOf({ source, path }, fill(own.text, path, wanted.content), own.warnings)
}

/** Where the note of a day is or would be, by the settings of the first source that has any. */
export async function placeOfDaily(
  kb: View,
  day: Date,
): Promise<{ readonly source: string; readonly path: string; readonly template?: string }> {
  const sources = [...kb.sources.values()].filter(({ writer }) => writer)
  const all = sources.map((source) => ({ source: source.name, settings: noteSettings(source) }))
  for (const { source, settings } of all) {
    const { daily } = settings
    if (!daily) continue
    const path = below(joinPath(daily.folder, formatMoment(day, daily.format)) ?? '')
    // A setting must not tell of a folder that is not seen.
    if (path === '.md' || !kb.sees({ source, path })) continue
    return { source, path, ...(daily.template && { template: daily.template }) }
  }
  const foam = foamDaily(kb, day)
  if (foam) return foam
  const known = await placeOfOthers(kb, day)
  if (known) return known
  const vault = all.find(({ settings }) => settings.isVault)
  const [source, folder] = vault ? [vault.source, ''] : [firstFolder(kb), 'daily']
  return { source, path: below(joinPath(folder, formatMoment(day, 'YYYY-MM-DD'))!) }
}

async function makeDaily(
  kb: View,
  { content, now }: FromTemplate & { readonly now: Date },
): Promise<MadeNote> {
  const { template, ...place } = await placeOfDaily(kb, now)
  const fill = filling(kb, place.source, now)
  if (template === undefined) {
    const { isVault } = noteSettings(kb.sources.get(place.source) ?? {})
    // Obsidian shows the name of a note above it.
    const empty = isVault ? '' : '# {{title}}\n'
    return noteOf(place, fill(empty, place.path, content), [])
  }
  try {
    const { template: found, text } = getTemplate(kb, template, place.source)
    const own = readFoam(text, documentId(found))
    return noteOf(place, fill(own.text, place.path, content), own.warnings)
  } catch (error) {
    if (!(error instanceof KnowledgeError)) throw error
    const message = `The template of daily notes was not used: ${error.message}`
    const ref = documentId(place)
    return noteOf(place, fill('', place.path, content), [{ kind: 'template', message, ref }])
  }
}

/** `.foam/templates/daily-note.md` may say where its notes go; otherwise that is `journal/`. */
function foamDaily(kb: View, day: Date) {
  for (const { name: source, beside } of kb.sources.values()) {
    const template = '.foam/templates/daily-note.md'
    const found = beside?.text(template)
    if (typeof found !== 'object' || !kb.sees({ source, path: template })) continue
    const own = readFoam(found.text, documentId({ source, path: template }))
    const written = own.path ?? 'journal/${FOAM_DATE_YEAR}-${FOAM_DATE_MONTH}-${FOAM_DATE_DATE}.md'
    const title = formatMoment(day, 'YYYY-MM-DD')
    const path = below(fillTemplate(written, { title, now: day, path: '' }).text)
    if (kb.sees({ source, path })) return { source, path, template }
  }
  return undefined
}

const DAYS_BACK = 60
const FORMATS = ['YYYY-MM-DD', 'YYYY_MM_DD', 'YYYYMMDD']

/** Beside the last note that is called after a day, and called like it. */
async function placeOfOthers(kb: View, day: Date) {
  const days = Array.from({ length: DAYS_BACK + 1 }, (_, back) => {
    const before = new Date(day)
    before.setDate(before.getDate() - back)
    return before
  })
  const formats = days.flatMap((each) =>
    FORMATS.map((format) => ({ format, name: formatMoment(each, format) })),
  )
  const named = await kb.store.named([...new Set(formats.map(({ name }) => nameKey(name)))])
  const byName = new Map(named.map((each) => [withoutNoteExtension(lastSegment(each.path)), each]))
  for (const { format, name } of formats) {
    const found = byName.get(name)
    if (!found || !kb.sources.get(found.source)?.writer) continue
    const path = below(joinPath(folderOf(found.path), formatMoment(day, format))!)
    if (kb.sees({ source: found.source, path })) return { source: found.source, path }
  }
  return undefined
}

/** Today unless a day is named; undefined where the id is a path, which means a template of this name. */
function dayOf(id: string | undefined, now: Date): Date | undefined {
  const text = id?.trim().toLowerCase() ?? ''
  const days = { '': 0, today: 0, yesterday: -1, tomorrow: 1 }[text]
  const day = new Date(now)
  if (days !== undefined) {
    day.setDate(day.getDate() + days)
    return day
  }
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []
  if (year === undefined) return undefined
  day.setFullYear(Number(year), Number(month) - 1, Number(date))
  if (formatMoment(day, 'YYYY-MM-DD') === text) return day
  throw invalid(`There is no day ${quoted(text)}.`, 'Pass a day such as "2026-12-01", or no id.')
}

interface Filled {
  readonly text: string
  readonly unknown: readonly string[]
}

function filling(kb: Pick<View, 'sources'>, source: string, now: Date) {
  const { dateFormat, timeFormat } = noteSettings(kb.sources.get(source) ?? {})
  return (template: string, path: string, content?: string): Filled => {
    const { text, unknown, tookContent } = fillTemplate(template, {
      title: withoutNoteExtension(lastSegment(path)),
      now,
      path,
      ...(content !== undefined && { content }),
      ...(dateFormat !== undefined && { dateFormat }),
      ...(timeFormat !== undefined && { timeFormat }),
    })
    const isLeft = content !== undefined && !tookContent
    return { text: isLeft ? appendText(text, content) : text, unknown }
  }
}

function noteOf(
  place: { readonly source: string; readonly path: string },
  { text, unknown }: Filled,
  warnings: readonly Warning[],
): MadeNote {
  const id = documentId(place)
  const message = `Nobody knows what to fill in for ${unknown.join(', ')}: left as it is written.`
  const left: readonly Warning[] =
    unknown.length > 0 ? [{ kind: 'template', message, ref: id }] : []
  return { id, content: text, warnings: [...warnings, ...left] }
}

/** What a template of Foam says of itself (`foam_template`) is not part of the note. */
function readFoam(
  text: string,
  name: string,
): { readonly text: string; readonly path?: string; readonly warnings: readonly Warning[] } {
  if (!text.includes('foam_template')) return { text, warnings: [] }
  try {
    const { properties, bodyStart } = parseFrontMatter(text, '')
    const { foam_template: own, ...others } = properties
    if (typeof own !== 'object' || own === null) return { text, warnings: [] }
    const { filepath } = own as { readonly filepath?: unknown }
    const rest =
      Object.keys(others).length === 0
        ? text.slice(bodyStart).replace(/^(?:[ \t]*\r?\n)+/, '')
        : setFrontMatter(name, text, { remove: ['foam_template'] })
    return {
      text: rest,
      warnings: [],
      ...(typeof filepath === 'string' && { path: filepath.replace(/^`|`$/g, '') }),
    }
  } catch (error) {
    if (!(error instanceof KnowledgeError)) throw error
    return { text, warnings: [{ kind: 'template', message: error.message, ref: name }] }
  }
}

/** A path below the source that ends as notes do. */
function below(path: string): string {
  const bare = path.trim().replace(/^(?:\.?\/)+/, '')
  return hasExtension(bare) ? bare : `${bare}.md`
}

function foldedName(text: string): string {
  return text.trim().toLowerCase()
}
