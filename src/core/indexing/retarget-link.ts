/** What must a link say so that it means a document at its new place, in the manner of its author? */
import { foldName } from '../kit/fold-name.ts'
import type { DocNo } from '../domain/document.ts'
import type { Link } from '../domain/text.ts'
import type { NamedDocument } from '../store/store.ts'
import { lastSegment } from '../kit/paths.ts'
import { resolveLink } from './resolve-link.ts'

export interface Retargeting {
  readonly link: Pick<Link, 'kind' | 'target'>
  /** The document that holds the link, before and after the change. */
  readonly from: { readonly source: string; readonly before: string; readonly after: string }
  /** The document that is meant, before and after. */
  readonly to: { readonly before: NamedDocument; readonly after: NamedDocument }
  /** Documents that a link to this target could mean afterwards, in path order. */
  readonly candidates: (target: string) => readonly NamedDocument[]
}

/** The new target, or undefined when none of the ways to write it leads there. */
export function retargetLink(request: Retargeting): string | undefined {
  const { link, from, to, candidates } = request
  const wiki = link.kind === 'wiki' || link.kind === 'embed'
  const spellings = wiki ? wikiSpellings(request) : markdownSpellings(request)
  return spellings.find((target) => {
    if (target === '' || (wiki && /[[\]|#^]/.test(target))) return false
    const place = { source: from.source, path: from.after }
    const meant: DocNo | undefined = resolveLink(
      { kind: link.kind, target },
      place,
      candidates(target),
    )
    return meant === to.after.no
  })
}

function wikiSpellings({ link, from, to }: Retargeting): string[] {
  const { target } = link
  const { path, source, title } = to.after
  const keep = (text: string) => (hasExtension(target) ? text : withoutExtension(text))
  const rooted = keep(path)
  const ways = [rooted, path, `${source}/${rooted}`, `${source}/${path}`]
  if (/^\.\.?\//.test(target)) return [keep(relativePath(from.after, path, true)), ...ways]
  if (target.startsWith('/')) return [`/${rooted}`, ...ways]
  if (target.includes('/')) {
    const named = foldName(target).startsWith(
      `${foldName(source)}/${foldName(withoutExtension(to.before.path))}`,
    )
    return named ? [`${source}/${rooted}`, ...ways] : ways
  }
  const byTitle =
    title !== to.before.title &&
    foldName(to.before.title) === foldName(target) &&
    foldName(withoutExtension(lastSegment(to.before.path))) !== foldName(target)
  return [...(byTitle ? [title] : []), keep(lastSegment(path)), ...ways]
}

function markdownSpellings({ link, from, to }: Retargeting): string[] {
  const { target } = link
  const { path } = to.after
  const keep = (text: string) => (hasExtension(target) ? text : withoutExtension(text))
  const near = relativePath(from.after, path, target.startsWith('./'))
  const ways = [keep(near), near, `/${path}`]
  if (target.startsWith('/')) return [keep(`/${path}`), `/${path}`, ...ways]
  // Some editors write paths from the root without a slash in front.
  const wasRooted =
    foldName(keep(to.before.path)) === foldName(target) &&
    foldName(keep(relativePath(from.before, to.before.path, false))) !== foldName(target)
  return wasRooted ? [keep(path), path, ...ways] : ways
}

/** The way from one file to another: `../drinks/tea.md`. */
export function relativePath(from: string, to: string, dotted: boolean): string {
  const origin = from.split('/').slice(0, -1)
  const goal = to.split('/')
  let shared = 0
  while (shared < origin.length && shared < goal.length - 1 && origin[shared] === goal[shared]) {
    shared++
  }
  const up = origin.slice(shared).map(() => '..')
  const way = [...up, ...goal.slice(shared)].join('/')
  return dotted && up.length === 0 ? `./${way}` : way
}

const EXTENSION = /\.(?:md|markdown|mdx)$/i

function hasExtension(target: string): boolean {
  return EXTENSION.test(target)
}

function withoutExtension(path: string): string {
  return path.replace(EXTENSION, '')
}
