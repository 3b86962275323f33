/** Jupyter notebooks: Markdown as it is written, code as code, and what it put out in short. */
import { Unreadable } from '../../domain/conversion.ts'
import type { FileReader } from '../../domain/conversion.ts'
import { isObject } from '../../kit/is-object.ts'
import { cutText } from '../../kit/cut-text.ts'
import { decodeBytes } from './decode-bytes.ts'
import { MarkdownWriter } from './markdown-writer.ts'

/** Letters of an output: what a cell prints is mostly long, and seldom what is looked for. */
const LONGEST_OUTPUT = 1_000

export const readNotebook: FileReader = (bytes) => {
  const notebook: unknown = JSON.parse(decodeBytes(bytes))
  if (!isObject(notebook) || !Array.isArray(notebook['cells'])) {
    throw new Unreadable('no notebook of version 4, whatever its name says')
  }
  const { metadata } = notebook
  const kernel = isObject(metadata)
    ? (metadata['language_info'] ?? metadata['kernelspec'])
    : undefined
  const language = isObject(kernel) ? textOf(kernel['name']).replace(/\d+$/, '') : ''
  const writer = new MarkdownWriter()
  for (const [index, cell] of notebook['cells'].entries()) {
    if (!isObject(cell)) continue
    const source = textOf(cell['source'])
    if (source.trim() === '') continue
    writer.anchor(`cell=${index + 1}`)
    if (cell['cell_type'] === 'markdown') writer.paragraph(withoutPictures(source))
    else writer.code(source, cell['cell_type'] === 'code' ? language : '')
    const outputs: unknown = cell['outputs']
    for (const output of Array.isArray(outputs) ? outputs : []) {
      const text = outputOf(output)
      if (text !== '') writer.code(cutText(text, LONGEST_OUTPUT), 'text')
    }
  }
  return { metadata: { language }, blocks: writer.blocks() }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.filter((line) => typeof line === 'string').join('') : ''
}

function outputOf(output: unknown): string {
  if (!isObject(output)) return ''
  const { data } = output
  if (output['output_type'] === 'error')
    return `${textOf(output['ename'])}: ${textOf(output['evalue'])}`
  return (textOf(output['text']) || (isObject(data) ? textOf(data['text/plain']) : '')).trim()
}

/** Pictures are in the text, as letters. */
function withoutPictures(source: string): string {
  return source.replaceAll(/\(data:[^()\s]{200,}\)/g, '()')
}
