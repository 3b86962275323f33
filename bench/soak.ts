/**
 * Ten minutes of work as a team does it, and the server is afterwards as it was before:
 *
 *     npm run build && node bench/soak.ts [--minutes 10] [--connections 8]
 *
 * Clients come, ask, write and go again. Memory and descriptors are looked at every so often; the
 * second half may not need more than the first, but for what a garbage collector leaves. What is
 * left when it has collected everything is printed at a quarter, the half and the end: that is what
 * would grow if something were never let go.
 */
import { parseArgs } from 'node:util'
import { openLoadClient } from './http-client.ts'
import { serveCopy } from './served.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    connections: { type: 'string', default: '8' },
    folder: { type: 'string', default: 'examples/handbook' },
  },
})
const endsAt = Date.now() + Number(values.minutes) * 60_000
const everyMs = Math.max(1_000, (Number(values.minutes) * 60_000) / 40)

const server = await serveCopy(values.folder)
const samples: { readonly mebibytes: number; readonly descriptors: number }[] = []
const failures: string[] = []
const left: string[] = []
let answered = 0
try {
  const minutes = Number(values.minutes)
  for (const share of [0.25, 0.5]) {
    setTimeout(() => void server.left().then((said) => left.push(said)), share * minutes * 60_000)
  }
  const looking = setInterval(() => samples.push(server.measure()), everyMs)
  await Promise.all(Array.from({ length: Number(values.connections) }, (_, number) => work(number)))
  clearInterval(looking)
  left.push(await server.left())
} finally {
  await server.stop()
}
report()

/** A client lives for fifty calls; then another takes its place. */
async function work(number: number): Promise<void> {
  for (let life = 0; Date.now() < endsAt; life++) {
    const client = await openLoadClient(server.url, (number + life) % 2 === 0 ? 'modern' : 'legacy')
    for (let turn = 0; turn < 50 && Date.now() < endsAt; turn++) {
      const id = `notes/soak/${number}.md`
      const [tool, args] = [
        ['search', { query: `how do I restore a backup ${turn}` }],
        ['fetch', { id: 'index' }],
        ['list', { limit: 10 }],
        ['neighbors', { id: 'index' }],
        [
          'write',
          { action: life + turn < 5 ? 'create' : 'replace', id, content: `line ${life} ${turn}` },
        ],
      ][turn % 5] as [string, object]
      const { ok, text } = await client.call(tool, args)
      answered++
      if (!ok) failures.push(`${tool}: ${text.slice(0, 300)}`)
    }
    await client.close()
  }
}

function report(): void {
  // What is loaded in the beginning is not growth.
  const steady = samples.slice(Math.floor(samples.length / 4))
  const half = Math.floor(steady.length / 2)
  const most = (some: typeof samples, what: 'mebibytes' | 'descriptors'): number =>
    Math.max(0, ...some.map((sample) => sample[what]))
  const [before, after] = [steady.slice(0, half), steady.slice(half)]
  console.log(`${values.minutes} minutes, ${answered} calls, ${failures.length} failed`)
  for (const what of ['mebibytes', 'descriptors'] as const) {
    console.log(`${what}: at most ${most(before, what)} before, ${most(after, what)} after`)
  }
  for (const said of left) console.log(said)
  for (const failure of failures.slice(0, 5)) console.log(failure)
  const grows =
    most(after, 'mebibytes') > most(before, 'mebibytes') * 1.1 + 10 ||
    most(after, 'descriptors') > most(before, 'descriptors') + 5
  if (grows) console.log('It grows.')
  process.exitCode = grows || failures.length > 0 ? 1 : 0
}
