/** Manners of a command in a shell: where one stands, pipes, paths, completion, every example. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { allCommands } from '../../src/serve/cli/commands.ts'
import { app } from '../../src/serve/cli/plug-in.ts'
import { CAIRN, cleanEnvironment, copyHandbook, ROOT } from '../support/cairn-process.ts'
import { runCairn } from '../support/run-cairn.ts'
import { startPglite } from '../support/pglite-server.ts'
import { temporaryFolder, writeFiles } from '../support/temporary-folder.ts'

const COMMANDS = (await allCommands(app)).filter(({ hidden }) => !hidden)

/** Folders that several tests share. */
const lasting: string[] = []
afterAll(() => lasting.forEach((path) => rmSync(path, { recursive: true, force: true })))

function lastingFolder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-shell-')))
  lasting.push(path)
  return path
}

let vault: string
let bin: string

beforeAll(() => {
  bin = lastingFolder()
  // What is printed says "cairn": here it is.
  writeFileSync(join(bin, 'cairn'), `#!/bin/sh\nexec '${process.execPath}' '${CAIRN}' "$@"\n`, {
    mode: 0o755,
  })
})

function shell(
  line: string,
  { cwd = vault, input = '', more = {} as Record<string, string> } = {},
) {
  const env = { ...cleanEnvironment(more), PATH: `${bin}:${process.env['PATH']}` }
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line], {
    cwd,
    env,
    input,
    encoding: 'utf8',
    // What waits for ever must not keep the whole suite waiting.
    timeout: 390_000,
  })
  return { code: status, out: stdout, err: stderr }
}

/** What no shell has a part in, in this process: words instead of a line. */
async function cairn(words: string | readonly string[], cwd = vault) {
  return runCairn(cwd, ...(typeof words === 'string' ? words.split(' ') : words))
}

