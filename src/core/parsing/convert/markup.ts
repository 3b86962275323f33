/** Org and AsciiDoc, line by line: headings, lists, links, code, and no more. */
import type { FileContents, FileReader } from '../../domain/conversion.ts'
import { decodeBytes } from './decode-bytes.ts'
import { plain } from './plain.ts'

export const readOrg: FileReader = (bytes) => {
  const lines = linesIn(bytes)
  const said = (key: string): string | undefined => {
    const found = lines.find((line) => line.toLowerCase().startsWith(`#+${key}:`))
    return found?.slice(key.length + 3).trim() || undefined
  }
  const body = scan(lines, (line, to) => {
    const [, stars, state, heading] =
      /^(\*+)\s+(?:(TODO|DONE|NEXT|WAITING)\s+)?(.*?)(?:\s+:[\w@#%:]+:)?\s*$/.exec(line) ?? []
    if (stars !== undefined)
      return to.text(
        `${'#'.repeat(Math.min(6, stars.length))} ${state ? `${state} ` : ''}${orgText(heading!)}`,
      )
    const [, kind, language = ''] = /^\s*#\+begin_(\w+)\s*([\w+-]*)/i.exec(line) ?? []
    if (kind !== undefined && /^(?:src|example|export)$/i.test(kind))
      return to.code(language, /^\s*#\+end_/i)
    if (/^\s*:(?:PROPERTIES|LOGBOOK):\s*$/.test(line)) return to.skip(/^\s*:END:\s*$/)
    if (/^\s*(?:#\+|# )/.test(line)) return
    if (/^\s*\|[-+]+\|?\s*$/.test(line))
      return to.text(`|${' --- |'.repeat(line.split(/[+|]/).length - 2)}`)
    return to.text(orgText(line.replace(/^(\s*)\+ /, '$1- ')))
  })
  return {
    title: said('title'),
    metadata: {
      author: said('author'),
      created: said('date')
        ?.replaceAll(/[<>[\]]/g, '')
        .slice(0, 10),
    },
    ...body,
  }
}

function orgText(line: string): string {
  return around(line, /\[\[([^\][]{1,1000})\](?:\[([^\][]{1,1000})\])?\]/g, (target, words) => {
    const place = target.replace(/^file:/, '').replace(/::.*$/, '')
    return /^(?:id|elisp|shell|mu4e):/.test(target) ? plain(words ?? target) : link(place, words)
  })
    .replaceAll(/(^|\s)[~=]([^\s~=][^~=]{0,200}?)[~=](?=[\s.,;:!?)]|$)/g, '$1`$2`')
    .replaceAll(/(^|\s)\*([^\s*][^*]{0,200}?)\*(?=[\s.,;:!?)]|$)/g, '$1**$2**')
}

export const readAsciidoc: FileReader = (bytes) => {
  const lines = linesIn(bytes)
  const attribute = (name: string): string | undefined =>
    lines
      .find((line) => line.startsWith(`:${name}:`))
      ?.slice(name.length + 2)
      .trim() || undefined
  const title = lines
    .slice(0, 40)
    .find((line) => /^=\s+\S/.test(line))
    ?.slice(1)
    .trim()
  let language = ''
  const body = scan(lines, (line, to) => {
    const [, signs, heading] = /^(={1,6})\s+(.+?)\s*$/.exec(line) ?? []
    if (signs !== undefined) return to.text(`${'#'.repeat(signs.length)} ${asciidocText(heading!)}`)
    if (/^:[\w!-]+:/.test(line) || /^\/\/(?!\/)/.test(line)) return
    const [, named] = /^\[source(?:%\w+)?(?:,\s*([\w+-]+))?.*\]$/.exec(line) ?? []
    if (/^\[.*\]$/.test(line) && !line.startsWith('[[')) {
      language = named ?? ''
      return
    }
    if (/^\[\[[^\]]+\]\]$/.test(line)) return
    if (/^-{4,}$|^\.{4,}$/.test(line)) {
      const begun = language
      language = ''
      return to.code(begun, new RegExp(`^\\${line[0]}{4,}$`))
    }
    if (line.startsWith('////')) return to.skip(/^\/{4,}$/)
    if (line.startsWith('|===') || /^[=*_]{4,}$/.test(line)) return
    const [, marks, item] = /^\s*([*.-]{1,5})\s+(.+)$/.exec(line) ?? []
    if (marks !== undefined) {
      return to.text(
        `${'  '.repeat(marks.length - 1)}${marks.startsWith('.') ? '1.' : '-'} ${asciidocText(item!)}`,
      )
    }
    return to.text(asciidocText(line))
  })
  return {
    title,
    metadata: {
      author: attribute('author'),
      description: attribute('description'),
      created: attribute('revdate'),
    },
    ...body,
  }
}

function asciidocText(line: string): string {
  const cross = around(line, /<<([^,<>]{1,500})(?:,([^<>]{1,500}))?>>/g, (target, words) => {
    const [file = '', fragment] = target.split('#')
    return /\.\w+$/.test(file) ? link(target, words) : plain(words ?? fragment ?? file)
  })
  return cross.replaceAll(
    /\b(?:xref:|link:)?((?:https?:\/\/|[\w./-]+\.(?:adoc|html?|md|pdf))[^\s[\]]{0,500})\[([^\]]{0,500})\]/g,
    (_, target: string, words: string) => link(target, words.split(',')[0] || undefined),
  )
}

function linesIn(bytes: Uint8Array): readonly string[] {
  return decodeBytes(bytes)
    .replace(/^\uFEFF/, '')
    .split(/\r\n?|\n/)
}

interface Output {
  text(line: string): void
  /** What follows up to a line is code. */
  code(language: string, end: RegExp): void
  skip(end: RegExp): void
}

/** A longer line is no heading and no item, and looking for them in it takes long. */
const LONGEST_LINE = 4_000

function scan(
  lines: readonly string[],
  onLine: (line: string, to: Output) => void,
): Pick<FileContents, 'blocks'> {
  const written: string[] = []
  let until: { readonly end: RegExp; readonly shown: boolean } | undefined
  const output: Output = {
    text: (line) => void written.push(line),
    code(language, end) {
      written.push(`\`\`\`${language.trim()}`)
      until = { end, shown: true }
    },
    skip: (end) => void (until = { end, shown: false }),
  }
  for (const line of lines) {
    if (until) {
      if (until.end.test(line)) {
        if (until.shown) written.push('```')
        until = undefined
      } else if (until.shown) written.push(line)
      continue
    }
    if (line.length > LONGEST_LINE) output.text(plain(line))
    else onLine(line, output)
  }
  if (until?.shown) written.push('```')
  return { blocks: [{ text: written.join('\n') }] }
}

function link(target: string, words?: string): string {
  const text = (words ?? target).trim()
  if (/[[\]]/.test(text) || target === '') return plain(text)
  return `[${text}](${target.trim().replaceAll(/[\s()<>]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)})`
}

/** Text as it is, with links in their places. */
function around(
  line: string,
  pattern: RegExp,
  make: (first: string, second: string | undefined) => string,
): string {
  let text = ''
  let at = 0
  for (const match of line.matchAll(pattern)) {
    text += plain(line.slice(at, match.index)) + make(match[1]!, match[2])
    at = match.index + match[0].length
  }
  return text + plain(line.slice(at))
}
