/** Puts a picture or another file beside the notes, where their editor puts them, and says how a note shows it. */
import { documentId } from '../../domain/document.ts'
import { invalid, KnowledgeError, quoted } from '../../domain/error.ts'
import type { SourceWriter } from '../../domain/source.ts'
import { appendText } from '../../editing/add-text.ts'
import { encodeTarget } from '../../editing/link-places.ts'
import { formatMoment } from '../../kit/format-moment.ts'
import { extensionOf, folderOf, joinPath, lastSegment } from '../../kit/paths.ts'
import { relativePath } from '../../indexing/retarget-link.ts'
import type { View } from '../view/view.ts'
import { writerOf } from './carry-out.ts'
import { changeFiles } from './change-files.ts'
import type { WriteOptions, WriteResult } from './change-files.ts'
import { locateFile } from './locate-file.ts'
import { noteSettings, type NoteSettings } from './note-settings.ts'
import { planFollowing } from './plan-following.ts'

export interface FileToAttach {
  /** The note it is for: it may say which folder is meant. */
  readonly to: string
  /** As it was called where it comes from; a picture that was copied has no name worth keeping. */
  readonly name: string
  readonly bytes: Uint8Array
  /** Puts the link at the end of the note, in the same operation. */
  readonly link: boolean
  readonly now?: Date
}

export interface AttachedFile extends WriteResult {
  readonly file: string
  /** What a note says to show it. */
  readonly written: string
  /** Where it says so, if it does. */
  readonly line?: number
}

export const LARGEST_ATTACHMENT = 10 * 1024 * 1024

const PICTURES = ['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'bmp', 'svg']
/** What people put beside their notes. Nothing that a system would start. */
const KINDS = new Set(
  `${PICTURES.join(' ')} pdf mp3 wav ogg m4a flac mp4 webm mov ogv 3gp txt csv tsv json docx xlsx
  pptx odt ods odp epub rtf zip canvas excalidraw ics eml srt vtt ipynb gpx heic tiff`.split(/\s+/),
)

/** Tried one after the other where a name is taken. */
const MOST_NAMES = 1_000

export async function attachFile(
  kb: View,
  attached: FileToAttach,
  options: WriteOptions,
): Promise<AttachedFile> {
  const { bytes, now = new Date() } = attached
  if (bytes.length === 0) throw invalid('The file is empty.', 'Choose another one.')
  if (bytes.length > LARGEST_ATTACHMENT) throw tooLarge(bytes.length)
  const name = attachmentName(attached.name, now)
  let file = ''
  let written = ''
  let line: number | undefined
  const result = await changeFiles(
    kb,
    attached.link ? 'update' : 'create',
    options,
    async (view) => {
      const note = await locateFile(view, attached.to)
      const { source } = note
      const settings = noteSettings(view.sources.get(source) ?? {})
      const beside = folderOf(note.path)
      const named = attachmentFolder(settings, beside)
      // A setting must not tell of a folder that is not seen, nor lead where one may not write.
      const may = (path: string): boolean =>
        view.sees({ source, path }) && (view.writes?.({ source, path }) ?? true)
      const folder = may(joinPath(named, name)!) ? named : beside
      const path = await freePlace(writerOf(view, source), folder, name)
      file = documentId({ source, path })
      written = linkTo(path, note.path, settings)
      const added = { source, path, before: undefined, after: bytes }
      if (!attached.link) return { edits: [added] }
      const id = documentId(note)
      const { edits } = await planFollowing(view, id, {}, (text) => {
        const longer = appendText(text, written)
        line = longer.trimEnd().split('\n').length
        return longer
      })
      return { edits: [edits[0]!, added] }
    },
  )
  return { ...result, file, written, ...(line !== undefined && { line }) }
}

/** Below the source's root. A folder that leads out is as good as none. */
function attachmentFolder({ attachments, isVault }: NoteSettings, beside: string): string {
  const setting = attachments ?? (isVault ? '/' : 'attachments')
  const isBeside = setting === '.' || setting.startsWith('./')
  return joinPath(isBeside ? beside : '', setting) ?? ''
}

async function freePlace(writer: SourceWriter, folder: string, name: string): Promise<string> {
  const dot = name.lastIndexOf('.')
  const [stem, ending] = [name.slice(0, dot), name.slice(dot)]
  for (let count = 0; ; count++) {
    const numbered = count === 0 ? name : `${stem} ${count}${ending}`
    try {
      return await writer.place(joinPath(folder, numbered)!, { attachment: true })
    } catch (error) {
      const isTaken = error instanceof KnowledgeError && error.code === 'exists'
      if (!isTaken || count === MOST_NAMES) throw error
    }
  }
}

/** Whatever a file is called elsewhere, as a name that every system can keep and every link can say. */
export function attachmentName(given: string, now: Date): string {
  const last = lastSegment(given.replaceAll('\\', '/')).normalize('NFC').toWellFormed()
  const ending = extensionOf(last)
  if (!KINDS.has(ending)) throw wrongKind(given)
  const bare = last
    .slice(0, -ending.length - 1)
    .replace(
      /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufffd]|\p{Default_Ignorable_Code_Point}/gu,
      '',
    )
    .replace(/[<>:"|?*#^[\]\\%]+/g, '-')
    .replace(/^[\s.-]+|[\s.-]+$/g, '')
  const stem = Array.from(bare).slice(0, LONGEST_NAME).join('').trimEnd()
  const isNameless = stem === '' || /^(?:image|clipboard|blob|unknown)$/i.test(stem)
  // As Obsidian calls what was pasted.
  const what = PICTURES.includes(ending) ? 'Pasted image' : 'Pasted file'
  if (isNameless) return `${what} ${formatMoment(now, 'YYYYMMDDHHmmss')}.${ending}`
  return `${/^(?:con|prn|aux|nul|com\d|lpt\d)$/i.test(stem) ? `${stem}-` : stem}.${ending}`
}

/** Four bytes for each letter, and the number and the ending behind it, stay below 255. */
const LONGEST_NAME = 50

function linkTo(path: string, from: string, { isVault, markdownLinks }: NoteSettings): string {
  const name = lastSegment(path)
  const shows = PICTURES.includes(extensionOf(path)) ? '!' : ''
  if (isVault && !markdownLinks) return `!${`[[${name}]]`}`
  const label = shows === '' ? name.replaceAll(/[[\]]/g, '') : ''
  return `${shows}[${label}](${encodeTarget(relativePath(from, path, false), 'bare', '')})`
}

function wrongKind(name: string): KnowledgeError {
  return invalid(
    `${quoted(name.slice(-100))} is no kind of file that is put beside notes.`,
    'Pictures, PDFs, sound, films, office files, tables, texts and archives are.',
  )
}

function tooLarge(size: number): KnowledgeError {
  const megabytes = (size / 1024 / 1024).toFixed(1)
  return invalid(
    `The file is ${megabytes} MB; at most ${LARGEST_ATTACHMENT / 1024 / 1024} MB are taken.`,
    'Make it smaller, or put it into the folder yourself.',
  )
}