describe('in a vault', () => {
  beforeAll(() => {
    vault = join(lastingFolder(), 'handbook')
    copyHandbook(vault)
    expect(shell('cairn init --yes', { more: { HOME: lastingFolder() } }).code).toBe(0)
  })

  it('finds the base where one stands, and shows paths that open', () => {
    const { code, out } = shell('cairn search roll back a release', {
      cwd: join(vault, 'runbooks'),
    })
    expect(code).toBe(0)
    expect(out).toMatch(/^ 1\. Roll back a release\n    roll-back-a-release\.md:\d+ · /)
    const paths = shell('cairn search roll back a release -l -n 3').out.trim().split('\n')
    expect(paths[0]).toBe('runbooks/roll-back-a-release.md')
    for (const path of paths) expect(readFileSync(join(vault, path), 'utf8')).not.toBe('')
  })

  it('takes documents by path, from anywhere', () => {
    const whole = readFileSync(join(vault, 'glossary.md'), 'utf8')
    const below = { cwd: join(vault, 'runbooks') }
    for (const name of ['./glossary.md', `'${vault}/glossary.md'`, 'glossary.md', 'Glossary']) {
      expect(shell(`cairn fetch ${name}`).out).toBe(whole)
    }
    expect(shell('cairn fetch ../glossary.md', below).out).toBe(whole)
    expect(shell('cairn open ./glossary.md --print').out).toBe(`${vault}/glossary.md\n`)
    expect(shell('cairn open ./glossary.md:7', { more: { EDITOR: 'echo' } }).out).toBe(
      `+7 ${vault}/glossary.md\n`,
    )
    expect(shell('cairn backlinks ./glossary.md').out).toMatch(/^<- +index\.md +Driftline/m)
    expect(shell('cairn path ./index.md ./glossary.md').out).toContain('glossary.md')
  })

  it('refuses what is piped in and is no UTF-8, instead of writing something else', () => {
    const before = readFileSync(join(vault, 'glossary.md'))
    const refused = shell("printf 'caf\\351\\n' | cairn write append glossary -")
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('not UTF-8') })
    expect(readFileSync(join(vault, 'glossary.md'))).toEqual(before)
  })

  it('reads content from standard input, and prints an undo that works', () => {
    const file = join(vault, 'glossary.md')
    const before = readFileSync(file, 'utf8')
    const added = shell('cairn write append ./glossary.md -', { input: 'From the pipe.\n' })
    expect(added.code).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe(`${before}\nFrom the pipe.\n`)
    const undo = /undo with: (.*)\n/.exec(added.err)![1]!
    expect(shell(undo)).toMatchObject({ code: 0 })
    expect(readFileSync(file, 'utf8')).toBe(before)
    shell('cairn write append glossary --content -', { input: 'Again.\n' })
    expect(readFileSync(file, 'utf8')).toBe(`${before}\nAgain.\n`)
    // From somewhere else, the hint names the base.
    const elsewhere = temporaryFolder()
    const there = shell(`cairn write prepend Glossary "First." --folder '${vault}'`, {
      cwd: elsewhere,
    })
    const hint = /undo with: (.*)\n/.exec(there.err)![1]!
    expect(shell(hint, { cwd: elsewhere })).toMatchObject({ code: 0 })
    expect(readFileSync(file, 'utf8')).toBe(`${before}\nAgain.\n`)
    expect(shell('cairn history ./glossary.md --since 1h').out.split('\n').length).toBeGreaterThan(
      4,
    )
  })

  it('takes what is piped in where a text is missing, and nothing where none is needed', () => {
    const made = shell('cairn write create piped.md', { input: 'From the pipe.\n' })
    expect(made.code).toBe(0)
    expect(readFileSync(join(vault, 'piped.md'), 'utf8')).toBe('From the pipe.\n')
    expect(shell('cairn delete piped', { input: 'y\n' }).code).toBe(0)
    expect(shell('cairn write create piped.md').err).toContain('needs --content')
  })

  it('shows the line of the hit, lines as they are written, and paths to scripts', () => {
    const { out } = shell('cairn search "canary harbour-of-tests" -n 1')
    expect(out.split('\n')).toContain('    ./ops release activate latest')
    const [, path, line] = /^ {4}(runbooks\/\S+):(\d+) /m.exec(out)!
    const written = readFileSync(join(vault, path!), 'utf8').split('\n')
    expect(written[Number(line) - 1]).toContain('canary')
    const { results } = JSON.parse(shell('cairn search "canary harbour-of-tests" --json').out)
    expect(results[0].path).toBe(join(vault, 'runbooks/release.md'))
    expect(JSON.parse(shell('cairn list -n 1 --json').out).items[0].path).toMatch(/\.md$/)
  })

  it('turns pages', async () => {
    const first = await cairn('search release -l -n 3 --page 1')
    const second = await cairn('search release -l -n 3 --page 2')
    const both = `${first.out}${second.out}`.trim().split('\n')
    expect(both).toEqual((await cairn('search release -l -n 6')).out.trim().split('\n'))
    expect(second.err).toContain('cairn search release -l -n 3 --page 3')
    expect(await cairn('list --page 99')).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no page'),
    })
  })

  it('picks as many at random as were asked for', async () => {
    const picked = JSON.parse((await cairn('insights random -n 3 --json')).out).items
    expect(new Set(picked.map(({ id }: { id: string }) => id)).size).toBe(3)
  })

  it('names the base before it is changed from outside', () => {
    const home = lastingFolder()
    const other = join(lastingFolder(), 'other')
    copyHandbook(other)
    expect(shell(`cairn init --yes '${other}'`, { more: { HOME: home } }).code).toBe(0)
    const outside = { cwd: temporaryFolder(), more: { HOME: home } }
    const added = shell('cairn write append glossary "One."', outside)
    expect(added).toMatchObject({ code: 0, err: expect.stringContaining(`${other}/cairn.yaml`) })
    const undone = shell('cairn undo', outside)
    expect(undone).toMatchObject({ code: 0, err: expect.stringContaining(`${other}/cairn.yaml`) })
    // Who only looks is not told.
    expect(shell('cairn history', outside).err).toBe('')
    expect(shell('cairn undo --dry-run', outside).err).not.toContain('cairn.yaml')
  })

  it('prints a next page that can be pasted', () => {
    const first = shell('cairn list -n 20')
    const next = /More: (cairn .*)\n/.exec(first.err)![1]!
    const second = shell(next)
    expect(second.code).toBe(0)
    expect(first.out.split('\n')).toHaveLength(21)
    expect(second.out.split('\n')).toHaveLength(14)
  })

  it('ends with 1 when nothing was found', async () => {
    for (const line of [
      'search xyzzyquux',
      'search --json xyzzyquux',
      'list --tag nobody',
      'grep xyzzyquux',
      'tasks xyzzyquux',
      'backlinks runbooks/nowhere.md',
    ]) {
      expect([line, (await cairn(line)).code]).toEqual([line, 1])
    }
    // As the process says it, too.
    expect(shell('cairn search xyzzyquux').code).toBe(1)
  })

  it('greps, and lists tasks, tags and what changed last', async () => {
    writeFileSync(join(vault, 'todo.md'), '# Todo\n\n- [ ] Buy [[glossary|tea]]\n- [x] Sleep\n')
    expect((await cairn(['grep', '-i', 'ROLLING back', '-l'])).out).toContain(
      'runbooks/roll-back-a-release.md',
    )
    expect(shell('cairn grep -F "[ ] Buy"').out).toBe('todo.md:3: - [ ] Buy [[glossary|tea]]\n')
    expect((await cairn('tasks buy')).out).toBe('[ ] Buy [[glossary|tea]]  todo.md:3\n')
    expect(JSON.parse((await cairn('tasks --done --json')).out).tasks).toEqual([
      { id: `${basename(vault)}/todo.md`, line: 4, done: true, text: 'Sleep' },
    ])
    expect((await cairn('recent -n 1')).out).toMatch(
      /^(just now|\d+ minutes? ago) +todo\.md +Todo\n$/,
    )
    expect((await cairn('recent --since yesterday -l')).out).toContain('todo.md\n')
    expect((await cairn('tags')).out).toMatch(/^#runbook +\d+$/m)
    expect(await cairn('grep (')).toMatchObject({ code: 2, out: '' })
  })

  it.each([
    ['fetch nosuch', 'Find it with "cairn search WORDS" or "cairn list".'],
    ['open nosuch', 'Find it with "cairn search WORDS" or "cairn list".'],
    ['fetch glosary', 'Did you mean handbook/glossary.md?'],
    ['history nosuch', 'There is no document and no change "nosuch".'],
    ['neighbors glossary --depth 99', 'cairn neighbors cannot be run like this: --depth must be'],
    ['search x --limit 9999', '--limit must be from 1 to'],
    ['search x --cursor zzz', 'Run the line that was printed behind "More:"'],
    ['write frob glossary x', 'ACTION must be one of create, replace, append'],
    ['insights nope', 'REPORT must be one of overview, hubs'],
    ['write find_replace glossary', 'cairn write find_replace needs --find.\nAdd --find.'],
    ['undo nosuch', 'See "cairn history" for what was changed.'],
    ['relate entity x', 'needs --category.\nIt needs'],
    ['delete nosuch', 'Find it with'],
  ])('says what is wrong with %j in words of the shell', async (line, said) => {
    const { code, out, err } = await cairn(`${line} --no-refresh`)
    expect([code === 1 || code === 2, out]).toEqual([true, ''])
    expect(err).toContain(said)
    expect(err).not.toMatch(
      /\bpass\b|\barguments?\b|next_cursor|with action|Invalid option|\bcall\b/i,
    )
  })

  it('completes commands, options, choices and names of notes', async () => {
    const complete = async (...words: string[]) =>
      (await cairn(['__complete', '--', ...words])).out.split('\n')
    expect(await complete('se')).toEqual(['serve', 'search', ''])
    expect(await complete('config', '')).toEqual(['show', ''])
    expect(await complete('search', '--tag-m')).toEqual(['--tag-mode', ''])
    expect(await complete('search', 'x', '--detail', 'd')).toEqual(['detailed', ''])
    expect(await complete('completion', '')).toEqual(['bash', 'zsh', 'fish', ''])
    expect(await complete('fetch', 'runbooks/roll')).toEqual([
      'runbooks/roll-back-a-release.md',
      '',
    ])
    const script = shell('cairn completion bash').out
    const tried = shell(
      `bash -c '${script.replaceAll("'", `'\\''`)}
        COMP_WORDS=(cairn fetch gloss); COMP_CWORD=2; _cairn; printf "%s\\n" "\${COMPREPLY[@]}"'`,
    )
    expect(tried.out).toBe('glossary.md\n')
    expect(await complete('connect', 'cur')).toEqual(['cursor', ''])
    expect(await cairn('completion powershell')).toMatchObject({ code: 2, out: '' })
  })
})

