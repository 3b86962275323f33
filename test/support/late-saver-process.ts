/**
 * A program that saves its settings in the worst moment: as soon as files of another program lie
 * beside them, which is when that one is about to write. Says when it looks, and whether it has
 * saved: the moment may pass while it has no turn, and the file `stop` ends it then.
 */
import { existsSync, readdirSync, writeFileSync, writeSync } from 'node:fs'
import { basename, dirname } from 'node:path'

const [file = '', text = '', beside = '1', stop = ''] = process.argv.slice(2)
const AT_MOST_MS = 60_000

const isBeside = (name: string): boolean => name.startsWith(`${basename(file)}.`)

writeSync(1, 'looking\n')
const until = performance.now() + AT_MOST_MS
while (performance.now() < until && !existsSync(stop)) {
  if (readdirSync(dirname(file)).filter(isBeside).length < Number(beside)) continue
  writeFileSync(file, text)
  writeSync(1, 'saved\n')
  break
}
