/**
 * The repository behind a source: its artifacts, kept in step with the index. Texts are read once
 * per content; git is asked once per commit.
 */
import { codeLanguageOf } from '../../domain/code.ts'
import type { CodeSymbol } from '../../domain/code.ts'
import type { DocumentRecord, Place } from '../../domain/document.ts'
import { isEntityPath } from '../../domain/entity-document.ts'
import { lastSegment } from '../../kit/paths.ts'
import type { GitHistory, WorkTree } from '../../sources/work-tree.ts'
import { redactedText } from '../../indexing/redact-file.ts'
import { derived } from '../view/derived.ts'
import type { Knowledge } from '../view/knowledge.ts'
import { createView } from '../view/view.ts'
import type { View } from '../view/view.ts'
import { artifactType } from './artifact-type.ts'
import {
  CATALOGUE_PATHS,
  pathMatcher,
  namespaceOf,
  NO_CATALOGUE,
  parseCatalogue,
  subsystemFinder,
} from './catalogue.ts'
import type { Catalogue } from './catalogue.ts'
import { packagesNamedIn } from './named-packages.ts'
import { subsystemsOf } from './model.ts'
import type { Artifact, RepositoryModel, TextFacts } from './model.ts'
import { readFacts } from './read-facts.ts'
import { DEFAULT_WINDOWS } from './windows.ts'
import type { WindowSettings } from './windows.ts'

export interface RepositoryOptions {
  /** Name of the source that holds it. */
  readonly source: string
  readonly workTree: WorkTree
  readonly windows?: WindowSettings
  /** Whether symbols are shown and searched. */
  readonly symbols?: boolean
  /** Which places the caller sees; all unless said. */
  readonly sees?: (place: Place) => boolean
  /** Beginnings of paths or globs; everything where there are none. */
  readonly include?: readonly string[]
}

export interface Repository {
  readonly source: string
  readonly root: string
  readonly view: View
  readonly windows: WindowSettings
  readonly symbols: boolean
  model(): Promise<RepositoryModel>
  /** Why a file that could be read is no artifact, and what it is called then; undefined: it is one. */
  whyNot(path: string): { readonly path: string; readonly reason: string } | undefined
}

/** Folders of what a machine made from the rest, where nobody told git to ignore them. */
const MADE = /^(?:.*?\/)?(?:dist|build|target|coverage|venv|site-packages|__pycache__)\//

export function openRepository(kb: Knowledge, options: RepositoryOptions): Repository {
  const { source, workTree, windows = DEFAULT_WINDOWS, symbols = true } = options
  const matchers = (options.include ?? []).map(pathMatcher)
  const included = (path: string): boolean =>
    matchers.length === 0 || matchers.some((matches) => matches(path))
  const whyNot: Repository['whyNot'] = (path) => {
    const [made] = MADE.exec(path) ?? []
    if (made !== undefined) return { path: made, reason: 'a folder of what a machine made' }
    const isCatalogue = CATALOGUE_PATHS.some((each) => each === path)
    if (isCatalogue) return { path, reason: 'the catalogue of subsystems itself' }
    if (kb.sources.get(source)?.converts?.(path)) return { path, reason: 'not a text file' }
    return included(path) ? undefined : { path, reason: 'not among what is included' }
  }
  const root = kb.sources.get(source)?.root ?? ''
  const sees = ({ source: from, path }: Place): boolean =>
    from === source &&
    (options.sees?.({ source: from, path }) ?? true) &&
    !isEntityPath(path) &&
    whyNot(path) === undefined
  const view = createView(kb, { sees })
  const facts = new Map<string, TextFacts>()
  let history:
    | { readonly stamp: string; readonly paths: number; readonly git: GitHistory | undefined }
    | undefined

  const gitOf = async (
    paths: readonly string[],
    stamp: string,
  ): Promise<GitHistory | undefined> => {
    if (history?.stamp !== stamp || history.paths !== paths.length) {
      const git = await workTree.history(new Set(paths))
      history = { stamp, paths: paths.length, git }
    }
    return history.git
  }
  let seen = ''
  const models = derived(kb.store, {
    on: ['generation'],
    load: async (): Promise<RepositoryModel> => {
      const { documents } = await view.store.list({}, 'path', { offset: 0, limit: -1 })
      await learnFacts(kb, source, documents, windows, facts)
      const text = workTree.readFirst(CATALOGUE_PATHS)
      const catalogue = text === undefined ? NO_CATALOGUE : parseCatalogue(text)
      const git = await gitOf(
        documents.map(({ path }) => path),
        seen,
      )
      const packages = packagesNamedIn(workTree.readFirst([PACKAGES_PATH]) ?? '')
      return modelOf(documents, facts, { catalogue, packages, git })
    },
  })
  return {
    source,
    root,
    view,
    windows,
    symbols,
    whyNot,
    async model() {
      // The catalogue is no document, and a commit changes no file: the index does not tell of them.
      const now = workTree.stamp(BESIDE)
      if (now !== seen) models.outdate()
      seen = now
      return models.now()
    },
  }
}

