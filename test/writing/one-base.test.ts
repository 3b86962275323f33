/** One folder is one base, whatever way leads to it and whoever had it last. */
import { readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { openBase } from '../../src/serve/wiring/open-base.ts'
import type { Base } from '../../src/serve/wiring/open-base.ts'
import { configOf } from '../support/serve-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

async function within<Result>(
  folder: string,
  cwd: string,
  work: (base: Base) => Promise<Result>,
): Promise<Result> {
  const config = await configOf(folder, {}, { cwd, home: cwd })
  const base = await openBase(config)
  try {
    await base.index({})
    return await work(base)
  } finally {
    await base.close()
  }
}

const idsIn = async (base: Base) => {
  const { structured } = await base.call('list', {})
  return (structured['items'] as { id: string }[]).map(({ id }) => id)
}

it('is one base by a symbolic link, a relative path or another spelling', async () => {
  const made = temporaryFolder({ 'a.md': '# A\n' })
  const parent = temporaryFolder()
  const folder = join(parent, 'vault')
  renameSync(made, folder)
  symlinkSync(folder, join(parent, 'other-name'))
  expect(await within(folder, parent, idsIn)).toEqual(['vault/a.md'])
  for (const way of ['other-name', './vault', '../' + parent.split('/').at(-1) + '/vault/.']) {
    expect([way, await within(way, parent, idsIn)]).toEqual([way, ['vault/a.md']])
  }
  const write = (base: Base) => base.call('write', { action: 'append', id: 'a.md', content: 'B' })
  await within('other-name', parent, write)
  const undo = (base: Base) => base.call('history', { action: 'undo' })
  expect((await within('vault', parent, undo)).isError).toBe(false)
  const indexes = readdirSync(join(folder, '.cairn')).filter((name) => name.endsWith('.db'))
  expect(indexes).toEqual(['index.db'])
})

it('says how a change is undone that was made while the folder had another name', async () => {
  const parent = temporaryFolder()
  renameSync(temporaryFolder({ 'a.md': 'A\n' }), join(parent, 'vault'))
  const write = (base: Base) => base.call('write', { action: 'append', id: 'a.md', content: 'B' })
  const { operation } = (await within('vault', parent, write)).structured
  const undo = (base: Base) => base.call('history', { action: 'undo', id: operation })
  const { structured } = await within('other=vault', parent, undo)
  expect(structured['error']).toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('the source "vault"'),
    hint: expect.stringContaining(`cairn undo ${String(operation)} --folder "vault=PATH"`),
  })
  expect((await within('vault=vault', parent, undo)).isError).toBe(false)
  expect(readFileSync(join(parent, 'vault/a.md'), 'utf8')).toBe('A\n')
})

it('indexes although a server whose clock is a day ahead has left its lease behind', async () => {
  const folder = temporaryFolder({ 'a.md': '# A\n' })
  await within(folder, dirname(folder), idsIn)
  const file = new DatabaseSync(join(folder, '.cairn/index.db'))
  const lease = { owner: '1@elsewhere:x', fence: 9, ttlMs: 300, expiresAt: Date.now() + 86_400_000 }
  file
    .prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('lease', ?)")
    .run(JSON.stringify(lease))
  file.exec("INSERT OR REPLACE INTO meta (key, value) VALUES ('fence', '9')")
  file.close()
  renameSync(join(folder, 'a.md'), join(folder, 'b.md'))
  const ids = await within(folder, dirname(folder), idsIn)
  expect(ids.map((id) => id.split('/').at(-1))).toEqual(['b.md'])
})
