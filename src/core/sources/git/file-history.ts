/** Version history of files, as git has it: what they held, and which commit brought or took a text. */
import type { Commit, FileHistory, GitVersion, TextInCommit } from '../work-tree.ts'
import { findRepository } from './find-repository.ts'
import type { FoundRepository } from './find-repository.ts'
import { readCommits, walkCommits } from './read-commits.ts'
import { readHead } from './read-head.ts'
import { readFromGit, runGit } from './run-git.ts'

const LONGEST_MS = 5_000
/** No file that is served as text is longer; of many versions, as many as fit are compared. */
const MOST_BYTES = 64 * 1024 * 1024

interface Opened {
  readonly repository: FoundRepository
  readonly head: string
}

export function openFileHistory(root: string): FileHistory {
  const open = (): Opened | undefined => {
    const repository = findRepository(root)
    const head = repository && readHead(repository)
    return repository && head !== undefined ? { repository, head } : undefined
  }
  return {
    commits: (path, page) => readCommits(root, path, page),
    async versionAt(path, wanted) {
      const opened = open()
      if (!opened) return undefined
      const isMeant = (commit: Commit): boolean =>
        'commit' in wanted ? commit.id.startsWith(wanted.commit) : commit.at <= wanted.before
      // Any commit names a state of all files, and a moment the last one that touched this file.
      const place = 'commit' in wanted ? undefined : `${opened.repository.below}${path}`
      const commit = await firstCommit(opened, place, isMeant)
      return commit && { commit, bytes: await contentAt(opened, commit.id, path) }
    },
    async treeAt(before) {
      const opened = open()
      const commit = opened && (await firstCommit(opened, undefined, ({ at }) => at <= before))
      return commit && { commit, files: await filesAt(opened!, commit.id) }
    },
    async contents(ids) {
      const opened = open()
      return opened ? contentsOf(opened, ids) : new Map<string, Buffer>()
    },
    async changesOfText(path, text, options) {
      const opened = open()
      return opened ? changesOfText(opened, path, text, options) : []
    },
  }
}

async function firstCommit(
  { repository, head }: Opened,
  place: string | undefined,
  isMeant: (commit: Commit) => boolean,
): Promise<Commit | undefined> {
  let found: Commit | undefined
  const only = place === undefined ? [] : [place]
  await walkCommits(
    repository,
    { head, args: [head, '--', ...only], longestMs: LONGEST_MS },
    (commit) => {
      if (isMeant(commit)) found = commit
      return found === undefined
    },
  )
  return found
}

/** Undefined where the commit has no such file. */
function contentAt(
  { repository, head }: Opened,
  commit: string,
  path: string,
): Promise<GitVersion['bytes']> {
  const args = ['cat-file', 'blob', `${commit}:${repository.below}${path}`]
  return readFromGit(repository, {
    head,
    args,
    input: '',
    longestMs: LONGEST_MS,
    mostBytes: MOST_BYTES,
  })
}

/** Ids of contents by path below the folder. */
async function filesAt(
  { repository, head }: Opened,
  commit: string,
): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>()
  const { below } = repository
  const take = (field: string): boolean => {
    const [, id, path] = /^100\d{3} blob ([0-9a-f]{40,64})\t(.+)$/s.exec(field) ?? []
    if (id !== undefined && path?.startsWith(below)) files.set(path.slice(below.length), id)
    return true
  }
  const only = below === '' ? [] : ['--', below]
  const args = ['--literal-pathspecs', 'ls-tree', '-r', '-z', '--full-tree', commit, ...only]
  await runGit(repository, { head, args, longestMs: LONGEST_MS, take })
  return files
}

const NOTHING = Buffer.alloc(0)

async function contentsOf(
  { repository, head }: Opened,
  ids: readonly string[],
): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>()
  const wanted = ids.filter((id) => /^[0-9a-f]{40,64}$/.test(id))
  if (wanted.length === 0) return found
  const input = `${wanted.join('\n')}\n`
  const args = ['cat-file', '--batch']
  const reading = { head, args, input, longestMs: LONGEST_MS, mostBytes: MOST_BYTES }
  const all = (await readFromGit(repository, reading)) ?? NOTHING
  for (let at = 0; at < all.length;) {
    const lineEnd = all.indexOf(10, at)
    if (lineEnd < 0) break
    const [id = '', kind, size] = all.toString('latin1', at, lineEnd).split(' ')
    at = lineEnd + 1
    if (kind === 'missing' || size === undefined) continue
    found.set(id, all.subarray(at, at + Number(size)))
    at += Number(size) + 1
  }
  return found
}

/**
 * git's own pickaxe finds the commits in which a text is more or less often in the file than before;
 * what is counted decides, which may leave out what nobody is shown.
 */
async function changesOfText(
  opened: Opened,
  path: string,
  text: string,
  { limit, count }: Parameters<FileHistory['changesOfText']>[2],
): Promise<readonly TextInCommit[]> {
  const exact = await changedBy(opened, path, [`-S${text}`], limit)
  // Somebody has broken the sentence into lines: git takes its time for a pattern.
  const folded = ['--pickaxe-regex', `-S${pattern(text)}`]
  const found =
    exact.length > 0 || !/\s/.test(text) ? exact : await changedBy(opened, path, folded, limit)
  const ids = new Set(found.flatMap(({ before, after }) => [before, after]))
  const contents = await contentsOf(
    opened,
    [...ids].filter((id) => /[^0]/.test(id)),
  )
  return found.flatMap(({ commit, before, after }) => {
    const [had = 0, has = 0] = [before, after].map((id) => {
      const bytes = contents.get(id)
      return bytes && count(bytes)
    })
    return had === has ? [] : [{ commit, brought: has > had }]
  })
}

interface Changed {
  readonly commit: Commit
  readonly before: string
  readonly after: string
}

async function changedBy(
  { repository, head }: Opened,
  path: string,
  search: readonly string[],
  limit: number,
): Promise<readonly Changed[]> {
  const found: Changed[] = []
  let commit: Commit | undefined
  const args = [
    ...search,
    '--raw',
    '--no-abbrev',
    `--max-count=${limit}`,
    head,
    '--',
    `${repository.below}${path}`,
  ]
  const run = { head, args, longestMs: LONGEST_MS }
  await walkCommits(
    repository,
    run,
    (each) => {
      commit = each
      return true
    },
    (field) => {
      const [, before, after] = /^\n?:\d+ \d+ ([0-9a-f]+) ([0-9a-f]+) /.exec(field) ?? []
      if (commit && before !== undefined && after !== undefined)
        found.push({ commit, before, after })
    },
  )
  return found
}

/** The same words with any white space between them, as POSIX writes patterns. */
function pattern(text: string): string {
  const words = text.split(/\s+/).map((word) => word.replaceAll(/[.[\]()*+?{}|^$\\]/g, '\\$&'))
  return words.join('[[:space:]]+')
}
