import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { readMemoryFile } from './read-memory-file.ts'

it('reads what the memory server wrote: both kinds in one file, no newline at the end', () => {
  const folder = temporaryFolder({
    'memory.jsonl': [
      '{"type":"entity","name":"Ada","entityType":"person","observations":["first"]}',
      'broken',
      '{"type":"entity","name":"Engine","entityType":"machine","observations":[]}',
      '{"type":"entity","name":"Ada","entityType":"person","observations":["first","second"]}',
      '{"type":"relation","from":"Ada","to":"Engine","relationType":"describes"}',
    ].join('\n'),
  })
  const { entities, relations, warnings } = readMemoryFile(join(folder, 'memory.jsonl'))
  expect(entities.map(({ id, desc }) => [id, desc])).toEqual([
    ['Ada', 'first\nsecond'],
    ['Engine', ''],
  ])
  expect(relations).toMatchObject([{ src: 'Ada', rel: 'describes', dst: 'Engine' }])
  expect(warnings.map(({ line }) => line)).toEqual([2])
})

it('says that a file is not there, or no file', () => {
  const folder = temporaryFolder()
  expect(() => readMemoryFile(join(folder, 'none'))).toThrow(
    expect.objectContaining({ code: 'not_found' }),
  )
  expect(() => readMemoryFile(folder)).toThrow(expect.objectContaining({ code: 'unavailable' }))
})
