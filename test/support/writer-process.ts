/**
 * A process that writes without end, some at a time, and says what was acknowledged, one JSON line
 * each: the core without a protocol around it, so that it starts fast enough to be killed hundreds
 * of times.
 */
import { writeSync } from 'node:fs'
import { createDocument } from '../../src/core/operations/writing/create-document.ts'
import { appendToDocument, findAndReplace } from './edit-documents.ts'
import { openBareBase } from './bare-base.ts'

const [folder = '', state = '', name = ''] = process.argv.slice(2)
const kb = await openBareBase(folder, state)
const options = { by: { client: name } }

/** So many at once, which are written together. */
const AT_ONCE = 5

async function write(index: number): Promise<void> {
  const key = `${name}-${index}`
  const action = (['append', 'create', 'find_replace', 'append'] as const)[index % 4]!
  const { operation } =
    action === 'append'
      ? await appendToDocument(kb, 'log.md', `- ${key} ${'y'.repeat(300)}`, options)
      : action === 'create'
        ? await createDocument(
            kb,
            `new/${key}.md`,
            `begin ${key}\n${'z'.repeat(5000)}\nend\n`,
            options,
          )
        : await findAndReplace(
            kb,
            'page.md',
            { find: 'count: ', replace: `${key} count: ` },
            options,
          )
  writeSync(1, `${JSON.stringify({ operation, key, action })}\n`)
}

for (let index = 0; ; index += AT_ONCE) {
  await Promise.all(Array.from({ length: AT_ONCE }, (_, more) => write(index + more)))
}
