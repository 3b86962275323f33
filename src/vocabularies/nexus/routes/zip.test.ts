import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { zip } from './zip.ts'
import type { ZipFile } from './zip.ts'

async function* given(files: readonly ZipFile[]): AsyncIterable<ZipFile> {
  yield* files
}

async function archive(files: readonly ZipFile[]): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of zip(given(files))) parts.push(part)
  return Buffer.concat(parts)
}

function file(name: string, text = '', modifiedAt = 0): ZipFile {
  return { name, text, modifiedAt }
}

/** What an independent reader makes of it. */
function read(bytes: Buffer): unknown {
  const path = join(temporaryFolder(), 'x.zip')
  writeFileSync(path, bytes)
  const script = `import json, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
print(json.dumps([[i.filename, z.read(i).decode(), list(i.date_time)] for i in z.infolist()][:50] + [len(z.infolist())]))`
  return JSON.parse(execFileSync('python3', ['-c', script, path], { encoding: 'utf8' }))
}

const hasPython = (() => {
  try {
    execFileSync('python3', ['--version'])
    return true
  } catch {
    return false
  }
})()

it.skipIf(!hasPython)('is read by others', async () => {
  const text = 'tea '.repeat(1_000)
  const at = Date.UTC(2025, 0, 31, 23, 59, 58)
  const bytes = await archive([file('a.md', text, at), file('über 茶.md', '🍵'), file('empty.md')])
  expect(bytes.length).toBeLessThan(1_000)
  expect(read(bytes)).toEqual([
    ['a.md', text, [2025, 1, 31, 23, 59, 58]],
    ['über 茶.md', '🍵', [1980, 1, 1, 0, 0, 0]],
    ['empty.md', '', [1980, 1, 1, 0, 0, 0]],
    3,
  ])
})

it.skipIf(!hasPython)('counts beyond what two bytes hold', async () => {
  const files = Array.from({ length: 65_600 }, (_, at) => file(`${at}`))
  expect((read(await archive(files)) as unknown[]).at(-1)).toBe(65_600)
})

it.each(['../a', '/a', 'a/../b', 'a\\b', 'c:a', 'a\0b', '', 'a//b', '.', 'a\nb'])(
  'refuses the name %j',
  async (name) => {
    await expect(archive([file(name)])).rejects.toThrow('unsafe name')
  },
)
