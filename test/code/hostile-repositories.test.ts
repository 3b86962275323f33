/**
 * A repository that is served never runs a program and never reaches out: each of these would make
 * plain git do so, with a program that leaves a mark.
 */
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { git } from '../duskmantle/open-duskmantle.ts'
import { endCairn, startCairn } from '../support/cairn-process.ts'
import { openSession } from '../support/stdio-session.ts'
import { temporaryFolder, writeFiles } from '../support/temporary-folder.ts'
import { findRepository } from '../../src/core/sources/git/find-repository.ts'
import { openWorkTree } from '../../src/core/sources/git/open-work-tree.ts'
import { readGitHistory } from '../../src/core/sources/git/read-git-history.ts'
import { runGit } from '../../src/core/sources/git/run-git.ts'

const SOURCES = join(import.meta.dirname, '../../src')
const LONG_AGO = new Date('2020-01-01T00:00:00Z')
const FILES = {
  'package.json': '{"name":"x"}',
  'src/a.py': 'def f():\n    return 1\n',
  'docs/a.md': '# Old page\n\nAbout the handler.\n',
}

/** A place for a repository, and a program beside it that leaves a mark when it is run. */
function scene() {
  const place = temporaryFolder({})
  const mark = join(place, 'mark')
  const program = join(place, 'program.sh')
  writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> '${mark}'\nexit 1\n`)
  chmodSync(program, 0o755)
  return { place, program, ran: () => existsSync(mark) }
}

type Scene = ReturnType<typeof scene>

function commitAll(folder: string, message = 'all'): void {
  git(folder, ['add', '-A', '-f'])
  git(folder, ['commit', '-q', '-m', message], LONG_AGO)
}

function repository({ place }: Scene, name = 'repository'): string {
  const folder = join(place, name)
  writeFiles(folder, FILES)
  git(folder, ['init', '-q'])
  commitAll(folder)
  return folder
}

/** The last commit once more, with something that looks like a signature. */
function sign(folder: string): void {
  const [head, tree] = git(folder, ['rev-parse', 'HEAD', 'HEAD^{tree}']).trim().split('\n')
  const who = `Ada <ada@example.com> ${LONG_AGO.getTime() / 1000} +0000`
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n abcd\n -----END PGP SIGNATURE-----'
  const text = `tree ${tree}\nparent ${head}\nauthor ${who}\ncommitter ${who}\n${signature}\n\nsigned\n`
  const file = join(folder, '.git/signed')
  writeFileSync(file, text)
  const commit = git(folder, ['hash-object', '-t', 'commit', '-w', file]).trim()
  git(folder, ['reset', '-q', '--hard', commit])
}

const verifying = (program: string): string =>
  `[log]\n\tshowSignature = true\n[gpg]\n\tprogram = ${program}\n[gpg "ssh"]\n\tprogram = ${program}\n`

/** Every other setting that names a program, as far as one knows. */
const naming = (program: string): string => `[core]
	fsmonitor = ${program}
	hooksPath = ${program}-hooks
	sshCommand = ${program}
	gitProxy = ${program}
	pager = ${program}
	editor = ${program}
	askPass = ${program}
	alternateRefsCommand = ${program}
[pager]
	log = ${program}
[alias]
	log = !${program}
	rev-parse = !${program}
[diff]
	external = ${program}
[diff "x"]
	command = ${program}
	textconv = ${program}
[filter "x"]
	clean = ${program}
	smudge = ${program}
	process = ${program}
[credential]
	helper = !${program}
[uploadpack]
	packObjectsHook = ${program}
`

interface Trick {
  /** Makes the repository and returns the folder that is served. */
  make(scene: Scene): string
  readonly env?: (scene: Scene, folder: string) => Record<string, string>
  /** Where the history that is needed is missing, there are no times to be had. */
  readonly timeless?: boolean
}

const TRICKS: Readonly<Record<string, Trick>> = {
  'no trick at all': { make: repository },
  'a signature, and the program to verify it': {
    make: (at) => {
      const folder = repository(at)
      sign(folder)
      appendFileSync(join(folder, '.git/config'), verifying(at.program))
      return folder
    },
  },
  'the same in a file that the configuration includes': {
    make: (at) => {
      const folder = repository(at)
      sign(folder)
      writeFileSync(join(at.place, 'more'), verifying(at.program))
      appendFileSync(join(folder, '.git/config'), `[include]\n\tpath = ${at.place}/more\n`)
      return folder
    },
  },
  'a folder in a clone that looks like a repository': {
    make: (at) => {
      const origin = repository(at, 'origin')
      const inner = join(origin, 'inner')
      writeFiles(inner, FILES)
      const signed = repository(at, 'signed')
      sign(signed)
      for (const name of ['objects', 'refs', 'HEAD']) {
        cpSync(join(signed, '.git', name), join(inner, name), { recursive: true })
      }
      const core = '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n'
      writeFileSync(join(inner, 'config'), core + verifying(at.program))
      commitAll(origin)
      git(at.place, ['clone', '-q', 'origin', 'clone'])
      return join(at.place, 'clone/inner')
    },
  },
  'a partial clone that fetches with a program': {
    timeless: true,
    make: (at) => {
      const origin = repository(at, 'origin')
      writeFileSync(join(origin, 'docs/a.md'), '# Newer page\n')
      commitAll(origin)
      git(origin, ['config', 'uploadpack.allowFilter', 'true'])
      const folder = join(at.place, 'clone')
      git(at.place, ['clone', '-q', '--filter=tree:0', `file://${origin}`, folder])
      git(folder, ['config', 'remote.origin.uploadpack', at.program])
      return folder
    },
  },
  'programs for all else, and hooks': {
    make: (at) => {
      const folder = repository(at)
      writeFileSync(join(folder, '.gitattributes'), '* diff=x filter=x\n')
      commitAll(folder)
      const hooks = ['post-index-change', 'reference-transaction', 'post-checkout', 'pre-auto-gc']
      for (const parent of [join(folder, '.git/hooks'), `${at.program}-hooks`]) {
        mkdirSync(parent, { recursive: true })
        for (const hook of hooks) cpSync(at.program, join(parent, hook))
      }
      appendFileSync(join(folder, '.git/config'), naming(at.program))
      return folder
    },
  },
  'a file that leads to a folder elsewhere': {
    timeless: true,
    make: (at) => {
      const folder = join(at.place, 'unpacked')
      writeFiles(folder, FILES)
      const other = repository(at)
      sign(other)
      appendFileSync(join(other, '.git/config'), verifying(at.program))
      writeFileSync(join(folder, '.git'), `gitdir: ${other}/.git\n`)
      return folder
    },
  },
  'variables that tell git what to do': {
    make: (at) => {
      const folder = repository(at)
      sign(folder)
      return folder
    },
    env: ({ program }) => ({
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_0: 'log.showSignature',
      GIT_CONFIG_VALUE_0: 'true',
      GIT_CONFIG_KEY_1: 'gpg.program',
      GIT_CONFIG_VALUE_1: program,
      GIT_EXTERNAL_DIFF: program,
      GIT_SSH_COMMAND: program,
    }),
  },
  'a program of that name beside the files': {
    make: (at) => {
      const folder = repository(at)
      cpSync(at.program, join(folder, 'git'))
      return folder
    },
    env: () => ({ PATH: `.${delimiter}${process.env['PATH']}` }),
  },
}

