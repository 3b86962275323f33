import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { makeStateFolder } from './state-folder.ts'

const modeOf = (folder: string) => statSync(folder).mode & 0o777

it.skipIf(process.platform === 'win32')('is private, whatever the folder was', () => {
  const around = temporaryFolder()
  for (const name of ['.cairn', 'empty', 'new']) {
    const folder = join(around, name)
    if (name !== 'new') mkdirSync(folder)
    if (name === '.cairn') writeFileSync(join(folder, 'index.db'), '')
    if (name !== 'new') chmodSync(folder, 0o755)
    makeStateFolder(folder)
    expect([name, modeOf(folder)]).toEqual([name, 0o700])
    // Opened up by someone or something since, such as a restored backup.
    chmodSync(folder, 0o777)
    makeStateFolder(folder)
    expect([name, modeOf(folder)]).toEqual([name, 0o700])
  }
})

it.skipIf(process.platform === 'win32')('leaves a folder alone that holds other things', () => {
  const folder = temporaryFolder({ 'mine.txt': 'x' })
  chmodSync(folder, 0o755)
  for (let time = 0; time < 2; time++) makeStateFolder(folder)
  expect([modeOf(folder), readdirSync(folder)]).toEqual([0o755, ['mine.txt']])
})
