/** What somebody needs who is about to make a note: where it would go, templates, and the note of the day. */
import { documentId } from '../../core/domain/document.ts'
import { isEntityPath } from '../../core/domain/entity-document.ts'
import { unsupported } from '../../core/domain/error.ts'
import { parseDay } from '../../core/operations/reading/parse-day.ts'
import { resolveDocument } from '../../core/operations/reading/resolve-document.ts'
import type { View } from '../../core/operations/view/view.ts'
import { makeFromTemplate, placeOfDaily } from '../../core/operations/writing/from-template.ts'
import { firstFolder } from '../../core/operations/writing/locate-file.ts'
import { listTemplates } from '../../core/operations/writing/list-templates.ts'
import { noteSettings } from '../../core/operations/writing/note-settings.ts'
import { folderOf, isNotePath, joinPath } from '../../core/kit/paths.ts'
import type { Making } from '../wire/wire.ts'

export interface MakingRequest {
  /** As a link has it, or a title; nothing where it has no name yet. */
  readonly name: string
  /** The note one comes from. */
  readonly from?: string | undefined
  /** A link of Markdown goes by folders, one between brackets by name. */
  readonly relative?: boolean | undefined
  /** Beside the note one comes from, unless the vault says where new notes go. */
  readonly beside?: boolean | undefined
  /** `handbook/guides/`, where one stands in a list of notes. */
  readonly folder?: string | undefined
  readonly today: string
}

export async function listMaking(kb: View, request: MakingRequest): Promise<Making> {
  const { name, relative = false, today } = request
  const from = await placeOf(kb, request.from)
  const given = request.folder === undefined ? undefined : splitFolder(kb, request.folder)
  const source = given?.source ?? from?.source ?? firstFolder(kb)
  if (source === '') throw unsupported('This base has no folder to write to.', 'Serve one.')
  const settings = noteSettings(kb.sources.get(source) ?? {})
  const beside = from ? folderOf(from.path) : ''
  const { newNotes, isVault } = settings
  const goesBeside = newNotes === 'current' || (request.beside && !isVault)
  // A setting must not tell of a folder that is not seen.
  const isSeen = !goesBeside && kb.sees({ source, path: joinPath(newNotes.folder, 'x.md')! })
  const usual = goesBeside ? beside : isSeen ? newNotes.folder : ''
  const written = safeName(name)
  const folder = given?.folder ?? (relative ? beside : written.includes('/') ? '' : usual)
  const path = joinPath(folder, written) ?? written
  const place = path === '' || path.endsWith('/') || isNotePath(path) ? path : `${path}.md`
  const day = dayOf(today)
  const daily = day && (await placeOfDaily(kb, day))
  const found = daily && (await kb.store.findByPath(daily.source, daily.path))
  return {
    // Where one may not write, one is asked to say where else.
    id: documentId({ source, path: mayWrite(kb, { source, path: place }) ? place : written }),
    folder: documentId({ source, path: folder === '' ? '' : `${folder}/` }),
    begins: settings.isVault ? 'empty' : 'title',
    templates: listTemplates(kb).map(({ name, source, path }) => ({
      name,
      id: documentId({ source, path }),
    })),
    ...(daily && { daily: { id: documentId(daily), exists: found !== undefined } }),
  }
}

/** What a template makes of a note that is there, for an editor that puts it where the cursor is. */
export async function showTemplate(
  kb: View,
  { name, id }: { readonly name: string; readonly id: string },
): Promise<{ readonly text: string; readonly warnings: readonly string[] }> {
  const { path: except } = await resolveDocument(kb, id)
  const { content, warnings } = await makeFromTemplate(kb, { template: name, id, except })
  return { text: content, warnings: warnings.map(({ message }) => message) }
}

async function placeOf(kb: View, id: string | undefined) {
  if (id === undefined) return undefined
  const { source, path } = await resolveDocument(kb, id)
  return isEntityPath(path) || !kb.sources.get(source)?.writer ? undefined : { source, path }
}

function splitFolder(kb: View, folder: string) {
  const slash = folder.indexOf('/')
  const source = slash < 0 ? folder : folder.slice(0, slash)
  if (!kb.sources.get(source)?.writer) return undefined
  return { source, folder: joinPath('', slash < 0 ? '' : folder.slice(slash + 1)) ?? '' }
}

/** As a name of a file that every system can keep: a link may say what no file is called. */
function safeName(name: string): string {
  const [target = ''] = name.split('#')
  return target
    .normalize('NFC')
    .toWellFormed()
    .replace(/[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .replace(/[\s\u0000-\u001f\u007f-\u009f<>:"|?*\\^[\]]+/g, ' ')
    .split('/')
    .map((part) =>
      part
        .trim()
        .slice(0, 100)
        .replace(/[. ]+$/, ''),
    )
    .filter((part) => part !== '')
    .join('/')
}

function dayOf(today: string): Date | undefined {
  const from = parseDay(today)?.from
  if (from === undefined) return undefined
  const [year, month, day] = today.split('-').map(Number)
  return new Date(year!, month! - 1, day)
}

function mayWrite(kb: View, place: { readonly source: string; readonly path: string }): boolean {
  return kb.sees(place) && (kb.writes?.(place) ?? true)
}
