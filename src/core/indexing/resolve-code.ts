/** Which source file does an import or a mention mean? */
import { codeLanguageOf, FOLDER_MODULES, isTestPath } from '../domain/code.ts'
import type { DocNo } from '../domain/document.ts'
import { folderOf, joinPath, lastSegment } from '../kit/paths.ts'
import type { NamedDocument } from '../store/store.ts'

interface From {
  readonly source: string
  readonly path: string
}

/**
 * `./x` is the file `x` beside, with any extension, or the folder of that name. `a/b/c` is the file
 * whose path ends so; of several the one that shares most of its path with the asking file.
 */
export function importedFile(
  target: string,
  from: From,
  candidates: readonly NamedDocument[],
): DocNo | undefined {
  const files = candidates.filter(
    ({ source, path }) => source === from.source && path !== from.path && codeLanguageOf(path),
  )
  if (/^\.\.?(?:\/|$)/.test(target)) {
    const place = joinPath(folderOf(from.path), target)
    const beside = place === undefined ? undefined : bestAt(place, files, from)
    // Headers are looked for in other folders too.
    if (beside || codeLanguageOf(from.path) !== 'cpp') return beside?.no
  }
  const language = codeLanguageOf(from.path)
  const same = files.filter(({ path }) => kin(codeLanguageOf(path)) === kin(language))
  // `@/x` is how many projects spell "from the root".
  const wanted = target.replace(/^(?:[@~]?\/|\.\.?\/)+/, '')
  for (const tail of tailsOf(wanted, language)) {
    const found = nearest(
      same.filter(({ path }) => modulesOf(path).some((module) => endsAt(module, tail))),
      from,
    )
    if (found) return found.no
  }
  return undefined
}

/**
 * The path of a file as it is or as its end, or a name that one file alone defines. Of a name in
 * files and in their tests, the files are meant; a name that several define means none of them.
 */
export function mentionedFile(
  target: string,
  from: From,
  candidates: readonly NamedDocument[],
): DocNo | undefined {
  const name = target.replace(/\(\)$/, '').replace(/^\.?\//, '')
  const others = candidates.filter(
    ({ source, path }) => source !== from.source || path !== from.path,
  )
  const folded = name.normalize('NFC').toLowerCase()
  const byPath = others.filter(
    ({ foldedPath }) => foldedPath === folded || foldedPath.endsWith(`/${folded}`),
  )
  if (byPath.length > 0) return only(byPath, from)?.no
  if (name.includes('/')) return undefined
  const files = others.filter(({ path }) => codeLanguageOf(path))
  return (
    only(files, from) ??
    only(
      files.filter(({ path }) => !isTestPath(path)),
      from,
    )
  )?.no
}

function only(files: readonly NamedDocument[], from: From): NamedDocument | undefined {
  const near = files.filter(({ source }) => source === from.source)
  const chosen = near.length > 0 ? near : files
  return chosen.length === 1 ? chosen[0] : undefined
}

/** Languages whose files bring in each other's. */
function kin(language: ReturnType<typeof codeLanguageOf>): string | undefined {
  return language === 'tsx' || language === 'javascript' ? 'typescript' : language
}

/** What a path may be called by: without extension, and as its folder where it stands for one. */
function modulesOf(path: string): string[] {
  const stem = path.replace(/\.[^./]*$/, '')
  const folder = folderOf(path)
  const standsForFolder = FOLDER_MODULES.has(lastSegment(stem)) || codeLanguageOf(path) === 'go'
  return standsForFolder ? [stem, folder] : [stem]
}

/** Folders that languages look for modules in. */
const ROOTS = new Set(['src', 'lib', 'python', 'app', 'source', 'include', 'tests', 'test'])

/** `json` alone is the language's own unless it lies at a root; `web/json` is nobody else's. */
function endsAt(module: string, tail: string): boolean {
  if (module === tail) return true
  if (!module.endsWith(`/${tail}`)) return false
  const above = module.slice(0, -tail.length - 1)
  return tail.includes('/') || ROOTS.has(lastSegment(above))
}

/** Go and others name a package from its host down; the repository knows only the end of that. */
function tailsOf(target: string, language: ReturnType<typeof codeLanguageOf>): string[] {
  const bare = codeLanguageOf(target) ? target.replace(/\.[^./]*$/, '') : target
  const parts = bare.split('/')
  if (language !== 'go' && language !== 'php') return [bare]
  // What has no host belongs to the language itself.
  if (language === 'go' && !parts[0]!.includes('.')) return []
  return parts.map((_, at) => parts.slice(at).join('/'))
}

/** The file itself, the same with another extension (`./x.js` is often `x.ts`), or its folder. */
function bestAt(
  place: string,
  files: readonly NamedDocument[],
  from: From,
): NamedDocument | undefined {
  const exact = files.find(({ path }) => path === place)
  if (exact) return exact
  const bare = codeLanguageOf(place) ? place.replace(/\.[^./]*$/, '') : place
  const same = files.filter(({ path }) => modulesOf(path).includes(bare))
  return nearest(same, from)
}

/** Of several, one in the asking file's language, then the nearest, then the first by path. */
function nearest(files: readonly NamedDocument[], from: From): NamedDocument | undefined {
  const language = codeLanguageOf(from.path)
  if (language === 'go') return packageFile(files)
  const near = (path: string): number => sharedLength(path, from.path)
  const own = (path: string): number => (codeLanguageOf(path) === language ? 0 : 1)
  return files.toSorted((a, b) => own(a.path) - own(b.path) || near(b.path) - near(a.path))[0]
}

/** A package of Go is many files; the one that has its name, or is alone, stands for it. */
function packageFile(files: readonly NamedDocument[]): NamedDocument | undefined {
  const code = files.filter(({ path }) => !isTestPath(path))
  const named = code.find(({ path }) => {
    const stem = lastSegment(path).replace(/\.go$/, '')
    return stem === 'doc' || stem === lastSegment(folderOf(path))
  })
  return named ?? (code.length === 1 ? code[0] : undefined)
}

function sharedLength(a: string, b: string): number {
  const one = a.split('/')
  const other = b.split('/')
  let shared = 0
  while (shared < one.length && one[shared] === other[shared]) shared++
  return shared
}