const PACKAGES_PATH = 'pyproject.toml'
const BESIDE = [...CATALOGUE_PATHS, PACKAGES_PATH]

const READ_AT_ONCE = 200

/** Reads what is not known yet, and forgets what nobody has any more. */
async function learnFacts(
  { sources }: Knowledge,
  source: string,
  documents: readonly DocumentRecord[],
  windows: WindowSettings,
  facts: Map<string, TextFacts>,
): Promise<void> {
  const living = new Set(documents.map(({ digest }) => digest))
  for (const digest of facts.keys()) if (!living.has(digest)) facts.delete(digest)
  const missing = documents.filter(({ digest }) => !facts.has(digest))
  for (let at = 0; at < missing.length; at += READ_AT_ONCE) {
    const some = missing.slice(at, at + READ_AT_ONCE)
    const contents = (await sources.get(source)?.read(some.map(({ path }) => path))) ?? []
    for (const [index, content] of contents.entries()) {
      if (content.kind !== 'text') continue
      facts.set(content.digest, readFacts(redactedText(content, some[index]!), windows))
    }
  }
}

/** A file that changed since it was indexed is looked at again in a moment. */
const UNKNOWN: TextFacts = { length: 0, chunks: 0, lines: 0, messages: [], telemetry: [] }

/** What is known of the repository besides its documents. */
interface Besides {
  readonly catalogue: Catalogue
  readonly packages: readonly string[]
  readonly git: GitHistory | undefined
}

function modelOf(
  documents: readonly DocumentRecord[],
  facts: ReadonlyMap<string, TextFacts>,
  { catalogue, packages, git }: Besides,
): RepositoryModel {
  const paths = documents.map(({ path }) => path)
  const find = subsystemFinder(catalogue, packages, paths)
  const entries = new Map(catalogue.entries.map((entry) => [entry.name, entry]))
  const artifacts = documents.map((document): Artifact => {
    const { path, digest } = document
    const read = facts.get(digest) ?? UNKNOWN
    const subsystem = ownSubsystem(document) ?? find(path)
    const entry = subsystem === undefined ? undefined : entries.get(subsystem)
    const stamp = git?.stamps.get(path)
    const tags = [
      ...read.messages,
      ...read.telemetry,
      ...document.tags,
      ...(entry?.tags ?? []),
      ...(entry?.labels ?? []),
    ]
    return {
      ...read,
      doc: document.no,
      path,
      type: artifactType(path),
      subsystem,
      criticality: entry?.criticality,
      namespace: namespaceOf(path),
      tags: [...new Set(tags)].toSorted(),
      digest,
      secrets: document.secrets,
      language: codeLanguageOf(path),
      symbols: symbolsOf(document, read.lines),
      commit: stamp?.commit,
      committedAt: stamp === undefined ? undefined : Math.floor(stamp.committedAt / 1000),
    }
  })
  return {
    artifacts,
    byPath: new Map(artifacts.map((artifact) => [artifact.path, artifact])),
    byDoc: new Map(artifacts.map((artifact) => [artifact.doc, artifact])),
    subsystems: subsystemsOf(catalogue.entries, artifacts),
    head: git?.head,
    warnings: catalogue.warnings,
  }
}

/** Front matter of a note may say where it belongs. */
function ownSubsystem({ properties }: DocumentRecord): string | undefined {
  const { subsystem } = properties
  return typeof subsystem === 'string' && subsystem.trim() !== '' ? subsystem.trim() : undefined
}

/** What can be asked for by kind; a constant is none of them. The file itself is a module. */
function symbolsOf({ path, symbols }: DocumentRecord, lines: number): readonly CodeSymbol[] {
  if (!symbols) return []
  const name = lastSegment(path).replace(/\.[^.]*$/, '')
  const module: CodeSymbol = {
    name,
    qualifiedName: name,
    kind: 'module',
    lineStart: 1,
    lineEnd: Math.max(1, lines),
  }
  const listed = symbols.filter(({ kind }) => kind !== 'variable')
  const taken = listed.some(({ qualifiedName }) => qualifiedName === name)
  return (taken ? listed : [module, ...listed]).toSorted(byLine)
}

function byLine(a: CodeSymbol, b: CodeSymbol): number {
  return a.lineStart - b.lineStart || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
}
