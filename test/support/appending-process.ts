/**
 * A process that appends lines to a file of a folder until it is stopped or killed, from a state
 * folder of its own choice, and says each line that was acknowledged. Several files are separated by
 * commas, and written to one after the other.
 */
import { writeSync } from 'node:fs'
import { appendToDocument } from './edit-documents.ts'
import { openBareBase } from './bare-base.ts'

const [folder = '', state = '', list = '', name = ''] = process.argv.slice(2)
const files = list.split(',')
const kb = await openBareBase(folder, state)

const stopping = new AbortController()
process.once('SIGTERM', () => stopping.abort())

for (let index = 0; !stopping.signal.aborted; index++) {
  try {
    const line = `- ${name}-${index}`
    await appendToDocument(kb, files[index % files.length]!, line, { by: { client: name } })
    writeSync(1, `${JSON.stringify({ line })}\n`)
  } catch (error) {
    writeSync(1, `${JSON.stringify({ error: String(error) })}\n`)
  }
}
process.exit(0)
