/** What this surface sees of a base: resources by URI and prompts by full name. */
import { compareIds, documentId } from '../../core/domain/document.ts'
import type { DocNo, Place } from '../../core/domain/document.ts'
import { onePer } from '../../core/kit/one-per.ts'
import {
  curatedNames,
  curatedPlace,
  notRead,
  readCurated,
  readCuratedSection,
} from './operations/curated-files.ts'
import type { Curated, CuratedFile, CuratedLayout } from './operations/curated-files.ts'
import type { Knowledge } from '../../core/operations/view/knowledge.ts'
import type { NameTable, Unnamed } from '../../core/operations/view/name-table.ts'
import { createView, withSecrets } from '../../core/operations/view/view.ts'
import type { View } from '../../core/operations/view/view.ts'
import type { Who } from '../../serve/door/surface.ts'
import { acdcNames, uriKey } from './uris.ts'
import type { AcdcNames, Naming } from './uris.ts'

export interface Catalogue {
  /** In the order of sources, and within one in the order of paths. */
  readonly resources: readonly CuratedFile[]
  readonly prompts: readonly CuratedFile[]
  findResource(uri: string): Addressed | undefined
  findPrompt(name: string): CuratedFile | undefined
  /** Resources by document number; of one source, or of all. */
  among(source: string | undefined): ReadonlyMap<DocNo, CuratedFile>
}

/** A resource, or a section of it. */
export interface Addressed {
  readonly file: CuratedFile
  readonly fragment: string | undefined
}

export interface AcdcView {
  readonly kb: View
  readonly names: AcdcNames
  /** Waits for the first complete look at the files. */
  catalogue(): Promise<Catalogue>
}

export function shownTo(view: AcdcView, { showSecrets }: Who): AcdcView {
  return showSecrets ? { ...view, kb: withSecrets(view.kb) } : view
}

export interface AcdcViewOptions {
  readonly layout: CuratedLayout
  readonly naming: Naming
  readonly ready: Promise<void>
  /** Told once about every file that is left out, and again when it was changed and still is. */
  readonly warn: (message: string) => void
}

export function createAcdcView(base: Knowledge, options: AcdcViewOptions): AcdcView {
  const { layout, ready, warn } = options
  const own = acdcNames(options.naming)
  const kb = createView(base, {
    sees: ({ path }) => curatedPlace(path, layout) !== undefined,
    // No URI is the name of a prompt, which has no scheme.
    names: curatedNames(base, layout, (file) =>
      file.kind === 'resource' ? uriKey(own.uriOf(file)) : own.fullName(file),
    ),
  })
  const told = new Set<string>()
  const tell = (messages: readonly string[]): void => {
    for (const message of messages.filter((each) => !told.has(each))) warn(message)
    told.clear()
    for (const message of messages) told.add(message)
  }
  const catalogueOf = onePer(async (names: NameTable<Curated>): Promise<Catalogue> => {
    const unread = layout === 'notes' ? [] : await notRead(kb)
    const reasons = names.unnamed.flatMap((unnamed) => reasonOf(own, unnamed))
    tell([...reasons, ...unread.map(({ why, ...file }) => said(file, why))])
    return catalogueIn(names, [...kb.sources.keys()])
  })
  return {
    kb,
    names: own,
    async catalogue() {
      await ready
      return catalogueOf(await kb.names.now())
    },
  }
}

function said(file: Place, why: string): string {
  return `${documentId(file)}: ${why}`
}

/** Why a file has no name here. */
function reasonOf(
  { uriOf, fullName }: AcdcNames,
  { detail, ...file }: Unnamed<Curated>,
): readonly string[] {
  switch (detail.kind) {
    case 'left out':
      return detail.why === undefined ? [] : [said(file, detail.why)]
    case 'resource':
      // Two ways to compose an accented letter are one name.
      return [said(file, `Another file has the URI ${uriOf(detail)}.`)]
    case 'prompt':
      return [said(file, `There is another prompt ${fullName(detail)}.`)]
    default:
      return detail satisfies never
  }
}

function catalogueIn({ all, find }: NameTable<Curated>, sources: readonly string[]): Catalogue {
  const files = all
    .map(({ detail }) => detail)
    .filter((file) => file.kind !== 'left out')
    .toSorted(
      ({ record: a }, { record: b }) =>
        sources.indexOf(a.source) - sources.indexOf(b.source) || compareIds(a.path, b.path),
    )
  const resources = files.filter(({ kind }) => kind === 'resource')
  const numbered = (some: readonly CuratedFile[]) =>
    new Map(some.map((file) => [file.record.no, file]))
  const everywhere = numbered(resources)
  const found = <Kind extends Curated['kind']>(key: string, kind: Kind) => {
    const file = find(key)?.detail
    return file?.kind === kind ? (file as Extract<Curated, { kind: Kind }>) : undefined
  }
  return {
    resources,
    prompts: files.filter(({ kind }) => kind === 'prompt'),
    findResource(uri) {
      const whole = found(uriKey(uri), 'resource')
      if (whole) return { file: whole, fragment: undefined }
      const sign = uri.lastIndexOf('#')
      const file = sign < 0 ? undefined : found(uriKey(uri.slice(0, sign)), 'resource')
      return file && { file, fragment: uriKey(uri.slice(sign + 1)) }
    },
    findPrompt: (name) => found(name, 'prompt'),
    among: (source) =>
      source === undefined
        ? everywhere
        : numbered(resources.filter(({ record }) => record.source === source)),
  }
}

/** The text that an address means; undefined where there is none, or it cannot be read now. */
export async function readAddressed(
  { kb, catalogue }: AcdcView,
  uri: string,
): Promise<string | undefined> {
  const { file, fragment } = (await catalogue()).findResource(uri) ?? {}
  if (!file) return undefined
  return fragment === undefined ? readCurated(kb, file) : readCuratedSection(kb, file, fragment)
}
