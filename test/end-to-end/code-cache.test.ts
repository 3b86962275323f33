/** What a process compiled is there for the next one, and nothing of it can do harm. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'

const LAUNCHER = join(import.meta.dirname, '../../bin/cairn.js')
let folder: string
beforeAll(() => {
  folder = temporaryFolder({ 'notes/tea.md': '# Tea\n\nBoil water in a kettle.\n' }, afterAll)
})

function search(codeIn: string, env: Readonly<Record<string, string>> = {}) {
  const args = [LAUNCHER, 'search', 'kettle', '--folder', join(folder, 'notes')]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    env: { ...process.env, HOME: folder, NODE_COMPILE_CACHE: codeIn, ...env },
    cwd: folder,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

function keptIn(codeIn: string): string | undefined {
  const files = readdirSync(codeIn, { recursive: true, encoding: 'utf8' })
  const file = files.find((name) => name.includes('cairn-search-'))
  return file && join(codeIn, file)
}

describe('code that ran', () => {
  let codeIn: string
  let first: ReturnType<typeof search>
  let kept: string
  beforeAll(() => {
    codeIn = join(folder, 'code')
    search(codeIn)
    first = search(codeIn)
    kept = keptIn(codeIn)!
  })

  it('is kept for the next process, until some runs have added to it', () => {
    expect(first).toMatchObject({ status: 0, stdout: expect.stringContaining('tea.md') })
    const runs = (): number => {
      const bytes = readFileSync(kept)
      return JSON.parse(bytes.toString('latin1', 4, 4 + bytes.readUInt32LE(0))).runs
    }
    expect(runs()).toBe(2)
    for (let more = 0; more < 2; more++) expect(search(codeIn)).toEqual(first)
    expect(runs()).toBe(3)
  })

  it.each<[string, (bytes: Buffer) => void]>([
    ['is torn', (bytes) => truncateSync(kept, bytes.length - 5_000)],
    ['is empty', () => truncateSync(kept, 0)],
    ['is no such file', () => writeFileSync(kept, 'something else')],
    ['says that it is huge', (bytes) => void (bytes.fill(255, 0, 4), writeFileSync(kept, bytes))],
    ['has other bits', (bytes) => writeFileSync(kept, bytes.map(flippedInCode))],
  ])('is compiled anew where the file %s', (_, spoil) => {
    spoil(readFileSync(kept))
    expect(search(codeIn)).toEqual(first)
    expect(search(codeIn)).toEqual(first)
  })

  it('leaves nothing behind where it cannot take its place', () => {
    rmSync(kept)
    mkdirSync(kept)
    expect(search(codeIn)).toEqual(first)
    const names = readdirSync(dirname(kept))
    expect(names.filter((name) => /^cairn-.*\.\d+$/.test(name))).toEqual([])
  })

  it('is not kept where nothing may be, or can be', () => {
    const nowhere = join(folder, 'nowhere')
    expect(search(nowhere, { NODE_DISABLE_COMPILE_CACHE: '1' })).toEqual(first)
    expect(readdirSync(folder)).not.toContain('nowhere')
    writeFileSync(nowhere, 'a file')
    expect(search(nowhere)).toEqual(first)
  })
})

/** One bit in every thousand bytes, behind what says where which code is. */
function flippedInCode(byte: number, at: number): number {
  return at > 4_000 && at % 1_000 === 0 ? byte ^ 4 : byte
}
