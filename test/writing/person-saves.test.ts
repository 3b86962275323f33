/** A person saves a note while an agent writes to it: neither loses anything, nothing is torn. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { startAppending, startEditor } from '../support/appending.ts'
import { openSmallBaseAt } from '../support/open-small-base.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** How often the person saves in each of the tests. */
const SAVES = Number(process.env['TEST_SAVES'] ?? 60)
/** How long the person rests between two saves, on average: long enough for the agent to write. */
const PAUSE_MS = Number(process.env['TEST_PAUSE'] ?? 80)
/** A little longer than replaced files are looked at. */
const LOOKED_AT = { timeout: 150_000, interval: 200 }

it.each(['rename', 'overwrite', 'twice'] as const)(
  'keeps every save of an editor that saves by: %s',
  { timeout: 600_000 + SAVES * (500 + 2 * PAUSE_MS) },
  async (way) => {
    const folder = temporaryFolder({ 'log.md': '# Log\n\n- agent-begin\n' })
    const file = join(folder, 'log.md')
    const state = join(folder, '.cairn')
    const agent = startAppending(folder, state, 'log.md', 'agent')
    await agent.reached(1)
    const person = startEditor(file, way, PAUSE_MS)
    await person.reached(SAVES)
    await person.stop()
    // The last save may have gone to a file that was just replaced: these are looked at again and
    // again, and for the last time after two minutes.
    await agent.reached(agent.acknowledged.length + 20)
    await vi.waitFor(() => {
      const text = readFileSync(file, 'utf8')
      const said = historyText(state)
      expect(tornIn(text)).toEqual([])
      expect(person.acknowledged.filter((line) => !isKept(line, text, said))).toEqual([])
    }, LOOKED_AT)
    await agent.stop()
    await settle(folder)

    const text = readFileSync(file, 'utf8')
    const lines = text.split('\n')
    const torn = tornIn(text)
    const there = new Set(lines)
    const missing = person.acknowledged.filter((line) => !there.has(line))
    const said = historyText(state)
    const lost = missing.filter((line) => !said.includes(`${line}\\n`))
    const overwritten = agent.acknowledged.filter((line) => !there.has(line))
    const unknown = overwritten.filter((line) => !said.includes(line))
    console.log(
      `${way}: ${person.acknowledged.length} saves and ${agent.acknowledged.length} writes; ` +
        `${lost.length} lost, ${torn.length} torn, ${missing.length} in history only, ` +
        `${overwritten.length} writes overwritten by the editor, ${agent.errors.length} refused`,
    )
    for (const error of new Set(agent.errors)) console.log(error)
    expect({ torn, lost, unknown }).toEqual({ torn: [], lost: [], unknown: [] })
  },
)

/** How many people save, each a few notes of their own, and how many programs write to all of them. */
const PEOPLE = ['rename', 'overwrite', 'twice', 'rename', 'overwrite', 'twice'] as const
const AGENTS = 2
const NOTES_EACH = 5

it(
  'keeps every save of several people who go from note to note',
  { timeout: 600_000 + SAVES * (500 + 2 * PAUSE_MS) },
  async () => {
    const names = PEOPLE.map((_, person) =>
      Array.from({ length: NOTES_EACH }, (_each, note) => `n${person}-${note}.md`),
    )
    const all = names.flat()
    const folder = temporaryFolder(
      Object.fromEntries(all.map((name) => [name, '# Log\n\n- agent-begin\n'])),
    )
    const state = join(folder, '.cairn')
    const agents = Array.from({ length: AGENTS }, (_, index) =>
      startAppending(folder, state, all.join(','), `agent-${index}`),
    )
    await Promise.all(agents.map((agent) => agent.reached(1)))
    const people = PEOPLE.map((way, person) => {
      const files = names[person]!.map((name) => join(folder, name))
      return startEditor(files.join(','), way, PAUSE_MS, `p${person}`)
    })
    await Promise.all(people.map((person) => person.reached(SAVES / 3)))
    for (const person of people) await person.stop()
    const read = () => all.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n')
    const saved = people.flatMap(({ acknowledged }) => acknowledged)
    await vi.waitFor(() => {
      const text = read()
      const said = historyText(state)
      expect(tornIn(text)).toEqual([])
      expect(saved.filter((line) => !isKept(line, text, said))).toEqual([])
    }, LOOKED_AT)
    for (const agent of agents) await agent.stop()
    await settle(folder)

    const there = new Set(read().split('\n'))
    const said = historyText(state)
    const torn = tornIn(read())
    const missing = saved.filter((line) => !there.has(line))
    const lost = missing.filter((line) => !said.includes(`${line}\\n`))
    const written = agents.flatMap(({ acknowledged }) => acknowledged)
    const overwritten = written.filter((line) => !there.has(line))
    const unknown = overwritten.filter((line) => !said.includes(line))
    const errors = agents.flatMap((agent) => agent.errors)
    console.log(
      `${all.length} notes: ${saved.length} saves and ${written.length} writes; ` +
        `${lost.length} lost, ${torn.length} torn, ${missing.length} in history only, ` +
        `${overwritten.length} writes overwritten by an editor, ${errors.length} refused`,
    )
    for (const error of new Set(errors)) console.log(error)
    expect({ torn, lost, unknown }).toEqual({ torn: [], lost: [], unknown: [] })
  },
)

function tornIn(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => !/^(?:# Log|person p\d*-\d+|- agent-[\w-]+|)$/.test(line))
}

function isKept(line: string, text: string, said: string): boolean {
  return text.includes(`${line}\n`) || said.includes(`${line}\\n`)
}

/** What the next start does with whatever was left. */
async function settle(folder: string): Promise<void> {
  const base = await openSmallBaseAt(folder)
  await base.kb.writing!.lock.close()
}

/** Everything the history holds, as it stands on disk: the log, and long contents beside it. */
function historyText(state: string): string {
  const files = readdirSync(join(state, 'history'), { recursive: true, withFileTypes: true })
  const texts = files
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => {
      const text = readFileSync(join(parentPath, name), 'utf8')
      return name.endsWith('.jsonl') ? text : JSON.stringify(text)
    })
  return texts.join('\n')
}
