/** Which templates does a base have for new notes? Those of Obsidian's and Foam's folders, or of `templates/`. */
import { documentId } from '../../domain/document.ts'
import { invalid, notFound, quoted, type KnowledgeError } from '../../domain/error.ts'
import type { Source } from '../../domain/source.ts'
import { compareIds } from '../../domain/document.ts'
import { foldName } from '../../kit/fold-name.ts'
import { didYouMean } from '../../kit/nearest.ts'
import { lastSegment, withoutNoteExtension } from '../../kit/paths.ts'
import type { View } from '../view/view.ts'
import { noteSettings, type NoteSettings } from './note-settings.ts'

export interface Template {
  /** Its path below its folder, without the ending: what people call it. */
  readonly name: string
  readonly source: string
  readonly path: string
}

/** Where templates are when no settings say so. */
const USUAL = ['templates', 'Templates', '_templates', 'template', 'Template']
const FOAM = '.foam/templates'

/** In the order of their names; those of one source where one is named. */
export function listTemplates(kb: Pick<View, 'sources'>, source?: string): readonly Template[] {
  const found = new Map<string, Template>()
  for (const each of kb.sources.values()) {
    if (source !== undefined && each.name !== source) continue
    if (!each.writer || !each.beside) continue
    for (const template of templatesIn(each, noteSettings(each))) {
      // A file system that knows no case has one folder under two names.
      const key = foldName(documentId(template))
      if (!found.has(key)) found.set(key, template)
    }
  }
  return [...found.values()].toSorted(
    (a, b) => compareIds(foldName(a.name), foldName(b.name)) || compareIds(a.source, b.source),
  )
}

function templatesIn(
  { name: source, beside }: Source,
  { templateFolders = USUAL }: NoteSettings,
): readonly Template[] {
  return [...templateFolders, FOAM].flatMap((folder) =>
    beside!
      .notes(folder)
      .map((path) => ({ source, path, name: withoutNoteExtension(path.slice(folder.length + 1)) })),
  )
}

/** The one that is meant by a name, a path or an id; the first of those of equal names. */
export function getTemplate(
  kb: Pick<View, 'sources'>,
  wanted: string,
  source?: string,
): { readonly template: Template; readonly text: string } {
  const all = listTemplates(kb)
  const asked = foldName(withoutNoteExtension(wanted.trim()))
  const isCalled = ({ name, source, path }: Template): boolean =>
    [name, path, documentId({ source, path })].some(
      (each) => foldName(withoutNoteExtension(each)) === asked,
    )
  const isNamed = ({ name }: Template): boolean => foldName(lastSegment(name)) === asked
  const called = all.filter(isCalled)
  const some = called.length > 0 ? called : all.filter(isNamed)
  const template = some.find((each) => each.source === source) ?? some[0]
  if (!template) throw noTemplate(wanted, all)
  return { template, text: textOf(kb, template) }
}

function textOf({ sources }: Pick<View, 'sources'>, template: Template): string {
  const found = sources.get(template.source)?.beside?.text(template.path)
  if (typeof found === 'object') return found.text
  const id = documentId(template)
  if (found === undefined) {
    throw notFound(`The template ${quoted(id)} is gone.`, 'Name another one, or pass content.')
  }
  throw invalid(
    `The template ${quoted(id)} is ${found === 'too large' ? 'larger than a megabyte' : 'no text'}.`,
    'Nothing was written. Make it smaller, or pass content instead.',
  )
}

function noTemplate(wanted: string, all: readonly Template[]): KnowledgeError {
  const names = all.map(({ name }) => name)
  return notFound(
    `There is no template ${quoted(wanted)}.`,
    names.length === 0
      ? 'This base has none: put a note into templates/, or pass content.'
      : `${didYouMean(wanted, names)}Templates are: ${names.slice(0, 30).join(', ')}.`,
  )
}
