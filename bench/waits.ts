/**
 * The longest wait of a second client while a first one sends what is hostile: every string
 * argument of every tool of every surface, and every route, with every text of
 * `test/waits/hostile-texts.ts`, over notes that are hostile themselves. Fails where anybody waits
 * for more than 100 ms of the server's work, at best of three.
 *
 *     npm run build && node bench/waits.ts [--minutes 20] [--skip N] [--together 60]
 *       [--quick] [--every N [--from K]] [--length 65536] [--only TEXT]
 *
 * Sixty calls, about all texts for one argument, are made during one look at the second client, and
 * again one by one where it waited too long; `--together 1` looks at each. After `--minutes` it
 * says how many calls were made, with which `--skip` the next run goes on.
 */
import { parseArgs } from 'node:util'
import { hostileBase, SMALL, WHOLE } from '../test/waits/hostile-base.ts'
import { hostileTexts } from '../test/waits/hostile-texts.ts'
import { measureWaits } from '../test/waits/measure-waits.ts'
import { startVictim } from '../test/waits/start-victim.ts'

const MOST_MS = 100
const SHOWN = 15
const MOST_BYTES = 500_000
/** Routes whose answer is the whole base, or the whole note that was just sent. */
const IS_WHOLE = /^http (?:GET \/api\/(?:notes|export)|\/web\/graph|P(?:UT|OST) \/api\/notes)/

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    length: { type: 'string', default: String(64 * 1024) },
    every: { type: 'string' },
    from: { type: 'string', default: '0' },
    only: { type: 'string', default: '' },
    together: { type: 'string', default: '60' },
    minutes: { type: 'string' },
    skip: { type: 'string', default: '0' },
  },
})
process.once('SIGTERM', () => process.exit(1))
process.once('SIGINT', () => process.exit(1))
/** A prime meets every text and every argument in turn. */
const every = Number(values.every ?? (values.quick ? 29 : 1))
const from = Number(values.from)
const skip = Number(values.skip)
const minutes = Number(values.minutes ?? Infinity)
let count = 0
let found = 0
const picks = (name: string): boolean =>
  name.includes(values.only) && count++ % every === from && found++ >= skip
const texts = hostileTexts(Number(values.length))
const victim = await startVictim(hostileBase(values.quick ? SMALL : WHOLE))
try {
  const began = performance.now()
  const waits = await measureWaits({
    ...victim,
    texts,
    doubtMs: MOST_MS,
    picks: (_, name) => picks(name),
    together: Number(values.together),
    isOver: () => performance.now() - began > minutes * 60_000,
    onSlow: ({ name, waitMs, tookMs }) =>
      console.log(`${waitMs.toFixed(0)} ms waited, ${tookMs.toFixed(0)} ms taken: ${name}`),
  })
  const tooLong = waits.filter(({ waitMs }) => waitMs > MOST_MS)
  const seconds = ((performance.now() - began) / 1_000).toFixed(0)
  console.log(`\n${waits.length} of ${found - skip} calls in ${seconds} s.`)
  if (waits.length < found - skip) console.log(`Go on with --skip ${skip + waits.length}.`)
  console.log(`The longest waits of a second client, with the first call of those made together:`)
  const groups = new Map(waits.toReversed().map((wait) => [wait.waitMs, wait]))
  const shown = [...groups.values()].toReversed().slice(0, SHOWN)
  for (const { name, waitMs } of shown.toSorted((a, b) => b.waitMs - a.waitMs)) {
    console.log(`${waitMs.toFixed(1).padStart(8)} ms  ${name}`)
  }
  const longest = waits.toSorted((a, b) => b.bytes - a.bytes)
  console.log('The longest answers:')
  for (const { name, bytes } of longest.slice(0, SHOWN)) {
    console.log(`${(bytes / 1_000).toFixed(1).padStart(8)} KB  ${name}`)
  }
  console.log(`${tooLong.length} kept it waiting for more than ${MOST_MS} ms.`)
  const tooLarge = longest.filter(({ name, bytes }) => bytes > MOST_BYTES && !IS_WHOLE.test(name))
  console.log(`${tooLarge.length} were answered with more than ${MOST_BYTES / 1_000} KB.`)
  if (tooLong.length + tooLarge.length > 0) process.exitCode = 1
} finally {
  await victim.close()
}
