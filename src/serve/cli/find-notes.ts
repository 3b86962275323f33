/**
 * Guard clauses of setting up: what is in a folder and what of it would be read, or a true sentence
 * about a place that cannot be a base and the command that helps there.
 */
import { accessSync, constants, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { SurveyedSource } from '../wiring/survey-sources.ts'
import { foldersOfNotes, knownVaults, proposeSources } from '../config/propose-sources.ts'
import type { Proposal } from '../config/propose-sources.ts'
import { slugOf } from '../config/sources.ts'
import { userState } from '../config/user-folder.ts'
import type { Surrounding } from '../config/user-folder.ts'
import { type KnowledgeError, forbidden, invalid, notFound } from '../../core/domain/error.ts'
import type { App } from './base.ts'
import { shellLine } from './shell-words.ts'

export type FoundSource = Proposal & SurveyedSource

export interface FoundNotes {
  readonly root: string
  readonly sources: readonly FoundSource[]
}

export interface NotesQuestion {
  readonly start: string
  /** Whether nothing was named: then a vault that Obsidian knows is as good. */
  readonly mayBeElsewhere: boolean
  readonly around: Surrounding
  readonly app: Pick<App, 'survey'>
}

export async function findNotes(question: NotesQuestion): Promise<FoundNotes> {
  const { start, mayBeElsewhere, around } = question
  const stats = statSync(start, { throwIfNoEntry: false })
  if (!stats) {
    throw notFound(`There is no folder ${start}.`, 'Check the spelling.')
  }
  if (!stats.isDirectory()) throw isFile(start)
  // A whole home folder is nobody's notes.
  const isHome = holdsHome(start, around)
  const here = isHome ? undefined : await lookInto(start, question)
  const found = here && hasDocuments(here) ? here : undefined
  const elsewhere = found || !mayBeElsewhere ? undefined : await lastVault(question)
  const notes = found ?? elsewhere
  if (notes) return writable(notes, around)
  throw here ? noNotes(here) : wholeHome(start, around)
}

async function lookInto(root: string, { app }: NotesQuestion): Promise<FoundNotes> {
  const proposals = proposeSources(root)
  const surveyed = await app.survey(proposals)
  const sources = proposals.map((proposal, index) => ({ ...surveyed[index]!, ...proposal }))
  return { root, sources }
}

async function lastVault(question: NotesQuestion): Promise<FoundNotes | undefined> {
  const { home, env } = question.around
  for (const path of knownVaults(home, env['XDG_CONFIG_HOME'] || join(home, '.config'))) {
    const found = await lookInto(path, question)
    if (hasDocuments(found)) return found
  }
  return undefined
}

function hasDocuments({ sources }: FoundNotes): boolean {
  return sources.some(({ documents }) => documents > 0)
}

/** The home folder, and everything that holds it. */
function holdsHome(start: string, { home }: Surrounding): boolean {
  const way = relative(start, home)
  return way === '' || (way.split(sep)[0] !== '..' && !isAbsolute(way))
}

function writable(notes: FoundNotes, around: Surrounding): FoundNotes {
  try {
    accessSync(notes.root, constants.W_OK)
    return notes
  } catch {
    const state = userState(around, slugOf(basename(notes.root)))
    throw forbidden(
      `Nothing may be written in ${notes.root}, where the base would be.`,
      `Keep its index elsewhere: ${shellLine(['cairn', 'index', notes.root, '--state', state])}\n` +
        `Clients can be told the same: ${shellLine(['cairn', 'connect', '--folder', notes.root, '--state', state])}`,
    )
  }
}

function isFile(path: string): KnowledgeError {
  return invalid(
    `${path} is a file, and a base is a folder.`,
    `Take the folder it is in: ${shellLine(['cairn', 'init', dirname(path)])}`,
  )
}

const MOST_NAMED = 3

function wholeHome(start: string, { home }: Surrounding): KnowledgeError {
  const isHome = resolve(start) === resolve(home)
  const what = isHome ? 'your home folder' : 'more than your home folder'
  const named = foldersOfNotes(isHome ? start : home).slice(0, MOST_NAMED)
  const lines = named.map(
    ({ path, notes }) => `  ${shellLine(['cairn', 'init', path])}  # ${counted(notes, 'note')}`,
  )
  return invalid(
    `${start} is ${what}, and not all in it are notes.`,
    lines.length > 0
      ? ['Name the folder that has them:', ...lines].join('\n')
      : `Begin with a folder of notes: ${firstNote(join(home, 'notes'))}`,
  )
}

function firstNote(folder: string): string {
  const make = shellLine(['mkdir', '-p', folder])
  const write = `echo '# First note' > ${shellLine([join(folder, 'first.md')])}`
  return `${make} && ${write} && ${shellLine(['cairn', 'init', folder])}`
}

function noNotes({ root, sources }: FoundNotes): KnowledgeError {
  const left = leftOutWords(sources)
  if (left.length === 0) {
    return notFound(
      `There is nothing in ${root} yet.`,
      `Begin with a first note: ${firstNote(root)}\nOr say where your notes are: cairn init ~/notes`,
    )
  }
  return notFound(
    `${root} has nothing that Cairn reads: ${left.join(', ')}.`,
    [...conversions(root, sources), 'Or say where your notes are: cairn init ~/notes'].join('\n'),
  )
}

/** Programs that make text of what has none, and are to be had everywhere. */
const CONVERTERS: readonly (readonly [string, (find: string) => string])[] = [
  ['.doc', (find) => `${find} -execdir soffice --convert-to docx {} \\;`],
  ...['.rtf', '.tex', '.fb2'].map(
    (type) =>
      [
        type,
        (find: string) => `${find} -exec sh -c 'pandoc "$1" -t gfm -o "\${1%.*}.md"' _ {} \\;`,
      ] as const,
  ),
]

function conversions(root: string, sources: readonly FoundSource[]): string[] {
  return CONVERTERS.filter(([type]) => sources.some(({ leftOut }) => leftOut.types[type])).map(
    ([type, command]) =>
      `Make text of ${type.slice(1)} files first: ` +
      `${command(shellLine(['find', root, '-name', `*${type}`]))} && ${shellLine(['cairn', 'init', root])}`,
  )
}

const MOST_KINDS = 6

/** What is passed by, and how many of each: `12 .png`, `3 by drafts/ (.gitignore)`, `1 hidden`. */
export function leftOutWords(sources: readonly FoundSource[]): readonly string[] {
  const counts = new Map<string, number>()
  const add = (what: string, count: number): void => {
    if (count > 0) counts.set(what, (counts.get(what) ?? 0) + count)
  }
  for (const { leftOut, skipped } of sources) {
    for (const [type, count] of Object.entries(leftOut.types)) add(type, count)
    for (const [rule, count] of Object.entries(leftOut.rules)) {
      add(rule === 'hidden' ? 'hidden' : `by ${rule}`, count)
    }
    add('that cannot be read', skipped)
  }
  const sorted = [...counts].toSorted(([x, a], [y, b]) => b - a || (x < y ? -1 : 1))
  const rest = sorted.slice(MOST_KINDS).reduce((sum, [, count]) => sum + count, 0)
  return [
    ...sorted.slice(0, MOST_KINDS).map(([what, count]) => `${figure(count)} ${what}`),
    ...(rest > 0 ? [`${figure(rest)} others`] : []),
  ]
}

export function counted(count: number, what = 'document'): string {
  return `${figure(count)} ${count === 1 ? what : `${what}s`}`
}

function figure(count: number): string {
  return count.toLocaleString('en-US')
}
