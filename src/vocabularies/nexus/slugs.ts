/**
 * A page is known by its slug. Files have none of their own accord, so one is found for each: what
 * the front matter says, else the name of the file where that is a slug already, else the title.
 */
import { compareIds, documentId } from '../../core/domain/document.ts'
import type { Place } from '../../core/domain/document.ts'
import { eachInSteps, sortInSteps } from '../../core/kit/slices.ts'
import type { Steps } from '../../core/kit/slices.ts'
import { isNotePath, lastSegment, withoutNoteExtension } from '../../core/kit/paths.ts'
import type { Properties } from '../../core/domain/text.ts'

/** A file that wants a slug. */
export interface SlugWish extends Place {
  readonly name: string
  /** Of several that want the same slug, the smaller number has it. */
  readonly claim?: number
}

/** File systems allow 255 bytes for a name, and `.md` is part of it. */
const LONGEST_BYTES = 200

/** `My Note!` → `my-note`. Letters and digits of every script stay. Empty when nothing is left. */
export function slugFromTitle(title: string): string {
  const slug = title
    .normalize('NFC')
    .toLowerCase()
    .trim()
    .replace(/\s+/g, '-')
    .replace(/[^\p{L}\p{M}\p{N}-]+/gu, '')
    .replace(/-+/g, '-')
  return withoutOuterHyphens(cut(withoutOuterHyphens(slug)))
}

function withoutOuterHyphens(slug: string): string {
  return slug.replace(/^-/, '').replace(/-$/, '')
}

function cut(slug: string): string {
  if (Buffer.byteLength(slug) <= LONGEST_BYTES) return slug
  let bytes = 0
  const kept = [...slug].filter((letter) => (bytes += Buffer.byteLength(letter)) <= LONGEST_BYTES)
  return kept.join('')
}

/** `guides/Getting_Started` → `guides-getting-started`. */
function slugFromPath(path: string): string {
  return slugFromTitle(path.replace(/[/\\_]+/g, '-'))
}

/** How a link spells what nobody has written yet: lower case, hyphens for spaces. */
export function normalizeTarget(written: string): string {
  return written.trim().toLowerCase().replace(/\s+/g, '-')
}

/** Nobody calls a page by more characters than this; spelling a book in four ways takes seconds. */
const LONGEST_WRITTEN = 2_000

/** As written, then normalised, then as the slug of a title or a path with these words. */
export function spellings(written: string): readonly string[] {
  const plain = written.trim()
  if (plain.length > LONGEST_WRITTEN) return [plain]
  const page = withoutNoteExtension(plain)
  return [plain, normalizeTarget(plain), slugFromTitle(page), slugFromPath(page)]
}

/** Files that stand for their folder. */
const FOLDER_PAGE = /(?:^|\/)(?:index|_index|readme)$/i

export function isPage(path: string): boolean {
  return isNotePath(path)
}

/** Who has a slug when several want it. */
const CLAIMS = { frontMatter: 0, fileName: 1, title: 2 } as const

export function slugWish({
  path,
  title,
  properties,
}: {
  readonly path: string
  readonly title: string
  readonly properties: Properties
}): { readonly name: string; readonly claim: number } {
  const said = properties['slug']
  const own = typeof said === 'string' ? slugFromPath(said) : ''
  if (own !== '') return { name: own, claim: CLAIMS.frontMatter }
  const whole = withoutNoteExtension(path)
  const place = whole.includes('/') ? whole.replace(FOLDER_PAGE, '') : whole
  const name = lastSegment(place)
  if (name !== '' && slugFromTitle(name) === name) {
    return { name, claim: CLAIMS.fileName }
  }
  const slug = slugFromTitle(title) || slugFromPath(whole) || 'untitled'
  return { name: slug, claim: CLAIMS.title }
}

/**
 * Of several files that want one slug, the one with the better claim has it, then the one nearer
 * to the root, then the first by path. The others are called after their whole path, and where
 * that is taken too, they get a number.
 */
export function* assignSlugs(wishes: readonly SlugWish[]): Steps<readonly string[]> {
  const slugs = new Map<SlugWish, string>()
  const taken = new Set<string>()
  const later: SlugWish[] = []
  const groups = new Map<string, SlugWish[]>()
  yield* eachInSteps(wishes, (wish) => {
    const group = groups.get(wish.name)
    if (group) group.push(wish)
    else groups.set(wish.name, [wish])
  })
  // Almost every wish is alone; only the others need an order.
  yield* eachInSteps(groups, ([slug, group]) => {
    const [first, ...others] = group.length === 1 ? group : group.toSorted(byClaim)
    slugs.set(first!, slug)
    taken.add(slug)
    for (const other of others) later.push(other)
  })
  // Where thousands share a name, trying every number again would take the square of them.
  const numbers = new Map<string, number>()
  yield* eachInSteps(yield* sortInSteps(later, byClaim), (wish) => {
    const place = slugFromPath(withoutNoteExtension(wish.path))
    let name = place !== '' && !taken.has(place) ? place : wish.name
    let number = numbers.get(wish.name) ?? 2
    for (; taken.has(name); number++) name = `${wish.name}-${number}`
    numbers.set(wish.name, number)
    slugs.set(wish, name)
    taken.add(name)
  })
  return wishes.map((wish) => slugs.get(wish)!)
}

function byClaim(a: SlugWish, b: SlugWish): number {
  return (
    (a.claim ?? 0) - (b.claim ?? 0) ||
    depthOf(a.path) - depthOf(b.path) ||
    compareIds(a.path, b.path) ||
    compareIds(documentId(a), documentId(b))
  )
}

function depthOf(path: string): number {
  return path.split('/').length
}
