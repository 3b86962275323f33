/** Nodes as this surface shows them, and the two forms every answer has. */
import type { NoteContext } from './operations/walk-notes.ts'
import type { Note } from '../../core/operations/reading/read-notes.ts'
import type { ToolResult } from '../../serve/door/surface.ts'

/** Characters of content, the mark of a cut included. */
export const CONTENT = { node: 10_000, list: 500, neighbor: 200 } as const
const CUT = '... [truncated]'
const LINKS_SHOWN = 100

/** What a tool answers: the value the text spells out, and the object that wraps it. */
export interface Answer {
  readonly value: unknown
  readonly structured: Readonly<Record<string, unknown>>
  /** What writing it brought up. */
  readonly warnings?: readonly string[]
  /** The nodes it shows, the one that was asked for first: what is wrong with them is told too. */
  readonly shows?: readonly string[]
  /** The file that was written for it, in which version. */
  readonly written?: { readonly path: string; readonly digest: string }
}

interface Shown {
  readonly id: string
  readonly neighbors?: readonly { readonly id: string }[]
}

export function nodeAnswer(node: Shown | undefined): Answer {
  const shows = node ? [node.id, ...(node.neighbors ?? []).map(({ id }) => id)] : []
  return { value: node ?? null, structured: { node: node ?? null }, shows }
}

export function nodesAnswer(nodes: readonly Shown[]): Answer {
  return { value: nodes, structured: { nodes }, shows: nodes.map(({ id }) => id) }
}

export function presentNode(note: Note, length: number = CONTENT.node) {
  return { ...presentPlain(note), content: truncate(note.content, length), ...rest(note) }
}

export function presentWithoutContent(note: Note) {
  return { ...presentPlain(note), ...rest(note) }
}

function presentPlain({ id, title }: Note) {
  return { id, title }
}

function rest({ tags, links, properties }: Note) {
  return {
    tags,
    links: links.slice(0, LINKS_SHOWN),
    ...(Object.keys(properties).length > 0 && { properties }),
  }
}

/** At most so many neighbours of each direction stand beside a node. */
export const NEIGHBORS_SHOWN = 20

export function presentContext({ note, neighbors, incoming, outgoing }: NoteContext) {
  const shown = neighbors.map(({ note: each, direction }) => ({
    node: presentNode(each, CONTENT.neighbor),
    direction,
  }))
  const toward = (side: 'in' | 'out') =>
    shown
      .filter(({ direction }) => direction === side || direction === 'both')
      .slice(0, NEIGHBORS_SHOWN)
      .map(({ node }) => node)
  return {
    ...presentNode(note),
    neighbors: shown.map(({ node, direction }) => ({ ...node, direction })),
    incomingNeighbors: toward('in'),
    outgoingNeighbors: toward('out'),
    incomingCount: incoming,
    outgoingCount: outgoing,
  }
}

/** Cuts between characters, never inside one that takes two code units. */
export function truncate(text: string, length: number): string {
  if (text.length <= length) return text
  const end = length - CUT.length
  const splits = /[\uD800-\uDBFF]/.test(text.charAt(end - 1))
  return text.slice(0, splits ? end - 1 : end) + CUT
}

/** Warnings go into an object; beside a list, a truth value or null they are a text of their own. */
export function presentAnswer(
  { value, structured }: Answer,
  warnings: readonly string[],
): ToolResult {
  const spell = (what: unknown) => JSON.stringify(what, undefined, 2)
  if (warnings.length === 0) return { texts: [spell(value)], structured }
  const note = { _warnings: warnings }
  const plain = typeof value !== 'object' || value === null || Array.isArray(value)
  return {
    texts: plain ? [spell(value), spell(note)] : [spell({ ...value, ...note })],
    structured: { ...structured, ...note },
  }
}
