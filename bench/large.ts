/**
 * A base of ten times as many notes: what one more passage takes in a server's memory, and how long
 * the first edit after a start takes until it is found: a new note in the root, and a note somewhere
 * in the tree. The larger base is made of changed copies.
 * Takes ten minutes and 3 GB of disk.
 *
 *     node bench/large.ts [--copies 10] [--set NAME]
 */
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { goal } from './goals.ts'
import {
  benchOptions,
  findEvaluationSet,
  folderBytes,
  formatMb,
  formatMs,
  markdownTable,
  NO_EVALUATION_SETS,
  processMemory,
} from './harness.ts'
import { readOwnQuestions } from './questions.ts'
import { BINARY, search, startServer } from './stdio-server.ts'
import { makeCopies } from './stores/changed-copies.ts'

const { set: setName } = benchOptions()
const at = process.argv.indexOf('--copies')
const COPIES = at < 0 ? 10 : Number(process.argv[at + 1])
const QUESTIONS = 300
const DEADLINE_MS = 60_000
/** Goals are about a base of so many copies. */
const GOAL_COPIES = 10

interface Figures {
  readonly notes: number
  readonly passages: number
  readonly resident: number
  readonly stateBytes: number
  readonly firstEditMs: number
  readonly anyEditMs: number
}

async function measure(
  docs: string,
  state: string,
  questions: readonly string[],
): Promise<Figures> {
  const args = [BINARY, 'index', docs, '--state', state]
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`cairn index ended with ${status}\n${stderr}`)
  const stateBytes = folderBytes(state)
  const { notes, passages } = countsOf(state)
  let server = await startServer(docs, state)
  let resident: number | undefined
  try {
    for (const question of questions) await search(server, question)
    resident = (await processMemory(server.pid))?.resident
  } finally {
    await server.close()
  }
  const edits: number[] = []
  for (const [word, file] of [
    ['quillberrymoss', 'quillberrymoss.md'],
    ['thistlequartzfern', anyNote(state)],
  ] as const) {
    server = await startServer(docs, state)
    try {
      await search(server, questions[0]!)
      edits.push(await firstEdit(join(docs, file), word, () => search(server, word)))
    } finally {
      await server.close()
    }
  }
  const [firstEditMs = NaN, anyEditMs = NaN] = edits
  return { notes, passages, resident: resident ?? NaN, stateBytes, firstEditMs, anyEditMs }
}

async function firstEdit(
  file: string,
  word: string,
  find: () => Promise<{ readonly results: readonly unknown[] }>,
): Promise<number> {
  appendFileSync(file, `\n# A new part\n\nIt speaks of ${word}.\n`)
  const begin = performance.now()
  while (performance.now() - begin < DEADLINE_MS) {
    const { results } = await find()
    if (JSON.stringify(results).includes(word)) return performance.now() - begin
    await sleep(5)
  }
  return NaN
}

/** One in the middle of all paths: nothing says that it is more likely to be edited than another. */
function anyNote(state: string): string {
  const database = new DatabaseSync(join(state, 'index.db'), { readOnly: true })
  try {
    const sql = 'SELECT path FROM documents ORDER BY path LIMIT 1'
    const middle = 'OFFSET (SELECT count(*) / 2 FROM documents)'
    return String(database.prepare(`${sql} ${middle}`).get()?.['path'])
  } finally {
    database.close()
  }
}

function countsOf(state: string): { readonly notes: number; readonly passages: number } {
  const database = new DatabaseSync(join(state, 'index.db'), { readOnly: true })
  try {
    const row = database.prepare('SELECT count(*) AS n, sum(chunk_count) AS p FROM documents').get()
    return { notes: Number(row?.['n']), passages: Number(row?.['p']) }
  } finally {
    database.close()
  }
}

async function main(): Promise<void> {
  console.log(`## A large base: ${setName} and ${COPIES - 1} changed copies of it\n`)
  const set = await findEvaluationSet(setName)
  if (!set) {
    console.log(NO_EVALUATION_SETS)
    return
  }
  const place = mkdtempSync(join(tmpdir(), 'cairn-bench-'))
  try {
    const questions = readOwnQuestions(set, QUESTIONS).map(({ text }) => text)
    const all: Figures[] = []
    for (const copies of [1, COPIES]) {
      const docs = join(place, `docs-${copies}`)
      makeCopies(join(set, 'docs'), copies, docs)
      all.push(await measure(docs, join(place, `state-${copies}`), questions))
      rmSync(docs, { recursive: true, force: true })
    }
    const [small, large] = [all[0]!, all[1]!]
    const perPassage = (large.resident - small.resident) / (large.passages - small.passages)
    console.log(
      markdownTable(
        [
          'notes',
          'passages',
          `resident after ${QUESTIONS} questions`,
          'on disk',
          'first edit',
          '… of any note',
        ],
        all.map(({ notes, passages, resident, stateBytes, firstEditMs, anyEditMs }) => [
          notes.toLocaleString('en'),
          passages.toLocaleString('en'),
          formatMb(resident),
          formatMb(stateBytes),
          formatMs(firstEditMs),
          formatMs(anyEditMs),
        ]),
      ),
    )
    console.log(`\nOne more passage takes ${(perPassage / 1024).toFixed(2)} KB of memory.`)
    if (setName !== 'vault-mdn' || COPIES !== GOAL_COPIES) return
    goal('perPassage', perPassage / 1024)
    goal('firstEdit', large.firstEditMs)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

await main()
