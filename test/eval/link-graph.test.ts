/**
 * The link graph of real vaults against their true links. Where the two differ, a rule says why, and
 * the rule is checked against the files themselves: with markdown-it and the file system, not with
 * our own parser or resolver.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import createMarkdownIt from 'markdown-it'
import { expect, it, vi } from 'vitest'
import { evaluationSet } from '../evaluation-set.ts'
import { openSmallBaseAt } from '../support/open-small-base.ts'

// More than the usual minute, for a machine that has much else to do.
vi.setConfig({ testTimeout: 300_000 })

/** A link of one document to another, by path. */
interface Edge {
  readonly from: string
  readonly to: string
}

/** A document of the vault, as far as the rules look at it. */
interface Page {
  readonly path: string
  readonly text: string
  /** Targets of Markdown links as CommonMark sees them, decoded, without query and fragment. */
  readonly targets: readonly string[]
}

interface Rule {
  readonly name: string
  holds(edge: Edge, from: Page, to: Page, docs: string): boolean
}

/** Why we have a link that the true graph leaves out. */
const EXTRA: readonly Rule[] = [
  {
    name: 'a note that links to itself has a link',
    holds: ({ from, to }) => from === to,
  },
  {
    name: 'a path that begins with a slash begins at the root',
    holds: ({ to }, { targets }) =>
      targets.some((target) => target.startsWith('/') && namesFile(target.slice(1), to)),
  },
  {
    name: 'a path that leads nowhere from its own folder begins at the root',
    holds: ({ from, to }, { targets }, _to, docs) =>
      targets.some(
        (target) =>
          !/^[./]/.test(target) &&
          namesFile(target, to) &&
          !existsSync(join(docs, dirname(from), target)),
      ),
  },
  {
    name: 'the address of a page ends with the name in its front matter',
    holds: (_edge, { targets }, to) =>
      targets.some((target) => target.startsWith('/') && endsWithPageName(target, to)),
  },
  {
    name: 'an embed is a link',
    holds: (_edge, { text }, to) => wikiTargets(text, '!').some((target) => namesNote(target, to)),
  },
  {
    name: 'double brackets are a link by the name of a file or folder',
    holds: (_edge, { text }, to) => wikiTargets(text, '').some((target) => namesNote(target, to)),
  },
]

/** Why we have no link where the true graph has one. */
const MISSING: readonly Rule[] = [
  {
    name: 'what stands in a comment or in code is no link',
    holds: (_edge, { text, targets }, to) =>
      !targets.some((target) => endsWithPageName(target, to)) &&
      rawTargets(text).some((target) => endsWithPageName(target, to)),
  },
]

it.for(['vault-jzhao', 'vault-mdn'])(
  'the graph of %s is the true one but for what a rule explains',
  async (name, { skip }) => {
    const set = evaluationSet(name)
    if ('missing' in set) return skip(set.missing)
    const docs = join(set.folder, 'docs')
    const ours = await linkGraph(docs)
    const truth = new Set(readFileSync(join(set.folder, 'graph.tsv'), 'utf8').trimEnd().split('\n'))
    const pages = new Map<string, Page>()
    const page = (path: string): Page => {
      if (!pages.has(path)) pages.set(path, readPage(docs, path))
      return pages.get(path)!
    }
    const explain = (edges: readonly string[], rules: readonly Rule[]) => {
      const counts: Record<string, number> = {}
      const unexplained: string[] = []
      for (const line of edges) {
        const [from = '', to = ''] = line.split('\t')
        const rule = rules.find((each) => each.holds({ from, to }, page(from), page(to), docs))
        if (rule) counts[rule.name] = (counts[rule.name] ?? 0) + 1
        else unexplained.push(line)
      }
      return { counts, unexplained }
    }
    const extra = explain(
      [...ours].filter((edge) => !truth.has(edge)),
      EXTRA,
    )
    const missing = explain(
      [...truth].filter((edge) => !ours.has(edge)),
      MISSING,
    )
    console.log(`${name}: ${truth.size} true links, ${ours.size} of ours.`, {
      more: extra.counts,
      fewer: missing.counts,
    })
    expect(extra.unexplained).toEqual([])
    expect(missing.unexplained).toEqual([])
    // A graph that was not read would differ in nothing.
    expect(truth.size).toBeGreaterThan(1_900)
    expect(ours.size).toBeGreaterThanOrEqual(truth.size)
  },
)

/** Every link of the base, as `from<TAB>to`. */
async function linkGraph(docs: string): Promise<Set<string>> {
  const { store, sync } = await openSmallBaseAt(docs)
  await sync()
  const nos = [...(await store.pathOrder())]
  const paths = await store.paths(nos)
  const pathOf = new Map(nos.map((no, index) => [no, paths[index]!.path]))
  const { from, to } = await store.edges()
  return new Set(Array.from(from, (no, edge) => `${pathOf.get(no)}\t${pathOf.get(to[edge]!)}`))
}

const commonmark = createMarkdownIt('commonmark')

function readPage(docs: string, path: string): Page {
  const text = readFileSync(join(docs, path), 'utf8')
  const body = text.replace(/^---\r?\n[^]*?\n---\r?\n/, '')
  const targets = commonmark
    .parse(body, {})
    .flatMap((token) => token.children ?? [])
    .filter(({ type }) => type === 'link_open')
    .map((token) => plainTarget(String(token.attrGet('href') ?? '')))
    .filter((target) => target !== '')
  return { path, text, targets }
}

/** Whatever looks like the target of a link, wherever it stands. */
function rawTargets(text: string): string[] {
  return [...text.matchAll(/\]\(([^()\s]+)\)/g)].map(([, target]) => plainTarget(target!))
}

/** Targets of `[[…]]`, or with a mark of `![[…]]`, outside code. */
function wikiTargets(text: string, mark: '' | '!'): string[] {
  const prose = text.replace(/^ *(```|~~~)[^]*?^ *\1/gm, '').replace(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/(!?)\[\[([^\]|#]+)[^\]]*\]\]/g)]
    .filter(([, found]) => found === mark)
    .map(([, , target]) => target!.trim())
}

/** A wiki target is a path, or the name of a note: of its file, its title or its folder. */
function namesNote(target: string, { path, text }: Page): boolean {
  if (namesFile(target, path)) return true
  const title = /^title: *(.*)$/m.exec(text)?.[1] ?? ''
  const file = posix.basename(path, '.md')
  const names = [file, title, ...(file === 'index' ? [posix.basename(posix.dirname(path))] : [])]
  return names.map(letters).includes(letters(target))
}

function letters(name: string): string {
  return fold(name).replace(/[^\p{L}\p{N}]+/gu, '')
}

function plainTarget(target: string): string {
  const path = target.replace(/[?#].*$/s, '')
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Whether a path means a file: as written, without its extension, or as its folder. */
function namesFile(path: string, file: string): boolean {
  const wanted = fold(posix.normalize(path)).replace(/\/$/, '')
  const whole = fold(file)
  const plain = whole.replace(/\.md$/, '')
  return [whole, plain, plain.replace(/(?:^|\/)_?(?:index|readme)$/, '')].includes(wanted)
}

function endsWithPageName(target: string, { text }: Page): boolean {
  const slug = /^slug: *["']?(.*?)["']? *$/m.exec(text)?.[1]
  return slug !== undefined && `/${fold(target)}`.endsWith(`/${fold(slug)}`)
}

function fold(text: string): string {
  return text.normalize('NFC').toLowerCase()
}
