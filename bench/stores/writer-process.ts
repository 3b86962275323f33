/**
 * Some clients of one server that write without a pause, each its own notes and a shared one now and
 * then; says when it is ready, begins when told, and reports how long every write took.
 */
import { openBase } from '../../src/serve/wiring/open-base.ts'
import { loadConfig } from '../../src/serve/config/load-config.ts'
import type { Opening } from './measured-base.ts'

export interface WriterOrder extends Opening {
  readonly name: string
  readonly clients: number
  /** Of each client. */
  readonly writes: number
}

export interface WriterReport {
  readonly times: readonly number[]
  /** Ids of notes, and how often each was acknowledged. */
  readonly kept: Readonly<Record<string, number>>
  readonly refused: readonly string[]
}

/** An attempt of every client to replace one state of a note: one of all clients may win. */
export interface RaceReport {
  readonly won: number
  readonly lost: number
  readonly otherwise: readonly string[]
}

const order = JSON.parse(process.argv[2]!) as WriterOrder
const { config } = await loadConfig({
  folders: [order.folder],
  flags: { state: order.state, ...(order.store && { store: order.store }) },
  configFile: undefined,
  env: {},
  cwd: process.cwd(),
  home: process.cwd(),
})
const base = await openBase(config)
const TEXT = 'What was said at the harbour about the tide, the ferry and the lamps. '.repeat(12)

async function write(): Promise<WriterReport> {
  const times: number[] = []
  const kept: Record<string, number> = {}
  const refused: string[] = []
  const client = async (number: number): Promise<void> => {
    for (let turn = 0; turn < order.writes; turn++) {
      // Half of the writes make a note, the others add to the one that was made last.
      const id = `${order.name}-${number}/note-${turn - (turn % 2)}.md`
      const args =
        turn % 2 === 0
          ? {
              action: 'create',
              id,
              content: `# Note ${turn} of ${order.name} ${number}\n\n${TEXT}\n`,
            }
          : { action: 'append', id, content: `- again ${turn}` }
      const began = performance.now()
      const { structured, isError } = await base.call('write', args)
      times.push(performance.now() - began)
      if (isError) refused.push(JSON.stringify(structured))
      else kept[id] = (kept[id] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: order.clients }, (_, number) => client(number)))
  return { times, kept, refused }
}

async function race({ id, digest }: { id: string; digest: string }): Promise<RaceReport> {
  const results = await Promise.all(
    Array.from({ length: order.clients }, (_, number) =>
      base.call('write', {
        action: 'replace',
        id,
        content: `# Race\n\nAfter ${digest}: ${order.name} ${number}.\n`,
        if_digest: digest,
      }),
    ),
  )
  const errors = results.filter(({ isError }) => isError).map(({ structured }) => structured)
  const isConflict = (error: unknown): boolean => JSON.stringify(error).includes('conflict')
  return {
    won: results.length - errors.length,
    lost: errors.filter(isConflict).length,
    otherwise: errors.filter((error) => !isConflict(error)).map((error) => JSON.stringify(error)),
  }
}

process.on('message', (message: { task: 'write' | 'race'; id: string; digest: string }) => {
  const work = message.task === 'write' ? write() : race(message)
  work.then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ trouble: String((error as Error).stack ?? error) }),
  )
})
process.on('disconnect', () => void base.close().finally(() => process.exit()))
process.send?.({ result: 'ready' })
