/** Who changed a file, when and why, as git has it: newest first, a page at a time. */
import { named, withoutSecrets } from '../../domain/secrets.ts'
import { cutText } from '../../kit/cut-text.ts'
import type { Commit } from '../work-tree.ts'
import { findRepository } from './find-repository.ts'
import type { FoundRepository } from './find-repository.ts'
import { readHead } from './read-head.ts'
import { runGit } from './run-git.ts'
import type { GitRun } from './run-git.ts'

export interface CommitPage {
  readonly skip: number
  readonly limit: number
  /** However long the history is, nobody waits longer than this. */
  readonly longestMs?: number
}

const LONGEST_MS = 5_000

/** Everybody can commit under any name, and with a message of a megabyte. */
const LONGEST_NAME = 120
const LONGEST_MESSAGE = 300
const MOST_READ = 4_000

const LOG = ['--literal-pathspecs', 'log', '-z', '--format=%H%x01%at%x01%an%x01%s', '--no-renames']
const PLAIN = ['--no-show-signature', '--no-ext-diff', '--no-textconv', '--no-notes', '--no-color']

/** None outside of a repository. `path` is below `root`; what it was called before a move is not known. */
export async function readCommits(
  root: string,
  path: string,
  { skip, limit, longestMs = LONGEST_MS }: CommitPage,
): Promise<readonly Commit[]> {
  const repository = findRepository(root)
  const head = repository && readHead(repository)
  if (!repository || head === undefined || limit < 1) return []
  const commits: Commit[] = []
  const page = [`--skip=${skip}`, `--max-count=${limit}`]
  const args = [...page, head, '--', `${repository.below}${path}`]
  await walkCommits(repository, { head, args, longestMs }, (commit) => {
    commits.push(commit)
    return commits.length < limit
  })
  return commits
}

/** Commit after commit, until `visit` has enough; `others` gets what git was told to say besides. */
export async function walkCommits(
  repository: FoundRepository,
  { head, args, longestMs }: Omit<GitRun, 'take'>,
  visit: (commit: Commit) => boolean,
  others: (field: string) => void = () => {},
): Promise<void> {
  const take = (field: string): boolean => {
    const [id = '', at, author = '', message = ''] = field.replace(/^\n/, '').split('\u0001')
    if (!/^[0-9a-f]{40,64}$/.test(id) || !/^\d{1,15}$/.test(at ?? '')) {
      others(field)
      return true
    }
    return visit({
      id,
      at: Number(at) * 1_000,
      author: cleaned(author, LONGEST_NAME),
      message: cleaned(message, LONGEST_MESSAGE),
    })
  }
  await runGit(repository, { head, args: [...LOG, ...PLAIN, ...args], longestMs, take })
}

/** A message may hold a password as a note may, and signs that move the cursor of a terminal. */
function cleaned(text: string, longest: number): string {
  const plain = text.slice(0, MOST_READ).replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
  return cutText(named(withoutSecrets(plain)), longest)
}
