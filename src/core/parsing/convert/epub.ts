/** Books: chapters in the order of reading, as web pages are read. */
import { Unreadable } from '../../domain/conversion.ts'
import type { FileReader } from '../../domain/conversion.ts'
import { folderOf, joinPath } from '../../kit/paths.ts'
import { orElse } from '../../kit/or-else.ts'
import { writeHtml } from './html.ts'
import { attributeOf, findElement, findElements, textOf } from './html-tree.ts'
import { MarkdownWriter } from './markdown-writer.ts'
import { xmlOf } from './office-parts.ts'
import { ZipFile } from './zip.ts'

const MOST_CHAPTERS = 5_000

export const readEpub: FileReader = (bytes) => {
  const zip = new ZipFile(bytes)
  // Fonts may be hidden in it; what is to be read may not.
  if (/CipherReference[^<>]{0,1000}\.x?html?["']/i.test(zip.text('META-INF/encryption.xml') ?? ''))
    throw new Unreadable('protected against being copied')
  const container = xmlOf(zip, 'META-INF/container.xml')
  const rootFile = container && findElement(container, 'rootfile')
  const path = rootFile && attributeOf(rootFile, 'full-path')
  const book = path === undefined ? undefined : xmlOf(zip, path)
  if (path === undefined || !book) throw new Unreadable('no EPUB, whatever its name says')
  const files = new Map<string, string>()
  for (const item of findElements(book, 'item')) {
    const href = attributeOf(item, 'href') ?? ''
    const file = joinPath(
      folderOf(path),
      orElse(() => decodeURIComponent(href), href),
    )
    const isNavigation = /\bnav\b/.test(attributeOf(item, 'properties') ?? '')
    if (file !== undefined && !isNavigation) files.set(attributeOf(item, 'id') ?? '', file)
  }
  const writer = new MarkdownWriter()
  let chapter = 0
  for (const each of [...findElements(book, 'itemref')].slice(0, MOST_CHAPTERS)) {
    const file = files.get(attributeOf(each, 'idref') ?? '')
    const text = file === undefined ? undefined : zip.text(file)
    if (text === undefined) continue
    writer.anchor(`chapter=${++chapter}`)
    writeHtml(text, writer, (href) => (/^https?:|^mailto:/i.test(href) ? href : undefined))
  }
  const said = (name: string): readonly string[] =>
    [...findElements(book, name)].map((each) => textOf(each).trim()).filter((text) => text !== '')
  return {
    title: said('dc:title')[0],
    metadata: {
      author: said('dc:creator').join(', ') || undefined,
      description: said('dc:description')[0]?.replaceAll(/<[^>]{0,200}>/g, ''),
      keywords: said('dc:subject'),
      created: said('dc:date')[0]?.slice(0, 10),
      lang: said('dc:language')[0],
    },
    blocks: writer.blocks(),
  }
}
