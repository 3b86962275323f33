/** Gives a document another path, and keeps every link that led to it. */
import { isAbsolute, posix } from 'node:path'
import { orElse } from '../../kit/or-else.ts'
import { documentId } from '../../domain/document.ts'
import type { DocumentRecord } from '../../domain/document.ts'
import { type KnowledgeError, invalid, unsupported } from '../../domain/error.ts'
import { pictureType } from '../../domain/picture.ts'
import { foldName } from '../../kit/fold-name.ts'
import { extensionOf, lastSegment } from '../../kit/paths.ts'
import { decodeEditable, encodeEditable } from '../../editing/text-file.ts'
import { requireIndex } from '../view/await-index.ts'
import { changeFiles } from './change-files.ts'
import type { Plan, WriteOptions, WriteResult } from './change-files.ts'
import { getLive } from '../reading/read-document.ts'
import type { View } from '../view/view.ts'
import type { FileEdit } from './carry-out.ts'
import { hasExtension, locateFile, locateNew } from './locate-file.ts'
import type { LocatedFile } from './locate-file.ts'
import { planRelinking, planRelinkingTogether } from './plan-relinking.ts'
import type { Renaming } from './plan-relinking.ts'

export interface MoveOptions extends WriteOptions {
  /** Rewrites links that would break; true unless said otherwise. */
  readonly updateLinks?: boolean
}

/**
 * `to` is a path like that of `createDocument`; one that ends in `/` keeps the file's name. The
 * document and all rewritten links are one operation, done and undone together.
 */
export async function moveDocument(
  kb: View,
  id: string,
  to: string,
  options: MoveOptions,
): Promise<WriteResult> {
  const { updateLinks = true } = options
  if (updateLinks) await requireIndex(kb)
  return changeFiles(kb, 'move', options, () => planMoveTo(kb, id, to, { updateLinks }))
}

/** The first edit is the document itself; the others are documents whose links follow it. */
export async function planMoveTo(
  kb: View,
  id: string,
  to: string,
  { updateLinks = true }: Pick<MoveOptions, 'updateLinks'>,
): Promise<Plan> {
  const located = await locateFile(kb, id)
  return planMove(kb, located, await newPath(kb, located, to), updateLinks)
}

export interface WantedMove {
  readonly id: string
  readonly to: string
}

/**
 * Several moves as one, so that a link from one of them to another follows both; the first edits are
 * the documents themselves, in the order of the moves. Files whose links nobody edits are left to be
 * moved alone.
 */
export async function planMovesTogether(
  kb: View,
  moves: readonly WantedMove[],
): Promise<{ readonly plan: Plan; readonly alone: readonly WantedMove[] }> {
  const alone: WantedMove[] = []
  const texts: { readonly move: FileEdit; readonly renaming: Renaming; readonly old: Editable }[] =
    []
  const places = new Set<string>()
  for (const wanted of moves) {
    const located = await locateFile(kb, wanted.id)
    const { source, path: from, file } = located
    const path = await newPath(kb, located, wanted.to)
    // A file system that knows no case has one file under two names.
    const place = foldName(documentId({ source, path }))
    if (places.has(place)) throw sameName(documentId({ source, path }))
    places.add(place)
    const record = await kb.store.findByPath(source, from)
    const isMade = !from.endsWith('.md') && kb.sources.get(source)?.converts?.(from)
    const old = record && !isMade ? decodable(file.bytes, from) : undefined
    if (!record || !old) {
      alone.push(wanted)
      continue
    }
    const link = movedLink(file.link, from, path)
    const move = { source, path, from, before: file, after: file.bytes, link }
    texts.push({ move, renaming: { record, path, text: old.text }, old })
  }
  if (texts.length === 0) return { plan: { edits: [] }, alone }
  const renamings = texts.map(({ renaming }) => renaming)
  const { texts: after, edits, ...links } = await planRelinkingTogether(kb, renamings)
  const own = texts.map(({ move, old }, at): FileEdit => {
    // A link stays a link: the text it leads to is another file's, and stays where it is.
    return move.link === undefined ? { ...move, after: encodeEditable(after[at]!, old) } : move
  })
  return { plan: { ...links, edits: [...own, ...edits] }, alone }
}

