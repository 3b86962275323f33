/** Plays one sequence on a build: fresh folders, the program, every call in turn, what is left. */
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { layOut, readFolder } from './folders.ts'
import { openMarks } from './marks.ts'
import type { Marks } from './marks.ts'
import { startModel } from './model.ts'
import type { Recorded, RecordedStep } from './differences.ts'
import { labelOf } from './sequence.ts'
import type { Sequence, Step } from './sequence.ts'
import { runToEnd, start } from './speak.ts'
import type { Started, Surroundings } from './speak.ts'
import { sendOver } from './speak-http.ts'

/** Logs of the state folder that people read. */
const RECORDS = ['audit', 'feedback', 'reports', 'memories']

export async function play(program: string, sequence: Sequence): Promise<Recorded> {
  const since = Date.now()
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-oracle-')))
  const marks = openMarks({ since })
  marks.know(root, '<root>')
  marks.know(dirname(dirname(program)), '<program>')
  const model = sequence.model === true ? await startModel() : undefined
  const surroundings: Surroundings = { program, cwd: root, env: { ...sequence.env, ...model?.env } }
  try {
    layOut(root, sequence.folders, sequence.files)
    for (const words of sequence.before ?? []) await runToEnd(surroundings, words)
    if (sequence.before?.some(([first]) => first === 'index'))
      await meaningOf(surroundings, sequence)
    const tokens = await makeTokens(surroundings, sequence, marks)
    const started = start(surroundings, sequence.command)
    let steps: RecordedStep[]
    try {
      const send =
        sequence.http === true ? await overHttp(started, marks, tokens) : await overStdio(started)
      steps = await playSteps(sequence.steps, send, marks)
    } finally {
      await started.close(sequence.http === true ? 'signal' : 'input')
    }
    const { name } = sequence
    if (sequence.writes !== true) return { name, steps }
    const history = await historyOf(surroundings, sequence)
    return { name, steps, files: filesIn(root, sequence, marks), history: marks.apply(history) }
  } finally {
    await model?.close()
    rmSync(root, { recursive: true, force: true, maxRetries: 20 })
  }
}

type Send = (step: Step) => Promise<string>

async function playSteps(
  steps: readonly Step[],
  send: Send,
  marks: Marks,
): Promise<RecordedStep[]> {
  const kept = new Map<string, string>()
  const recorded: RecordedStep[] = []
  for (const step of steps) {
    const reply = await send(filledIn(step, kept))
    for (const [name, path] of Object.entries(step.keep ?? {})) {
      kept.set(name, valueAt(reply, path))
    }
    recorded.push({ call: labelOf(step), reply: marks.apply(reply, step.varying) })
  }
  return recorded
}

/** `$name` as a whole text, or a part of a route, is what was kept under the name. */
function filledIn<Value>(value: Value, kept: ReadonlyMap<string, string>): Value {
  return JSON.parse(
    JSON.stringify(value).replace(/\$([a-z]+)\b/g, (all, name: string) => kept.get(name) ?? all),
  ) as Value
}

function valueAt(reply: string, path: string): string {
  const start = reply.indexOf('{')
  let value: any
  try {
    value = JSON.parse(reply.slice(start))
  } catch {
    return ''
  }
  for (const key of path.split('.')) value = value?.[key]
  return typeof value === 'string' ? value : ''
}

/** The handshake of a client that reads plain text, and a look that the program has caught up. */
async function overStdio(started: Started): Promise<Send> {
  await started.request('initialize', 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'oracle', version: '1' },
  })
  started.notify('notifications/initialized')
  await caughtUp(started)
  let id = 0
  return (step) => {
    id++
    if ('route' in step) throw new Error(`${step.route} needs HTTP`)
    if ('method' in step) return started.request(id, step.method, step.params ?? {})
    return started.request(id, 'tools/call', { name: step.tool, arguments: step.args ?? {} })
  }
}

