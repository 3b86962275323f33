/**
 * A person's editor that saves one file again and again: it reads the file, adds a line of its
 * own, and writes it back the way editors do. Says each line whose save it took to be done.
 */
import { closeSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const [file = '', way = 'rename', name = '', pause = '5'] = process.argv.slice(2)

const SAVES: Readonly<Record<string, (text: string) => Promise<void>>> = {
  /** A new file takes the name of the old one. */
  async rename(text) {
    const temporary = `${file}.${name}~`
    writeFileSync(temporary, text)
    renameSync(temporary, file)
  },
  /** The file is emptied and written in one go. */
  async overwrite(text) {
    writeFileSync(file, text)
  },
  /** The file is emptied and written in two parts, with time between them. */
  async twice(text) {
    const half = text.length >> 1
    const descriptor = openSync(file, 'w')
    writeSync(descriptor, text.slice(0, half))
    await sleep(Math.random() * 10)
    writeSync(descriptor, text.slice(half))
    closeSync(descriptor)
  },
}

for (let index = 0; ; index++) {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    // Between two names; a person would try again.
    index--
    continue
  }
  const line = `person ${name}-${index}`
  await SAVES[way]!(text.replace('\n', `\n${line}\n`))
  writeSync(1, `${JSON.stringify({ line })}\n`)
  await sleep(Math.random() * 2 * Number(pause))
}
