/**
 * Warnings that ride along with answers. What the watcher finds waits for the next answer of any
 * tool and is then told once. The buffer belongs to the server: on standard input and output that
 * is one client, over HTTP the first to ask is told.
 */
import { parsePlace } from '../../core/domain/document.ts'
import type { Place } from '../../core/domain/document.ts'
import { checkNoteLinks, isBroken } from '../../core/operations/reading/check-notes.ts'
import type { LinkTrouble } from '../../core/operations/reading/check-notes.ts'
import { noteLinks } from '../../core/operations/reading/read-notes.ts'
import { nodeId } from './ids.ts'
import type { View } from '../../core/operations/view/view.ts'

export interface WarningBuffer {
  /** What has gathered, once, behind what is to be said first; what that says of a node is enough. */
  drain(first: readonly string[], shown?: readonly string[]): Promise<readonly string[]>
  /** Leaves out what is said about a version that this surface wrote: its answer has told it. */
  expect(path: string, digest: string): void
}

interface Waiting {
  readonly text: string
  /** Which version of which file it is about. */
  readonly path: string
  readonly digest: string
}

const SHOWN = 50

/** So many wait at most; further ones are counted only. */
const KEPT = 1_000

export function createWarningBuffer(kb: View, log: (error: unknown) => void): WarningBuffer {
  const waiting: Waiting[] = []
  const own = new Map<string, string>()
  const hidden = new Set<string>()
  let uncounted = 0
  let looking: Promise<void> = Promise.resolve()

  const add = (text: string, path = '', digest = ''): void => {
    if (waiting.length < KEPT) waiting.push({ text, path, digest })
    else uncounted++
  }

  const lookAtDocument = async ({ source, path }: Place): Promise<void> => {
    const record = await kb.store.findByPath(source, path)
    if (!record) return
    const { no, digest } = record
    const id = nodeId(path)
    const [problem] = await kb.store.warnings(no)
    if (problem) add(`Sync: parse error in ${id} (${problem.message})`, path, digest)
    for (const trouble of await checkNoteLinks(kb, id)) {
      add(`Sync: ${inNote(trouble, id)}`, path, digest)
    }
  }

  /** A file that was a node and can no longer be read, rather than one that was deleted. */
  const lookAtRemoved = async ({ source, path }: Place): Promise<void> => {
    const [file] = await kb.store.files(source, [path])
    if (file && file.state !== 'indexed') {
      add(`Sync: parse error in ${nodeId(path)} (skipped)`)
    }
  }

  const lookAtHidden = async (): Promise<void> => {
    for (const { path, by } of (await kb.names.now()).unnamed) {
      if (hidden.has(path)) continue
      hidden.add(path)
      add(`Sync: ${path} has the same id as ${by?.path} and is left out`)
    }
  }

  kb.subscribe(({ put, removed }) => {
    // While the files are first looked through, what was wrong all along would drown the rest.
    if (kb.catchingUp()) return
    looking = looking
      .then(async () => {
        for (const id of put) await lookAtDocument(parsePlace(id))
        for (const id of removed) await lookAtRemoved(parsePlace(id))
      })
      .catch(log)
  })

  return {
    async drain(first, shown = []) {
      await looking
      await lookAtHidden()
      const others = waiting
        .splice(0)
        .filter(({ path, digest }) => own.get(path) !== digest && !shown.includes(nodeId(path)))
      const told = capped([...first, ...others.map(({ text }) => text)], uncounted)
      uncounted = 0
      return told
    },
    expect: (path, digest) => void own.set(path, digest),
  }
}

/**
 * What is wrong with the nodes of an answer, whenever it went wrong: links that lead nowhere, front
 * matter and bytes that cannot be read. Of several nodes it is said which one is meant.
 */
export async function aboutNodes(
  kb: View,
  ids: readonly string[],
  several: boolean,
): Promise<readonly string[]> {
  const { find } = await kb.names.now()
  const found: string[] = []
  for (const [place, id] of ids.entries()) {
    const named = find(id)
    if (!named) continue
    const where = several || place > 0 ? ` in ${id}` : ''
    for (const { message } of await kb.store.warnings(named.doc)) {
      found.push(`Parse error${where}: ${message}`)
    }
    const targets = (await noteLinks(kb, named.doc)).filter(isBroken).map(({ target }) => target)
    for (const target of new Set(targets)) found.push(`Broken link: [[${target}]]${where}`)
  }
  return found
}

/** As it is said about a note that was just written. */
export function aboutLink({ kind, target, candidates }: LinkTrouble): string {
  if (kind === 'broken') return `Broken link: [[${target}]]`
  return `Ambiguous link: [[${target}]] could mean ${candidates.join(', ')}`
}

/** As it is said about a note that somebody else has changed. */
function inNote({ kind, target, candidates }: LinkTrouble, id: string): string {
  if (kind === 'broken') return `broken link [[${target}]] in ${id}`
  return `ambiguous link [[${target}]] in ${id} (${candidates.join(', ')})`
}

/** The first fifty, and how many more there are. */
export function capped(warnings: readonly string[], uncounted = 0): readonly string[] {
  const more = warnings.length - SHOWN + uncounted
  return more <= 0 ? warnings : [...warnings.slice(0, SHOWN), `… and ${more} more`]
}
