/** What this surface sees of a base: resources by URI and prompts by full name. */
import { compareIds, documentId } from '../../domain/document.ts'
import type { DocNo } from '../../domain/document.ts'
import { curatedPlace, listCurated } from '../../operations/reading/curated-files.ts'
import type { CuratedFile, CuratedLayout } from '../../operations/reading/curated-files.ts'
import { derived } from '../../operations/view/derived.ts'
import type { Knowledge } from '../../operations/view/knowledge.ts'
import { openView } from '../../operations/view/view.ts'
import type { View } from '../../operations/view/view.ts'
import { openRememberedTexts } from '../../operations/reading/remembered-texts.ts'
import type { RememberedTexts } from '../../operations/reading/remembered-texts.ts'
import { resourceUri, uriKey } from './uris.ts'

export interface AcdcResource extends CuratedFile {
  readonly uri: string
}

export interface AcdcPrompt extends CuratedFile {
  /** `<source>:<name>`. */
  readonly fullName: string
}

export interface Catalogue {
  readonly resources: readonly AcdcResource[]
  readonly prompts: ReadonlyMap<string, AcdcPrompt>
  findResource(uri: string): AcdcResource | undefined
  /** Resources by document number; of one source, or of all. */
  among(source: string | undefined): ReadonlyMap<DocNo, AcdcResource>
}

export interface AcdcView {
  readonly kb: View
  readonly texts: RememberedTexts
  /** Waits for the first complete look at the files. */
  catalogue(): Promise<Catalogue>
}

export interface AcdcViewOptions {
  readonly layout: CuratedLayout
  readonly ready: Promise<void>
  /** Told once about every file that is left out, and again when it was changed and still is. */
  readonly warn: (message: string) => void
}

export function openAcdcView(base: Knowledge, options: AcdcViewOptions): AcdcView {
  const { layout, ready, warn } = options
  const kb = openView(base, { sees: ({ path }) => curatedPlace(path, layout) !== undefined })
  const told = new Set<string>()
  const tell = (messages: readonly string[]): void => {
    for (const message of messages.filter((each) => !told.has(each))) warn(message)
    told.clear()
    for (const message of messages) told.add(message)
  }
  const catalogue = derived(base.store, { on: ['generation'], load: () => build(kb, layout, tell) })
  return {
    kb,
    texts: openRememberedTexts(kb),
    async catalogue() {
      await ready
      return catalogue.now()
    },
  }
}

async function build(
  kb: View,
  layout: CuratedLayout,
  tell: (messages: readonly string[]) => void,
): Promise<Catalogue> {
  const files = await listCurated(kb, layout)
  const messages = files.leftOut.map(({ id, why }) => `${id}: ${why}`)
  const byUri = new Map<string, AcdcResource>()
  for (const file of files.resources) {
    const uri = resourceUri(file.record.source, file.place)
    const key = uriKey(uri)
    if (!byUri.has(key)) byUri.set(key, { ...file, uri })
    // Two ways to compose an accented letter are one name.
    else messages.push(`${documentId(file.record)}: Another file has the URI ${uri}.`)
  }
  const resources = [...byUri.values()]
  const prompts = new Map<string, AcdcPrompt>()
  for (const file of files.prompts) {
    const fullName = `${file.record.source}:${file.name}`
    if (!prompts.has(fullName)) prompts.set(fullName, { ...file, fullName })
    else messages.push(`${documentId(file.record)}: There is another prompt ${fullName}.`)
  }
  tell(messages)
  const bySource = Map.groupBy(resources, ({ record }) => record.source)
  const numbered = (some: readonly AcdcResource[]) =>
    new Map(some.map((resource) => [resource.record.no, resource]))
  const all = numbered(resources)
  const each = new Map([...bySource].map(([source, some]) => [source, numbered(some)]))
  return {
    resources,
    prompts,
    findResource: (uri) => byUri.get(uriKey(uri)),
    among: (source) => (source === undefined ? all : (each.get(source) ?? new Map())),
  }
}

export function compareUris(a: CuratedFile, b: CuratedFile): number {
  return compareIds((a as AcdcResource).uri, (b as AcdcResource).uri)
}
