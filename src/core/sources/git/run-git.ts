/**
 * Sandboxed git: the one place that runs it. A repository's configuration can name programs for
 * almost anything (signatures, remotes of a partial clone, file system monitors, aliases, hooks), so
 * git never sees it: it works in an empty repository of our own, and only borrows the objects.
 * Without a remote nothing can be fetched, without a work tree no attributes, filters or ignore
 * files are read. The variables say the same again to every version that knows them.
 */
import { spawn } from 'node:child_process'
import { lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FoundRepository } from './find-repository.ts'

export interface GitRun {
  /** A commit; its length tells how the repository names objects. */
  readonly head: string
  readonly args: readonly string[]
  /** However long the history is, nobody waits longer than this. */
  readonly longestMs: number
  /** Gets field after field, which NUL separates, until it says that this is enough. */
  readonly take: (field: string) => boolean
}

/** Where git is missing or fails, nothing is handed over, or no more. */
export async function runGit(
  repository: FoundRepository,
  { head, args, longestMs, take }: GitRun,
): Promise<void> {
  await besideRepository(repository, head, (own, borrowed) =>
    walk(spawnGit(own, args, borrowed), longestMs, take),
  )
}

export interface GitReading extends Omit<GitRun, 'take'> {
  /** What it reads from standard input. */
  readonly input: string
  readonly mostBytes: number
}

/** All that git says, byte for byte; undefined where it fails, takes too long or says too much. */
export async function readFromGit(
  repository: FoundRepository,
  { head, args, longestMs, input, mostBytes }: GitReading,
): Promise<Buffer | undefined> {
  return besideRepository(repository, head, (own, borrowed) => {
    const child = spawnGit(own, args, borrowed, 'pipe')
    // One that ends before it has read everything says so by what it wrote.
    child.stdin!.on('error', () => {})
    child.stdin!.end(input)
    return collect(child, longestMs, mostBytes)
  })
}

async function besideRepository<Result>(
  repository: FoundRepository,
  head: string,
  work: (own: string, borrowed: Record<string, string>) => Promise<Result>,
): Promise<Result | undefined> {
  let own: string | undefined
  try {
    own = mkdtempSync(join(tmpdir(), 'cairn-git-'))
    writeEmptyRepository(own, head)
    return await work(own, borrowing(repository))
  } catch {
    // No room for temporary files: times are missing, as without git.
    return undefined
  } finally {
    if (own !== undefined) rmSync(own, { recursive: true, force: true })
  }
}

function writeEmptyRepository(own: string, head: string): void {
  const sha256 = head.length === 64 ? '[extensions]\n\tobjectFormat = sha256\n' : ''
  const hooks = 'hooksPath = hooks\n\tfsmonitor = false\n'
  mkdirSync(join(own, 'refs'))
  writeFileSync(join(own, 'HEAD'), 'ref: refs/heads/none\n')
  writeFileSync(
    join(own, 'config'),
    `[core]\n\trepositoryFormatVersion = 1\n\tbare = true\n\t${hooks}${sha256}`,
  )
}

function borrowing({ common }: FoundRepository): Record<string, string> {
  const shallow = join(common, 'shallow')
  const isShallow = lstatSync(shallow, { throwIfNoEntry: false })?.isFile()
  return {
    GIT_OBJECT_DIRECTORY: join(common, 'objects'),
    ...(isShallow && { GIT_SHALLOW_FILE: shallow }),
  }
}

/** In a folder of our own: a relative entry of PATH, and Windows in any case, looks there. */
function spawnGit(
  own: string,
  args: readonly string[],
  borrowed: Record<string, string>,
  input: 'ignore' | 'pipe' = 'ignore',
) {
  const safe = ['-c', 'safe.bareRepository=explicit', '-c', 'log.showSignature=false']
  return spawn('git', [`--git-dir=${own}`, '--no-pager', ...safe, ...args], {
    cwd: own,
    stdio: [input, 'pipe', 'ignore'],
    env: { ...environment(), ...borrowed },
    windowsHide: true,
  })
}

/** What the machine needs to start a program, and no setting for git but these. */
function environment(): Record<string, string | undefined> {
  const kept = Object.entries(process.env).filter(([name]) => !/^(?:GIT_|SSH_)/i.test(name))
  return {
    ...Object.fromEntries(kept),
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
  }
}

/** No file that is served has a longer name; a repository may have one of a gigabyte in a few bytes. */
const LONGEST_FIELD = 64 * 1024

function walk(
  child: ReturnType<typeof spawnGit>,
  longestMs: number,
  take: (field: string) => boolean,
): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill(), longestMs)
    let rest = ''
    let enough = false
    child.stdout!.setEncoding('utf8')
    child.stdout!.on('data', (data: string) => {
      if (enough) return
      const fields = (rest + data).split('\0')
      rest = fields.pop() ?? ''
      enough = fields.some((field) => !take(field)) || rest.length > LONGEST_FIELD
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

function collect(
  child: ReturnType<typeof spawnGit>,
  longestMs: number,
  mostBytes: number,
): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill(), longestMs)
    const parts: Buffer[] = []
    let size = 0
    child.stdout!.on('data', (data: Buffer) => {
      size += data.length
      if (size > mostBytes) child.kill()
      else parts.push(data)
    })
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve(code === 0 && size <= mostBytes ? Buffer.concat(parts) : undefined)
    })
    child.on('error', () => {
      clearTimeout(timer)
      resolve(undefined)
    })
  })
}