type Editable = ReturnType<typeof decodeEditable>

function sameName(name: string): KnowledgeError {
  return invalid(`Two of the documents would be ${name}.`, 'Give each of them another path.')
}

async function newPath(kb: View, { source, path }: LocatedFile, to: string): Promise<string> {
  const name = lastSegment(path)
  const extension = /\.[^./]+$/.exec(name)?.[0] ?? ''
  const wanted = to.trim().endsWith('/') ? to.trim() + name : to.trim()
  // A document keeps its format unless another one is named.
  const spelled = hasExtension(wanted) ? wanted : wanted + extension
  const target = await locateNew(kb, spelled, path)
  if (target.source === source && target.path === path) throw alreadyThere(source, path)
  if (target.source === source) {
    requireSameKind(kb, source, path, target.path)
    return target.path
  }
  throw unsupported(
    `${documentId({ source, path })} cannot be moved to the source "${target.source}".`,
    'Create the document there and delete this one.',
  )
}

/** Text that is made from a file is that of its kind: under another name nobody could read it. */
function requireSameKind(kb: View, source: string, from: string, to: string): void {
  if (from.endsWith('.md') && to.endsWith('.md')) return
  const converts = kb.sources.get(source)?.converts
  const isPicture = pictureType(from) !== undefined
  if (!isPicture && !converts?.(from) && !converts?.(to)) return
  if (extensionOf(from) === extensionOf(to)) return
  throw invalid(
    `${documentId({ source, path: from })} is a .${extensionOf(from)} file, and moving makes no other kind of it.`,
    `Name a path that ends in .${extensionOf(from)}.`,
  )
}

function alreadyThere(source: string, path: string): KnowledgeError {
  return invalid(
    `${documentId({ source, path })} is already there.`,
    'Name another path to move it to.',
  )
}

async function planMove(
  kb: View,
  { source, path: from, file }: LocatedFile,
  path: string,
  updateLinks: boolean,
): Promise<Plan> {
  const moved = { source, path, from, before: file, link: movedLink(file.link, from, path) }
  const record = await kb.store.findByPath(source, from)
  if (!record && pictureType(from) !== undefined) {
    const whole = { ...moved, after: file.bytes }
    if (!updateLinks) return { edits: [whole] }
    const { planPictureMove } = await import('./plan-picture-move.ts')
    return planPictureMove(kb, whole, { source, path: from })
  }
  const isMade = !from.endsWith('.md') && kb.sources.get(source)?.converts?.(from)
  if (record && updateLinks && isMade) return planMadeMove(kb, moved, record)
  const editable = updateLinks && record ? decodable(file.bytes, from) : undefined
  if (!record || !editable) return { edits: [{ ...moved, after: file.bytes }] }
  const relinking = await planRelinking(kb, { record, path, text: editable.text })
  const { text, edits, linksRewritten, brokenLinks } = relinking
  // A link stays a link: the text it leads to is another file's, and stays where it is.
  const after = file.link === undefined ? encodeEditable(text, editable) : file.bytes
  return {
    edits: [{ ...moved, after }, ...edits],
    linksRewritten,
    brokenLinks,
  }
}

/** Its own links are in bytes that nobody edits; those that lead to it follow. */
async function planMadeMove(
  kb: View,
  moved: Omit<FileEdit, 'after'>,
  record: DocumentRecord,
): Promise<Plan> {
  const { text } = await getLive(kb, record)
  const { path, before } = moved
  const renaming = { record, path, text, isMade: true }
  const { edits, linksRewritten, brokenLinks } = await planRelinking(kb, renaming)
  return { edits: [{ ...moved, after: before?.bytes }, ...edits], linksRewritten, brokenLinks }
}

/** A relative link leads to the same place from the folder it is moved to. */
function movedLink(link: string | undefined, from: string, to: string): string | undefined {
  if (link === undefined || isAbsolute(link)) return link
  return posix.relative(posix.dirname(to), posix.join(posix.dirname(from), link))
}

/** A file in another encoding is moved as it is. */
function decodable(bytes: Uint8Array, id: string) {
  return orElse(() => decodeEditable(bytes, id), undefined)
}
