/**
 * When was each file last committed? One walk of the log answers for all of them, newest commit
 * first, and stops when every file has been met. Without git, nobody knows.
 */
import type { GitHistory, GitStamp } from '../work-tree.ts'
import { findRepository } from './find-repository.ts'
import { readHead } from './read-head.ts'
import { runGit } from './run-git.ts'

export interface GitOptions {
  /** The files to look for; the walk ends when all are found. */
  readonly paths: ReadonlySet<string>
  /** However long the history is, nobody waits longer than this. */
  readonly longestMs?: number
}

const LONGEST_MS = 20_000

/** What makes the log tell paths and nothing else, whatever a version of git would do of itself. */
const LOG = ['log', '-z', '--format=%x01%H %ct', '--name-only', '--no-renames']
const PLAIN = ['--no-show-signature', '--no-ext-diff', '--no-textconv', '--no-notes', '--no-color']

/** Undefined outside of a repository. In a shallow clone the oldest commit that is there stands for the rest. */
export async function readGitHistory(
  root: string,
  { paths, longestMs = LONGEST_MS }: GitOptions,
): Promise<GitHistory | undefined> {
  const repository = findRepository(root)
  const head = repository && readHead(repository)
  if (!repository || head === undefined) return undefined
  const stamps = new Map<string, GitStamp>()
  let current: GitStamp | undefined
  const take = (field: string): boolean => {
    const commit = /^\n?\u0001([0-9a-f]{40,64}) (\d+)\n?/.exec(field)
    const rest = commit ? field.slice(commit[0].length) : field
    if (commit) current = { commit: commit[1]!, committedAt: Number(commit[2]) * 1000 }
    const path = rest.replace(/^\n/, '')
    if (path !== '' && current && paths.has(path) && !stamps.has(path)) stamps.set(path, current)
    return stamps.size < paths.size
  }
  const relative = repository.below === '' ? [] : [`--relative=${repository.below}`]
  const args = [...LOG, ...PLAIN, ...relative, head, '--']
  if (paths.size > 0) await runGit(repository, { head, args, longestMs, take })
  return { head, stamps }
}
