/** What this surface sees of a base: resources by URI and prompts by full name. */
import { compareIds, documentId } from '../../domain/document.ts'
import type { DocNo, Place } from '../../domain/document.ts'
import { onePer } from '../../domain/one-per.ts'
import { curatedNames, curatedPlace, notRead } from '../../operations/reading/curated-files.ts'
import type { Curated, CuratedFile, CuratedLayout } from '../../operations/reading/curated-files.ts'
import type { Knowledge } from '../../operations/view/knowledge.ts'
import type { NameTable, Unnamed } from '../../operations/view/name-table.ts'
import { openView, withSecrets } from '../../operations/view/view.ts'
import type { View } from '../../operations/view/view.ts'
import { openRememberedTexts } from '../../operations/reading/remembered-texts.ts'
import type { RememberedTexts } from '../../operations/reading/remembered-texts.ts'
import type { Who } from '../surface.ts'
import { fullName, uriKey, uriOf } from './uris.ts'

export interface Catalogue {
  /** In the order of sources, and within one in the order of paths. */
  readonly resources: readonly CuratedFile[]
  readonly prompts: readonly CuratedFile[]
  findResource(uri: string): CuratedFile | undefined
  findPrompt(name: string): CuratedFile | undefined
  /** Resources by document number; of one source, or of all. */
  among(source: string | undefined): ReadonlyMap<DocNo, CuratedFile>
}

export interface AcdcView {
  readonly kb: View
  readonly texts: RememberedTexts
  /** Waits for the first complete look at the files. */
  catalogue(): Promise<Catalogue>
}

export function shownTo(view: AcdcView, { showSecrets }: Who): AcdcView {
  return showSecrets ? { ...view, kb: withSecrets(view.kb) } : view
}

export interface AcdcViewOptions {
  readonly layout: CuratedLayout
  readonly ready: Promise<void>
  /** Told once about every file that is left out, and again when it was changed and still is. */
  readonly warn: (message: string) => void
}

export function openAcdcView(base: Knowledge, options: AcdcViewOptions): AcdcView {
  const { layout, ready, warn } = options
  const kb = openView(base, {
    sees: ({ path }) => curatedPlace(path, layout) !== undefined,
    names: curatedNames(base, layout, keyOf),
  })
  const told = new Set<string>()
  const tell = (messages: readonly string[]): void => {
    for (const message of messages.filter((each) => !told.has(each))) warn(message)
    told.clear()
    for (const message of messages) told.add(message)
  }
  const catalogueOf = onePer(async (names: NameTable<Curated>): Promise<Catalogue> => {
    const unread = layout === 'locations' ? await notRead(kb) : []
    tell([...names.unnamed.flatMap(reasonOf), ...unread.map(({ why, ...file }) => said(file, why))])
    return catalogueIn(names, [...kb.sources.keys()])
  })
  return {
    kb,
    texts: openRememberedTexts(kb),
    async catalogue() {
      await ready
      return catalogueOf(await kb.names.now())
    },
  }
}

/** No URI is the name of a prompt, which begins with the name of a source. */
function keyOf(file: CuratedFile): string {
  return file.kind === 'resource' ? uriKey(uriOf(file)) : fullName(file)
}

function said(file: Place, why: string): string {
  return `${documentId(file)}: ${why}`
}

/** Why a file has no name here. */
function reasonOf({ detail, ...file }: Unnamed<Curated>): readonly string[] {
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
    findResource: (uri) => found(uriKey(uri), 'resource'),
    findPrompt: (name) => found(name, 'prompt'),
    among: (source) =>
      source === undefined
        ? everywhere
        : numbered(resources.filter(({ record }) => record.source === source)),
  }
}

export function compareUris(a: CuratedFile, b: CuratedFile): number {
  return compareIds(uriOf(a), uriOf(b))
}