const TRIES = 1_000
const PAUSE_MS = 20

/** The native surface says in every reply whether files are still being looked through. */
async function caughtUp(started: Started): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const params = { name: 'list', arguments: { limit: 1 } }
    const reply = await started.request(`caught up ${tries}`, 'tools/call', params)
    if (!reply.includes('"indexing":')) return
    await sleep(PAUSE_MS)
  }
  throw new Error('The index does not catch up with the files.')
}

async function overHttp(
  started: Started,
  marks: Marks,
  tokens: ReadonlyMap<string, string>,
): Promise<Send> {
  const [, url] = await started.said(/(http:\/\/127\.0\.0\.1:\d+)/)
  marks.know(url!, '<url>')
  for (let tries = 0; ; tries++) {
    const ready = await fetch(new URL('/readyz', url))
    if (ready.ok || ready.status === 404) break
    if (tries === TRIES) throw new Error('The index does not catch up with the files.')
    await sleep(PAUSE_MS)
  }
  return (step) => {
    if (step.as === undefined || step.as === 'nobody') return sendOver(url!, step, {})
    const token = tokens.get(step.as) ?? step.as
    return sendOver(url!, step, { authorization: `Bearer ${token}` })
  }
}

/** Meaning is learned when the index is built; a run without it would compare something else. */
async function meaningOf(surroundings: Surroundings, sequence: Sequence): Promise<void> {
  const words = ['status', ...foldersOf(sequence), '--json']
  const status = JSON.parse(await runToEnd(surroundings, words)) as {
    indexing: boolean
    embedding?: { provider: string; serving?: string }
  }
  const isReady = status.embedding?.provider === 'none' || status.embedding?.serving
  if (status.indexing || !isReady) throw new Error(`${sequence.name}: there is no meaning yet`)
}

function foldersOf({ before = [] }: Sequence): string[] {
  const words = before.find(([first]) => first === 'index') ?? []
  return words.slice(1)
}

async function makeTokens(
  surroundings: Surroundings,
  sequence: Sequence,
  marks: Marks,
): Promise<Map<string, string>> {
  const tokens = new Map<string, string>()
  const folders = foldersOf(sequence).flatMap((folder) => ['--folder', folder])
  for (const [name, words] of Object.entries(sequence.callers ?? {})) {
    const said = await runToEnd(surroundings, [
      'token',
      'create',
      name,
      ...words,
      ...folders,
      '--json',
    ])
    const { token, id } = JSON.parse(said) as { token: string; id: string }
    tokens.set(name, token)
    marks.know(token, `<token ${name}>`)
    marks.know(id, `<token id ${name}>`)
  }
  return tokens
}

/** All changes with what they did, as the command line tells them. */
async function historyOf(surroundings: Surroundings, sequence: Sequence): Promise<string> {
  const folders = foldersOf(sequence).flatMap((folder) => ['--folder', folder])
  if (folders.length === 0) return ''
  return runToEnd(surroundings, ['history', '--limit', '100', '--json', ...folders], [0, 1])
}

function filesIn(root: string, { folders }: Sequence, marks: Marks): Record<string, string> {
  const files: Record<string, string> = {}
  for (const folder of folders) {
    const add = (below: string) => {
      if (!existsSync(join(root, below))) return
      for (const [path, content] of Object.entries(readFolder(join(root, below)))) {
        files[freeName(files, marks.apply(`${below}/${path}`))] = marks.apply(content)
      }
    }
    add(folder)
    for (const record of RECORDS) add(`${folder}/.cairn/${record}`)
  }
  return files
}

/** Files whose names differ by the time alone are told apart by their order. */
function freeName(files: Readonly<Record<string, string>>, name: string): string {
  let number = 1
  const numbered = () => (number === 1 ? name : `${name} (${number})`)
  while (Object.hasOwn(files, numbered())) number++
  return numbered()
}