const has = (name: string): boolean => spawnSync(name, ['--version']).status === 0

it('completes in fish, quoted or not', ({ skip }) => {
  skip(!has('fish'), 'fish is not installed')
  const offered = (line: string) =>
    shell(`fish -N -c 'cairn completion fish | source; complete -C "${line}"'`).out
  expect(offered('cairn hist')).toBe('history\n')
  expect(offered('cairn-kb hist')).toBe('history\n')
  expect(offered('cairn config ')).toBe('show\n')
  expect(offered('cairn fetch runbooks/roll')).toBe('runbooks/roll-back-a-release.md\n')
  expect(offered('cairn fetch \\"runbooks/roll')).toContain('runbooks/roll-back-a-release.md')
  expect(offered('cairn search --tag-m')).toBe('--tag-mode\n')
  expect(offered('cairn connect curs')).toBe('cursor\n')
})

it('completes in zsh, as Tab does at a prompt', ({ skip }) => {
  skip(!has('zsh'), 'zsh is not installed')
  // A second zsh behind a terminal of its own gets the keys; what it shows is read back.
  const script = `zmodload zsh/zpty
    zpty typed zsh -f -i
    zpty -w typed "PS1=; autoload -Uz compinit; compinit -u -D"
    zpty -w typed "source <(cairn completion zsh) && echo rea''dy"
    zpty -r -m typed seen "*ready*"
    try() { zpty -w -n typed "$1"; zpty -r -m typed seen "*$2*" && print -r -- "$2"; zpty -w -n typed $'\x15' }
    try $'cairn hist\t' 'cairn history'
    try $'cairn fetch runbooks/roll\t' 'runbooks/roll-back-a-release.md'
    try $'cairn search --tag-m\t' '--tag-mode'
    zpty -d typed`
  writeFileSync(join(bin, 'try.zsh'), script)
  expect(shell(`zsh -f '${join(bin, 'try.zsh')}'`).out).toBe(
    'cairn history\nrunbooks/roll-back-a-release.md\n--tag-mode\n',
  )
  expect(shell('zsh -f -c "source <(cairn completion zsh); print \\$_comps[cairn]"').out).toBe(
    '_cairn\n',
  )
})

