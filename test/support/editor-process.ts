/**
 * A person's editor that saves files again and again, one after the other: it reads the file, adds
 * a line of its own, and writes it back the way editors do. Says each line whose save it took to be
 * done. Several files are separated by commas.
 */
import { closeSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const [list = '', way = 'rename', name = '', pause = '5'] = process.argv.slice(2)
const files = list.split(',')

const SAVES: Readonly<Record<string, (file: string, text: string) => Promise<void>>> = {
  /** A new file takes the name of the old one. */
  async rename(file, text) {
    const temporary = `${file}.${name}~`
    writeFileSync(temporary, text)
    renameSync(temporary, file)
  },
  /** The file is emptied and written in one go. */
  async overwrite(file, text) {
    writeFileSync(file, text)
  },
  /** The file is emptied and written in two parts, with time between them. */
  async twice(file, text) {
    const half = text.length >> 1
    const descriptor = openSync(file, 'w')
    writeSync(descriptor, text.slice(0, half))
    await sleep(Math.random() * 10)
    writeSync(descriptor, text.slice(half))
    closeSync(descriptor)
  },
}

// Killed in the middle of a save, an editor leaves its file empty, which is nobody else's doing.
const stopping = new AbortController()
process.once('SIGTERM', () => stopping.abort())

for (let index = 0; !stopping.signal.aborted; index++) {
  const file = files[index % files.length]!
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    // Between two names; a person would try again.
    index--
    continue
  }
  const line = `person ${name}-${index}`
  await SAVES[way]!(file, text.replace('\n', `\n${line}\n`))
  writeSync(1, `${JSON.stringify({ line })}\n`)
  await sleep(Math.random() * 2 * Number(pause))
}
process.exit(0)
