/** Which operations are meant: those on a document, however it is named, or those of a client. */
import { documentId } from '../../domain/document.ts'
import { invalid, KnowledgeError, quoted } from '../../domain/error.ts'
import { foldName } from '../../kit/fold-name.ts'
import { eachInSteps, stepsInSlices } from '../../kit/slices.ts'
import type { ChangeRecord, LoggedOperation } from '../../history/history.ts'
import { parseId, resolveDocument } from '../reading/resolve-document.ts'
import type { View } from '../view/view.ts'
import { writingOf } from './carry-out.ts'

/** Asked about operations newest first. */
export type Meant = (operation: LoggedOperation) => boolean

export interface HistoryFilter {
  /** Only operations on this document: id, path, title or `kb://`. It may be gone by now. */
  readonly id?: string
  /** Only operations at or after this instant, milliseconds since the epoch. */
  readonly since?: number
  /** Only operations of this client or principal. */
  readonly by?: string
}

export async function operationsMeant(kb: View, { id, by }: HistoryFilter): Promise<Meant> {
  const onDocument = id === undefined ? undefined : await onDocumentMeant(kb, id)
  const byClient = by === undefined ? undefined : await byClientMeant(kb, by)
  return (operation) => (onDocument?.(operation) ?? true) && (byClient?.(operation) ?? true)
}

/** Follows the document back through its moves: what it was called then is meant too. */
async function onDocumentMeant(kb: View, text: string): Promise<Meant> {
  const ids = new Set(await documentsMeant(kb, text))
  return ({ changes }) => {
    const touched = changes.filter((change) => namesOf(change).some((name) => ids.has(name)))
    for (const { source, path, from } of touched) {
      if (from !== undefined && ids.has(documentId({ source, path }))) {
        ids.add(documentId({ source, path: from }))
      }
    }
    return touched.length > 0
  }
}

function namesOf({ source, path, from }: ChangeRecord): string[] {
  return [path, ...(from === undefined ? [] : [from])].map((each) =>
    documentId({ source, path: each }),
  )
}

/** Exactly this name before one that differs in case, and a path before a title. */
export async function documentsMeant(kb: View, text: string): Promise<readonly string[]> {
  const id = parseId(text)
  const { documents } = await writingOf(kb).history.names()
  // A history may be about very many.
  const known = async (isMeant: (name: string) => boolean): Promise<string[]> => {
    const found: string[] = []
    const looking = eachInSteps(documents, (name) => {
      if (isMeant(name)) found.push(name)
    })
    await stepsInSlices(looking)
    return found
  }
  const wanted = [id, `${id}.md`]
  const exact = await known((name) => wanted.some((each) => isCalled(name, each)))
  if (exact.length > 0) return exact
  const current = await currentDocument(kb, id)
  if (current && wanted.some((each) => isCalled(current, each))) return [current]
  const spelled = wanted.map(foldName)
  const folded = await known((name) => spelled.some((each) => isCalled(foldName(name), each)))
  if (folded.length > 1) throw severalMeant(text, folded)
  if (folded.length === 1) return folded
  if (current) return [current]
  // The title of a document that is gone is not known any more, but its file name is.
  const stem = foldName(stemOf(id))
  const called = await known((name) => foldName(stemOf(name)) === stem)
  if (called.length > 1) throw severalMeant(text, called)
  return called
}

/** With or without the source in front. */
function isCalled(name: string, text: string): boolean {
  return name === text || name.slice(name.indexOf('/') + 1) === text
}

function stemOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1).replace(/\.\w+$/, '')
}

async function currentDocument(kb: View, id: string): Promise<string | undefined> {
  try {
    return documentId(await resolveDocument(kb, id))
  } catch (error) {
    if (error instanceof KnowledgeError && error.code === 'not_found') return undefined
    throw error
  }
}

function severalMeant(text: string, ids: readonly string[]): KnowledgeError {
  return invalid(
    `${quoted(text)} could mean ${ids.length} documents: ${ids.slice(0, 5).join(', ')}.`,
    'Pass one of these ids as it is spelled.',
  )
}

/** `claude-code` is `claude-code/1.0`; a beginning will do where only one client begins like that. */
async function byClientMeant(kb: View, text: string): Promise<Meant> {
  const wanted = text.trim().toLowerCase()
  const isNamed = (name: string) => name === wanted || name.startsWith(`${wanted}/`)
  const { authors } = await writingOf(kb).history.names()
  const alike = [...authors]
    .map((name) => name.toLowerCase())
    .filter((name) => name.startsWith(wanted))
  const named = alike.filter(isNamed)
  const names = new Set(named.length > 0 ? named : alike)
  const programs = new Set([...names].map((name) => name.replace(/\/.*$/, '')))
  if (named.length === 0 && programs.size > 1) {
    throw invalid(
      `${quoted(text)} could be any of ${[...programs].map(quoted).join(', ')}.`,
      'Write the name of the client in full.',
    )
  }
  return ({ by }) => authorNames(by).some((name) => names.has(name))
}

function authorNames({ client, principal }: LoggedOperation['by']): string[] {
  return [client, principal].filter((name) => name !== undefined).map((name) => name.toLowerCase())
}
