/**
 * A process that writes without end and says what was acknowledged, one JSON line each: the core
 * without a protocol around it, so that it starts fast enough to be killed hundreds of times.
 */
import { writeSync } from 'node:fs'
import { createDocument } from '../../src/operations/writing/create-document.ts'
import { appendToDocument, findAndReplace } from '../../src/operations/writing/edit-document.ts'
import { openBareBase } from './bare-base.ts'

const [folder = '', state = '', name = ''] = process.argv.slice(2)
const kb = await openBareBase(folder, state)
const options = { by: { client: name } }

for (let index = 0; ; index++) {
  const key = `${name}-${index}`
  const action = (['append', 'create', 'find_replace'] as const)[index % 3]!
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
