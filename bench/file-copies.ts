/**
 * An evaluation set of Markdown as files of other kinds, made by pandoc and LibreOffice, and whether
 * what is quoted from them stands where it is said to.
 *
 *     node bench/file-copies.ts make SET OUT           OUT/html, docx, odt, epub, pdf: sets like SET
 *     node bench/file-copies.ts quotes SET OUT/pdf     asks the questions, judges every quote
 *     npx cairn eval OUT/pdf                           ranks as with any set
 *
 * The judge is nobody of ours: `pdftotext` says what is on a page, pandoc what the Markdown of the
 * set has under a heading. Fails below 95 %.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { askQuestion } from '../src/core/operations/answering/ask-question.ts'
import { questionsOf, withBase } from './answering-base.ts'

const AIM = 0.95
const [what, set = '', out = ''] = process.argv.slice(2)

function makeCopies(from: string, to: string): void {
  const docs = join(from, 'docs')
  const paths = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.md'),
  )
  for (const kind of ['html', 'docx', 'odt', 'epub', 'pdf']) {
    for (const path of paths) {
      const source = join(docs, path)
      const target = join(to, kind, 'docs', path.replace(/md$/, kind))
      mkdirSync(dirname(target), { recursive: true })
      if (kind === 'pdf') continue
      const title = /^# (.*)$/m.exec(readFileSync(source, 'utf8'))?.[1] ?? basename(path, '.md')
      const more = kind === 'html' ? ['-s', '--metadata', `pagetitle=${title}`] : []
      const titled = kind === 'epub' ? ['--metadata', `title=${title}`] : more
      execFileSync('pandoc', ['-f', 'gfm', source, '-o', target, ...titled], { stdio: 'ignore' })
    }
    copyFileSync(join(from, 'queries.jsonl'), join(to, kind, 'queries.jsonl'))
    const judged = readFileSync(join(from, 'qrels.tsv'), 'utf8').replaceAll('.md\t', `.${kind}\t`)
    writeFileSync(join(to, kind, 'qrels.tsv'), judged)
  }
  printAsPdf(join(to, 'docx', 'docs'), join(to, 'pdf', 'docs'), paths)
}

/** One start of LibreOffice for a folder of files. */
function printAsPdf(from: string, to: string, paths: readonly string[]): void {
  for (const [folder, group] of Map.groupBy(paths, dirname)) {
    const files = group.map((path) => join(from, path.replace(/md$/, 'docx')))
    const words = ['--headless', '--convert-to', 'pdf', '--outdir', join(to, folder), ...files]
    execFileSync('soffice', words, { stdio: 'ignore' })
  }
}

async function judgeQuotes(from: string, copy: string): Promise<void> {
  const counts = { standing: 0, all: 0, answered: 0 }
  const others: string[] = []
  await withBase(join(copy, 'docs'), async (kb) => {
    for (const { text } of questionsOf(copy).slice(0, 300)) {
      const { claims } = await askQuestion(kb, text)
      if (claims.length > 0) counts.answered++
      for (const { id, headingPath, quote } of claims.flatMap(({ citations }) => citations)) {
        counts.all++
        const path = id.slice(id.indexOf('/') + 1)
        if (placeText(from, copy, path, headingPath).includes(bare(quote))) counts.standing++
        else others.push(`${id} ${headingPath.join(' › ')}: ${JSON.stringify(quote.slice(0, 200))}`)
      }
    }
  })
  if (process.argv.includes('--show')) console.error(others.join('\n'))
  const share = counts.standing / counts.all
  console.log(
    `${counts.standing} of ${counts.all} quotes (${(share * 100).toFixed(1)} %) stand where they are said to; ${counts.answered} questions were answered.`,
  )
  if (!(share >= AIM)) process.exitCode = 1
}

/** What stands on the page that a quote names, or under its heading in the Markdown of the set. */
function placeText(from: string, copy: string, path: string, headings: readonly string[]): string {
  const page = /^page=(\d+)$/.exec(headings.at(-1) ?? '')?.[1]
  if (page !== undefined) {
    const file = join(copy, 'docs', path)
    return bare(run('pdftotext', ['-f', page, '-l', page, '-layout', file, '-']))
  }
  const source = join(from, 'docs', path.replace(extname(path), '.md'))
  const heading = headings.findLast((each) => !/^[a-z]+=/.test(each))
  const found = sections(source)
  // A file without headings goes by its name or its title.
  return (found.size === 1 ? [...found.values()][0]! : (found.get(bare(heading ?? '')) ?? [])).join(
    '',
  )
}

const known = new Map<string, ReadonlyMap<string, readonly string[]>>()

/** Bare texts by bare headings. */
function sections(source: string): ReadonlyMap<string, readonly string[]> {
  const before = known.get(source)
  if (before) return before
  const found = new Map<string, string[]>()
  known.set(source, found)
  const blocks = (JSON.parse(run('pandoc', ['-f', 'gfm', '-t', 'json', source])) as Pandoc).blocks
  let heading = ''
  for (const block of blocks) {
    const text = bare(wordsOf(block))
    if (block.t === 'Header') heading = text
    found.set(heading, [...(found.get(heading) ?? []), text])
  }
  return found
}

interface Pandoc {
  readonly blocks: readonly { readonly t: string; readonly c?: unknown }[]
}

/** All words of a block as pandoc has read it. */
function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(wordsOf).join(' ')
  if (typeof value !== 'object' || value === null) return ''
  const { t, c } = value as { t?: string; c?: unknown }
  // Tags in a text of Markdown are not seen in what is made of it.
  if (t === 'RawInline' || t === 'RawBlock') return ''
  // Of links and code the words, and neither address nor attributes.
  if (t === 'Link' || t === 'Image') return wordsOf((c as unknown[])[1])
  if (t === 'Code' || t === 'CodeBlock') return wordsOf((c as unknown[])[1])
  if (t === 'Header') return wordsOf((c as unknown[])[2])
  return wordsOf(c)
}

function run(program: string, words: readonly string[]): string {
  return execFileSync(program, words, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
}

/** Letters and digits: a line end, a hyphen or a mark of Markdown is no difference. */
function bare(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\[\^[\w-]+\]:?/g, '')
    .replaceAll(/\]\([^()\s]*\)/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

if (what === 'make' && out !== '') makeCopies(resolve(set), resolve(out))
else if (what === 'quotes' && out !== '') await judgeQuotes(resolve(set), resolve(out))
else throw new Error('Write "node bench/file-copies.ts make SET OUT" or "… quotes SET OUT/pdf".')
