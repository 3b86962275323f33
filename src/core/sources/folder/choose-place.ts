/** Where a file may be put: spelled as the folders are that exist, offered by the source, not taken. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { foldName } from '../../kit/fold-name.ts'
import { invalid, KnowledgeError, quoted } from '../../domain/error.ts'
import { splitPath } from '../../kit/paths.ts'
import type { PlaceOptions } from '../../domain/source.ts'
import { isThere } from './file-version.ts'
import { pathProblem, resolveInside } from './paths.ts'
import { isGone, reasonOf, unavailable } from './reasons.ts'
import { wouldOffer } from './scan.ts'
import type { Tree } from './scan.ts'

export function place(
  tree: Tree,
  path: string,
  { except, returning = false, attachment = false }: PlaceOptions,
): string {
  // A file that moves may keep the name it has.
  const own = except === undefined ? [] : [splitPath(except).name]
  const offers = (wanted: string): boolean =>
    attachment || returning ? wouldKeep(tree, wanted) : wouldOffer(tree, wanted)
  // Before any look: nobody is told what there is where this server's rules leave it out.
  if (pathProblem(path) === undefined && isLeftOut(tree, path, offers)) throw notOffered(tree, path)
  resolveInside(tree.root, path, { forWriting: true, portable: !returning, names: own })
  const names = path.split('/')
  const file = names.pop() ?? ''
  const folders: string[] = []
  for (const name of names) folders.push(existingFolder(tree, folders, name))
  const spelled = [...folders, file].join('/')
  const taken = namesIn(tree, folders).find(
    // A file may be given its own name in other letters.
    (name) => foldName(name) === foldName(file) && [...folders, name].join('/') !== except,
  )
  const there = taken === undefined ? spelled : [...folders, taken].join('/')
  if (!offers(spelled) || !offers(there)) throw notOffered(tree, path)
  if (taken !== undefined) throw pathTaken(tree, there, spelled)
  return spelled
}

/** Also what nobody reads, where a note could be. */
function wouldKeep(tree: Tree, path: string): boolean {
  return wouldOffer(tree, path) || (!tree.rules.excludes(path) && wouldOffer(tree, `${path}.md`))
}

type Offers = (path: string) => boolean

function isLeftOut(tree: Tree, path: string, offers: Offers): boolean {
  if (offers(path)) return false
  const names = path.split('/')
  const file = names.pop() ?? ''
  const folders: string[] = []
  try {
    for (const name of names) folders.push(existingFolder(tree, folders, name))
  } catch {
    return true
  }
  return !offers([...folders, file].join('/'))
}

/** `notes` means the folder `Notes` when only that one exists: two of them would be one elsewhere. */
function existingFolder(tree: Tree, above: readonly string[], name: string): string {
  const alike = namesIn(tree, above).filter((each) => foldName(each) === foldName(name))
  if (alike.length === 0 || alike.includes(name)) return name
  if (alike.length === 1) return alike[0]!
  throw invalid(
    `The folder ${quoted(name)} could be any of ${alike.map(quoted).join(', ')}.`,
    'Write the folder exactly as one of these is spelled.',
  )
}

export function namesIn(tree: Tree, folders: readonly string[]): string[] {
  try {
    return readdirSync(join(tree.root, ...folders))
  } catch (error) {
    if (isGone(error)) return []
    throw unavailable(`${folders.join('/')} cannot be read: ${reasonOf(error)}`, [])
  }
}

export function missingFolders(tree: Tree, path: string): number {
  const names = path.split('/').slice(0, -1)
  const isThereAt = (depth: number): boolean => isThere(join(tree.root, ...names.slice(0, depth)))
  let depth = names.length
  while (depth > 0 && !isThereAt(depth)) depth--
  return names.length - depth
}

export function pathTaken(
  { name }: Pick<Tree, 'name'>,
  taken: string,
  wanted: string,
): KnowledgeError {
  const alike = taken === wanted ? '' : ', whose name differs only in case'
  return new KnowledgeError(
    'exists',
    `There is already ${quoted(`${name}/${taken}`)}${alike}.`,
    'Choose another path, or change the one that exists.',
  )
}

function notOffered({ name }: Tree, path: string): KnowledgeError {
  return invalid(
    `${quoted(path)} would not be part of the source ${quoted(name)}: its name, folder or an ignore file leaves it out.`,
    'Use a path ending in .md in a folder that is served, such as "notes/idea.md".',
  )
}