it('shows nothing of a note or a name that moves the cursor or turns text round', async () => {
  const evil = 'a\u001b[2Jb\u202ec\u009b31m'
  const folder = temporaryFolder()
  writeFiles(folder, { [`notes/${evil}.md`]: `# ${evil}\n\nkettle ${evil}\n- [ ] ${evil}\n` })
  for (const line of [
    'search kettle',
    'list',
    'recent',
    'grep kettle',
    'tasks',
    'ask what kettle?',
    'fetch nothing',
    `fetch ${evil}x`,
    'insights',
    'status',
    'doctor',
    'index',
  ]) {
    const base = `${folder}/notes`
    const from = /^(status|doctor|index)/.test(line) ? [base] : ['--folder', base]
    const { out, err } = await cairn([...line.split(' '), ...from], folder)
    expect([line, /[\u001b\u202e\u009b]/.test(out + err)]).toEqual([line, false])
  }
})

describe('the example of', () => {
  let home: string

  beforeAll(() => {
    home = lastingFolder()
    cpSync(join(ROOT, 'examples'), join(home, 'examples'), {
      recursive: true,
      filter: (path) => !/^\.(cairn|roux)$/.test(basename(path)),
    })
    writeFiles(home, { 'notes/cairn.yaml': 'sources: [.]\n' })
    // So that there is something to look back at.
    shell('cairn write append handbook/index.md "More." -f examples/handbook', { cwd: home })
  })

  /** Servers run until they are told to stop; theirs is started and asked to end. */
  const SERVERS = COMMANDS.filter(({ name }) =>
    /serve$|^(acdc|nexus|duskmantle|explore)$/.test(name),
  )
  /** These ask a database, which is one of this process here. */
  const ASKING = COMMANDS.filter(({ example }) => example.includes('postgres://'))
  const OTHERS = COMMANDS.filter(
    (command) => !SERVERS.includes(command) && !ASKING.includes(command),
  )

  /** Beside this process, which may have to answer it meanwhile. */
  function start(line: string) {
    const child = spawn('sh', ['-c', `exec ${line}`], {
      cwd: home,
      env: { ...cleanEnvironment({ HOME: home }), PATH: `${bin}:${process.env['PATH']}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    let said = ''
    const hear = (onText: (all: string) => void): void => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => onText((said += text)))
      }
    }
    return { child, ended: once(child, 'close'), hear, said: () => said }
  }

  it.each(ASKING.map(({ name, example }) => [name, example]))('%s asks: %s', async (_, example) => {
    const database = await startPglite()
    onTestFinished(() => database.close())
    const { ended, hear, said } = start(example.replace(/postgres:\/\/\S+/, database.url))
    hear(() => {})
    const [code] = await ended
    expect([code, said()]).toEqual([0, expect.not.stringContaining('error:')])
  })

  it.each(OTHERS.map(({ name, example }) => [name, example]))('%s runs: %s', (_, example) => {
    const { code, err } = shell(example, { cwd: home, more: { HOME: home } })
    expect([code, err.includes('error:')]).toEqual([0, false])
  })

  it.each(SERVERS.map(({ name, example }) => [name, example]))(
    '%s starts: %s',
    async (_, example) => {
      // At any port: the usual one may belong to somebody on this machine.
      const line = example.replace(/--http$/, '--http 0').replace(/--transport sse$/, '$& --port 0')
      // An empty input ends a server on standard input; one that listens is told to end.
      const { child, ended, hear, said } = start(line)
      // Once: a second signal means "do not wait", and what is said may come in two pieces.
      let told = false
      hear((all) => {
        if (told || !/http:\/\/\S+:\d+/.test(all)) return
        told = child.kill('SIGTERM')
      })
      const [code, signal] = await ended
      expect(said()).not.toContain('error:')
      expect(signal ?? code).toBeOneOf([0, 'SIGTERM'])
    },
  )
})
