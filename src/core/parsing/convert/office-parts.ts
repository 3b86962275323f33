/** What files of Word, PowerPoint and Excel have in common: parts, relations, words on themselves. */
import type { FileContents } from '../../domain/conversion.ts'
import { folderOf, joinPath } from '../../kit/paths.ts'
import { attributeOf, findElement, findElements, parseXml, textOf } from './html-tree.ts'
import type { HtmlElement } from './html-tree.ts'
import type { ZipFile } from './zip.ts'

export function xmlOf(zip: ZipFile, name: string): HtmlElement | undefined {
  const text = zip.text(name)
  return text === undefined ? undefined : parseXml(text)
}

export interface Relation {
  readonly id: string
  readonly type: string
  /** A part of the archive, or an address outside of it. */
  readonly target: string
  readonly isOutside: boolean
}

export function relationsOf(zip: ZipFile, part: string): ReadonlyMap<string, Relation> {
  const folder = folderOf(part)
  const name = `${folder === '' ? '' : `${folder}/`}_rels/${part.slice(folder === '' ? 0 : folder.length + 1)}.rels`
  const xml = xmlOf(zip, name)
  const relations = new Map<string, Relation>()
  for (const each of xml ? findElements(xml, 'Relationship') : []) {
    const id = attributeOf(each, 'Id')
    const said = attributeOf(each, 'Target')
    if (id === undefined || said === undefined) continue
    const isOutside = attributeOf(each, 'TargetMode') === 'External'
    const target = isOutside ? said : said.startsWith('/') ? said.slice(1) : joinPath(folder, said)
    if (target === undefined) continue
    const type = (attributeOf(each, 'Type') ?? '').replace(/^.*\//, '')
    relations.set(id, { id, type, target, isOutside })
  }
  return relations
}

/** Title, author and dates, as Office (`docProps/core.xml`) and OpenDocument (`meta.xml`) say them. */
export function describeOffice(
  xml: HtmlElement | undefined,
): Pick<FileContents, 'title' | 'metadata'> {
  const said = (...names: readonly string[]): string | undefined => {
    for (const name of names) {
      const found = xml && findElement(xml, name)
      const text = found && textOf(found).trim()
      if (text) return text
    }
    return undefined
  }
  const keywords = [...(xml ? findElements(xml, 'meta:keyword') : [])].map(textOf)
  const listed = said('cp:keywords')?.split(/[,;]/) ?? []
  const date = said('dcterms:created', 'meta:creation-date')
  return {
    title: said('dc:title'),
    metadata: {
      author: said('dc:creator', 'meta:initial-creator'),
      description: said('dc:subject', 'dc:description'),
      keywords: [...keywords, ...listed].map((word) => word.trim()).filter((word) => word !== ''),
      created: date?.slice(0, 10),
    },
  }
}

/** A link that is of use outside of the program: an address, or a file of the folder. */
export function linkTo(target: string, text: string): string {
  const words = text.replaceAll(/\s+/g, ' ').trim()
  if (words === '' || /[[\]]/.test(words) || target.startsWith('#') || target.length > 1_000)
    return text
  if (/^[a-z][a-z\d+.-]*:/i.test(target) && !/^(?:https?|mailto):/i.test(target)) return text
  const safe = target.replaceAll(
    /[\s()<>]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
  return `[${words}](${safe})`
}
