/**
 * When was each file last committed? One walk of the log answers for all of them, newest commit
 * first, and stops when every file has been met. Without git, or outside of it, nobody knows.
 */
import { spawn } from 'node:child_process'
import type { GitHistory, GitStamp } from '../work-tree.ts'

export interface GitOptions {
  /** The files to look for; the walk ends when all are found. */
  readonly paths: ReadonlySet<string>
  /** However long the history is, nobody waits longer than this. */
  readonly longestMs?: number
}

const LONGEST_MS = 20_000

/** The commit that is checked out; undefined without git and before the first commit. */
export async function readGitHead(root: string): Promise<string | undefined> {
  const head = (await run(root, ['rev-parse', '--verify', 'HEAD'], LONGEST_MS)).trim()
  return /^[0-9a-f]{40,64}$/.test(head) ? head : undefined
}

/** Undefined without git. In a shallow clone the oldest commit that is there stands for the rest. */
export async function readGitHistory(
  root: string,
  { paths, longestMs = LONGEST_MS }: GitOptions,
): Promise<GitHistory | undefined> {
  const head = await readGitHead(root)
  if (head === undefined) return undefined
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
  const log = ['log', '-z', '--format=%x01%H %ct', '--name-only', '--no-renames', '--relative']
  if (paths.size > 0) await walk(root, log, longestMs, take)
  return { head, stamps }
}

/** The user's hooks, pagers and aliases have no say in what we read. */
function git(root: string, args: readonly string[]) {
  return spawn('git', ['-c', 'core.quotePath=false', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, GIT_OPTIONAL_LOCKS: '0', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0' },
    windowsHide: true,
  })
}

async function run(root: string, args: readonly string[], longestMs: number): Promise<string> {
  let text = ''
  await walk(root, args, longestMs, (field) => {
    text += field
    return text.length < 10_000
  })
  return text
}

/** Hands over field after field, which NUL separates, until told that it is enough. */
function walk(
  root: string,
  args: readonly string[],
  longestMs: number,
  take: (field: string) => boolean,
): Promise<void> {
  return new Promise((resolve) => {
    const child = git(root, args)
    const timer = setTimeout(() => child.kill(), longestMs)
    let rest = ''
    let enough = false
    child.stdout.setEncoding('utf8')
    child.stdout.on('data', (data: string) => {
      if (enough) return
      const fields = (rest + data).split('\0')
      rest = fields.pop() ?? ''
      enough = fields.some((field) => !take(field))
      if (enough) child.kill()
    })
    const end = (): void => {
      clearTimeout(timer)
      if (!enough && rest !== '') take(rest)
      resolve()
    }
    child.on('close', end)
    // Without git there is nothing to walk.
    child.on('error', end)
  })
}
