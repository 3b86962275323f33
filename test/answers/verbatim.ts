/** Looks into the files: does a quote stand there, at the lines that are named and no others? */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface NativeCitation {
  readonly id: string
  readonly title: string
  readonly heading?: string
  readonly lines: string
  readonly quote: string
  readonly digest: string
}

/** Why a citation is wrong, for all that are. `folders` are those of the sources by name. */
export function falseCitations(
  citations: readonly NativeCitation[],
  folders: Readonly<Record<string, string>>,
): string[] {
  return citations.flatMap(({ id, lines, quote }) => {
    const [source = ''] = id.split('/')
    const text = readFileSync(join(folders[source] ?? '', id.slice(source.length + 1)), 'utf8')
    const [first = 0, last = 0] = lines.split('-').map(Number)
    // With their ends, so that a quote over several lines is compared letter for letter.
    const all = text.match(/[^\r\n]*(?:\r\n|\n|\r|$)/g) ?? []
    const has = (from: number, to: number) =>
      all
        .slice(from - 1, to)
        .join('')
        .includes(quote)
    if (quote.trim() === '') return [`${id}:${lines} quotes nothing`]
    if (!has(first, last)) return [`${id}:${lines} does not say ${JSON.stringify(quote)}`]
    const tooMany = has(first + 1, last) || has(first, last - 1)
    return tooMany && last > first ? [`${id}:${lines} names more lines than it needs`] : []
  })
}

export function citationsOf(answer: Record<string, any>): NativeCitation[] {
  return answer['claims'].flatMap(({ citations }: { citations: NativeCitation[] }) => citations)
}