describe.each(Object.entries(TRICKS))('%s', (_, { make, env, timeless }) => {
  it('runs nothing, and tells when pages were committed', async () => {
    const at = scene()
    const folder = make(at)
    const session = await openSession(
      [`n=${folder}`, '--surface', 'native', '--surface', 'duskmantle'],
      { env: { KM_AUTH_ENABLED: 'false', ...env?.(at, folder) } },
    )
    await session.caughtUp()
    const { summary } = await session.call('insights', { report: 'lifecycle' })
    expect(summary.stale_documents).toBe(timeless ? 0 : 1)
    expect(at.ran()).toBe(false)

    const found = await session.call('km-search', { query: 'handler page' })
    expect(found['results'].length).toBeGreaterThan(0)
    expect(at.ran()).toBe(false)
    await endCairn(session)

    const command = startCairn(['insights', 'lifecycle', '--json', '-f', folder], {
      env: env?.(at, folder),
    })
    expect((await command.ended).code, command.stderr()).toBe(0)
    expect(JSON.parse(command.stdout()).summary.stale_documents).toBe(timeless ? 0 : 1)
    expect(at.ran()).toBe(false)
  })
})

it('runs git in one place', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  const running = files.filter(
    (file) =>
      /(?<!\.test)\.tsx?$/.test(file) &&
      /(?:spawn|exec|fork)\w*\(\s*['"`]git\b/.test(readFileSync(join(SOURCES, file), 'utf8')),
  )
  expect(running).toEqual([join('core', 'sources', 'git', 'run-git.ts')])
})

describe('times', () => {
  const paths = new Set(['docs/a.md'])
  const isDated = async (folder: string): Promise<boolean> =>
    (await readGitHistory(folder, { paths }))?.stamps.get('docs/a.md')?.committedAt ===
    LONG_AGO.getTime()

  it('are known in a clone without blobs, which are not needed', async () => {
    const at = scene()
    const origin = repository(at, 'origin')
    git(origin, ['config', 'uploadpack.allowFilter', 'true'])
    const folder = join(at.place, 'clone')
    git(at.place, ['clone', '-q', '--filter=blob:none', `file://${origin}`, folder])
    git(folder, ['config', 'remote.origin.uploadpack', at.program])
    expect(await isDated(folder)).toBe(true)
    expect(at.ran()).toBe(false)
  })

  it('are known in a linked work tree, a submodule and where branches are packed', async () => {
    const at = scene()
    const folder = repository(at)
    git(folder, ['worktree', 'add', '-q', '../linked', '-b', 'other'])
    expect(await isDated(join(at.place, 'linked'))).toBe(true)
    const above = repository(at, 'above')
    git(above, ['-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', folder, 'part'])
    expect(await isDated(join(above, 'part'))).toBe(true)
    git(folder, ['pack-refs', '--all'])
    expect(existsSync(join(folder, '.git/refs/heads/other'))).toBe(false)
    expect(await isDated(folder)).toBe(true)
    expect(await isDated(join(at.place, 'linked'))).toBe(true)
    git(folder, ['checkout', '-q', '--detach'])
    expect(await isDated(folder)).toBe(true)
  })

  it('are known where names of objects are long, and where another clone lends them', async () => {
    const at = scene()
    const folder = join(at.place, 'long')
    writeFiles(folder, FILES)
    git(folder, ['init', '-q', '--object-format=sha256'])
    commitAll(folder)
    expect(await isDated(folder)).toBe(true)
    git(at.place, ['clone', '-q', '--shared', repository(at), 'borrower'])
    const borrower = join(at.place, 'borrower')
    expect(await isDated(borrower)).toBe(true)
    // One that stands on another machine is not looked at.
    appendFileSync(join(borrower, '.git/objects/info/alternates'), '//server/share/objects\n')
    expect(await isDated(borrower)).toBe(false)
  })

  it('are looked for no further than a name that is longer than any', async () => {
    const folder = repository(scene())
    const at = { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 25 } as const
    const blob = git(folder, ['rev-parse', 'HEAD:package.json']).trim()
    const input = `100644 blob ${blob}\t${'n'.repeat(2 ** 22)}\n`
    const tree = execFileSync('git', ['mktree'], { ...at, input }).trim()
    const commit = git(folder, ['commit-tree', tree, '-p', 'HEAD', '-m', 'long']).trim()
    let longest = 0
    const take = (field: string): boolean => {
      longest = Math.max(longest, field.length)
      return true
    }
    const args = ['log', '-z', '--format=%H', '--name-only', commit]
    const found = findRepository(folder)!
    await runGit(found, { head: commit, args, longestMs: 60_000, take })
    expect(longest).toBeGreaterThan(0)
    expect(longest).toBeLessThan(2 ** 18)
  })

  it('are not waited for where a pipe stands in for a file', async () => {
    const at = scene()
    const folder = join(at.place, 'unpacked')
    writeFiles(folder, FILES)
    execFileSync('mkfifo', [join(folder, '.git')])
    expect(openWorkTree(folder).stamp([])).toBe('')
    expect(await isDated(folder)).toBe(false)
  })
})
