/**
 * How the editor of a folder of notes wants them made: where new notes, the notes of days, templates
 * and attachments go. Read from Obsidian's and Foam's own settings, each time anew; what they do not
 * say, or say in a way that makes no sense, is as it is without them.
 */
import type { Source } from '../../domain/source.ts'
import { joinPath } from '../../kit/paths.ts'
import { orElse } from '../../kit/or-else.ts'

export interface NoteSettings {
  /** An Obsidian vault. */
  readonly isVault: boolean
  /** Folders of templates; undefined where none is named. */
  readonly templateFolders: readonly string[] | undefined
  readonly dateFormat: string | undefined
  readonly timeFormat: string | undefined
  readonly daily: DailySettings | undefined
  /** As Obsidian writes it: `/`, `files`, `./`, `./files`; undefined where nothing is said. */
  readonly attachments: string | undefined
  /** Where a note goes that is named without a folder. */
  readonly newNotes: 'current' | { readonly folder: string }
  readonly markdownLinks: boolean
  /** Whether a line that ends within a paragraph ends where people read it, too. */
  readonly lineBreaks: boolean
}

export interface DailySettings {
  readonly folder: string
  /** In moment's tokens; may hold slashes. */
  readonly format: string
  /** Path of the template, perhaps without its ending. */
  readonly template: string | undefined
}

export function noteSettings({ beside }: Pick<Source, 'beside'>): NoteSettings {
  const read = (path: string): Record<string, unknown> | undefined => {
    const found = beside?.text(path)
    if (typeof found !== 'object') return undefined
    const value = orElse(() => JSON.parse(withoutComments(found.text)) as unknown, undefined)
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)
      : undefined
  }
  const app = read('.obsidian/app.json')
  const templates = read('.obsidian/templates.json')
  const templater = read('.obsidian/plugins/templater-obsidian/data.json')
  const periodic = read('.obsidian/plugins/periodic-notes/data.json')
  const daily = read('.obsidian/daily-notes.json')
  const folders = [folderIn(templates, 'folder'), folderIn(templater, 'templates_folder')]
  const named = folders.filter((folder) => folder !== undefined && folder !== '')
  const where = textIn(app, 'newFileLocation')
  const isVault =
    (app ?? templates ?? templater ?? periodic ?? daily ?? read('.obsidian/appearance.json')) !==
    undefined
  return {
    isVault,
    templateFolders: named.length > 0 ? (named as string[]) : undefined,
    dateFormat: textIn(templates, 'dateFormat'),
    timeFormat: textIn(templates, 'timeFormat'),
    daily: ofPeriodicNotes(periodic) ?? ofObsidian(daily) ?? ofFoam(read('.vscode/settings.json')),
    attachments: textIn(app, 'attachmentFolderPath'),
    newNotes:
      where === 'current'
        ? 'current'
        : { folder: (where === 'folder' && folderIn(app, 'newFileFolderPath')) || '' },
    markdownLinks: app?.['useMarkdownLinks'] === true,
    lineBreaks: isVault && app?.['strictLineBreaks'] !== true,
  }
}

type Settings = Record<string, unknown> | undefined

function ofObsidian(settings: Settings): DailySettings | undefined {
  if (!settings) return undefined
  return {
    folder: folderIn(settings, 'folder') ?? '',
    format: textIn(settings, 'format') ?? 'YYYY-MM-DD',
    template: textIn(settings, 'template'),
  }
}

function ofPeriodicNotes(settings: Settings): DailySettings | undefined {
  const daily = settings?.['daily'] as Settings
  return daily?.['enabled'] === true ? ofObsidian(daily) : undefined
}

/** Its older settings; a template of Foam says itself where the note goes. */
function ofFoam(settings: Settings): DailySettings | undefined {
  const folder = folderIn(settings, 'foam.openDailyNote.directory')
  const format = textIn(settings, 'foam.openDailyNote.filenameFormat')
  if (folder === undefined && format === undefined) return undefined
  const isIso = format === undefined || format === 'isoDate'
  // Tokens of the library dateformat: months in small letters, where moment has minutes.
  const spelled = format?.replace(/y+|m+|d{1,2}(?!d)/g, (token) => token.toUpperCase())
  return {
    folder: folder ?? '',
    format: isIso ? 'YYYY-MM-DD' : spelled!,
    template: undefined,
  }
}

const LONGEST = 500

function textIn(settings: Settings, key: string): string | undefined {
  const value = settings?.[key]
  if (typeof value !== 'string' || value.length > LONGEST || value.includes('\0')) return undefined
  return value.trim() === '' ? undefined : value.trim()
}

/** Below the source's root; undefined where none is named, or one that leads out. */
function folderIn(settings: Settings, key: string): string | undefined {
  const text = textIn(settings, key)
  return text === undefined ? undefined : joinPath('', text)
}

/** VS Code's settings have comments, and commas at the end of lists. */
function withoutComments(text: string): string {
  return text.replace(
    /("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[^]*?\*\/|,(?=\s*[}\]])/g,
    (_, string?: string) => string ?? '',
  )
}
