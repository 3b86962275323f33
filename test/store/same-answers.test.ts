/** The same folder behind an embedded index and behind PostgreSQL gives the same answers. */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openBase } from '../../src/serve/wiring/open-base.ts'
import type { Base } from '../../src/serve/wiring/open-base.ts'
import { loadConfig } from '../../src/serve/config/load-config.ts'
import { startPglite } from '../support/pglite-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const HANDBOOK = join(import.meta.dirname, '../../examples/handbook')

function notesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !path.startsWith('.cairn'))
    .toSorted()
}

/** What every note is called and what its sections are, and a few that nobody wrote. */
function questionsAbout(folder: string): string[] {
  const headings = notesIn(folder).flatMap((path) =>
    [...readFileSync(join(folder, path), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, text]) => text!),
  )
  return [
    ...headings,
    'who is woken up at night when a gauge falls silent',
    'how do we undo a bad relase',
    'tide forecast "chart datum"',
    'zzz nothing of the kind',
  ]
}

async function answers(base: Base, questions: readonly string[]): Promise<unknown[]> {
  const found: unknown[] = []
  const ask = async (tool: string, args: Record<string, unknown>) => {
    const { structured, isError } = await base.call(tool, args)
    expect(isError).toBe(false)
    return structured
  }
  for (const query of questions) {
    found.push(await ask('search', { query, limit: 10 }))
  }
  for (const order of ['path', 'title', 'updated']) {
    found.push(await ask('list', { sort: order, limit: 50 }))
  }
  for (const report of ['tags', 'orphans', 'broken_links', 'hubs', 'duplicates']) {
    found.push(await ask('insights', { report }))
  }
  found.push(await ask('neighbors', { id: 'alerts' }))
  return found
}

it('answers every question alike, and again after many edits', { timeout: 600_000 }, async () => {
  const folder = temporaryFolder()
  cpSync(HANDBOOK, folder, { recursive: true })
  rmSync(join(folder, '.cairn'), { recursive: true, force: true })
  const database = await startPglite()
  onTestFinished(() => database.close())
  const places: Record<string, string>[] = [
    { state: join(temporaryFolder(), 'embedded') },
    { state: join(temporaryFolder(), 'shared'), store: `${database.url}?base=same` },
  ]
  const compare = async (): Promise<void> => {
    const all: unknown[][] = []
    for (const flags of places) {
      const surroundings = { configFile: undefined, env: {}, cwd: folder, home: folder }
      const { config } = await loadConfig({ folders: [folder], flags, ...surroundings })
      const base = await openBase(config)
      try {
        await base.index({ waitForMeaning: true })
        all.push(await answers(base, questionsAbout(folder)))
      } finally {
        await base.close()
      }
    }
    expect(all[0]!.length).toBeGreaterThan(50)
    expect(JSON.stringify(all[0]).length).toBeGreaterThan(100_000)
    expect(all[1]).toEqual(all[0])
  }
  await compare()
  // Edits that rename, remove, add, and change words and links; the same ones every time.
  notesIn(folder).forEach((path, place) => {
    const file = join(folder, path)
    const text = readFileSync(file, 'utf8')
    if (place % 7 === 3) rmSync(file)
    else if (place % 5 === 1)
      writeFileSync(file, `${text}\nAn edit about kettles in [[glossary]].\n`)
    else if (place % 4 === 2) writeFileSync(file, text.replaceAll('harbour', 'lighthouse'))
    if (place % 6 === 5) writeFileSync(`${file.slice(0, -3)}-2.md`, text.replace(/^# /m, '# New '))
  })
  await compare()
})
