/** Whether a file has attributes is asked of another process, so it is asked where nobody can know. */
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { createDocument } from '../../src/core/operations/writing/create-document.ts'
import { appendToDocument } from '../support/edit-documents.ts'
import type * as Copying from '../../src/core/sources/folder/copy-attributes.ts'
import { clockMovesOn } from '../support/clock-moves-on.ts'
import { openSmallBase } from '../support/open-small-base.ts'

const asked = vi.hoisted(() => ({ times: 0 }))
vi.mock('../../src/core/sources/folder/copy-attributes.ts', async (original) => {
  const { copyAttributes } = await original<typeof Copying>()
  return {
    copyAttributes: (from: string, to: string) => {
      asked.times++
      return copyAttributes(from, to)
    },
  }
})

const by = { by: { client: 'test/1' } }

function python(code: string): string | undefined {
  const words = ['-c', `import os, time\n${code}`]
  const { status, stdout } = spawnSync('python3', words, { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

it.skipIf(process.platform !== 'linux')(
  'asks nobody about a file it made itself, until somebody gives it an attribute',
  async (context) => {
    const { kb, folder } = await openSmallBase({ 'old.md': 'x\n' })
    const timesOf = async (work: () => Promise<unknown>): Promise<number> => {
      asked.times = 0
      await work()
      return asked.times
    }
    const append = (id: string) => () => appendToDocument(kb, id, 'More.', by)
    expect(await timesOf(() => createDocument(kb, 'tea', 'x\n', by))).toBe(0)
    expect(await timesOf(append('tea'))).toBe(0)
    expect(await timesOf(append('tea'))).toBe(0)
    // One that others made is asked about once.
    expect(await timesOf(append('old'))).toBe(1)
    expect(await timesOf(append('old'))).toBe(0)
    const file = JSON.stringify(join(folder, 'tea.md'))
    await clockMovesOn(statSync(join(folder, 'tea.md')).ctimeMs)
    const set = python(`os.setxattr(${file}, 'user.note', b'mine')`)
    if (set === undefined) return context.skip('this machine cannot set extended attributes')
    expect(await timesOf(append('tea'))).toBe(1)
    expect(await timesOf(append('tea'))).toBe(1)
    expect(python(`print(os.getxattr(${file}, 'user.note'))`)).toBe("b'mine'")
  },
)
