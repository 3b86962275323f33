/** Canvas of Obsidian: cards as passages, file cards and arrows as links. */
import { Unreadable } from '../../domain/conversion.ts'
import type { FileReader } from '../../domain/conversion.ts'
import { isObject } from '../../kit/is-object.ts'
import { decodeBytes } from './decode-bytes.ts'
import { MarkdownWriter } from './markdown-writer.ts'
import { plainLine } from './plain.ts'

export const readCanvas: FileReader = (bytes) => {
  const text = decodeBytes(bytes)
  const canvas: unknown = text.trim() === '' ? {} : JSON.parse(text)
  if (!isObject(canvas)) throw new Unreadable('no canvas, whatever its name says')
  const cards = objectsIn(canvas['nodes']).toSorted(
    (a, b) => numberOf(a['y']) - numberOf(b['y']) || numberOf(a['x']) - numberOf(b['x']),
  )
  const names = new Map(cards.map((card) => [stringOf(card['id']), nameOf(card)]))
  const arrows = Map.groupBy(objectsIn(canvas['edges']), (edge) => stringOf(edge['fromNode']))
  const writer = new MarkdownWriter()
  for (const card of cards) {
    const id = stringOf(card['id'])
    writer.anchor(`card=${id}`)
    switch (card['type']) {
      case 'group':
        writer.heading(2, plainLine(stringOf(card['label'])))
        break
      case 'file':
      case 'link':
        writer.paragraph(nameOf(card))
        break
      default:
        writer.paragraph(stringOf(card['text']))
    }
    for (const edge of arrows.get(id) ?? []) {
      const to = names.get(stringOf(edge['toNode']))
      if (!to) continue
      const label = plainLine(stringOf(edge['label']))
      writer.item(0, `→ ${label === '' ? '' : `${label}: `}${to}`)
    }
  }
  return { blocks: writer.blocks() }
}

function nameOf(card: Readonly<Record<string, unknown>>): string {
  if (card['type'] === 'file') return `[[${stringOf(card['file'])}${stringOf(card['subpath'])}]]`
  if (card['type'] === 'link') return `<${stringOf(card['url']).replaceAll(/[<>\s]/g, '')}>`
  const [line = ''] = (stringOf(card['text']) || stringOf(card['label'])).trim().split('\n')
  return plainLine(line.replace(/^#+\s*/, '').slice(0, 80))
}

function objectsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
