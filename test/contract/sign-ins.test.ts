/** Where sign-ins are kept, held to one contract: in a file, on PGlite, on a real server. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { SignIns } from '../../src/core/domain/sign-ins.ts'
import { parseStoreAddress } from '../../src/core/domain/store-address.ts'
import { openPostgresStore } from '../../src/team/postgres/open-postgres-store.ts'
import { openSignIns } from '../../src/core/store/sqlite/open-sign-ins.ts'
import { POSTGRES_BIN, WHY_SKIPPED } from '../support/postgres-server.ts'
import { pglite, real, type Server } from '../support/store-servers.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const HOUR = 3_600_000
const later = () => Date.now() + HOUR

/** `open` twice with one name is two servers of one base. */
function describeSignIns(open: (base: string) => Promise<SignIns>): void {
  it('has one key for all servers of a base, and another for another base', async () => {
    const all = await Promise.all(['a', 'a', 'b'].map(open))
    const [one, same, other] = await Promise.all(all.map((each) => each.key()))
    expect(one).toMatch(/^[0-9a-f]{64}$/)
    expect([same === one, other === one]).toEqual([true, false])
  })

  it('lets one of many begin, and one of many take each step', async () => {
    const servers = await Promise.all(['c', 'c', 'c'].map(open))
    const won = async (work: (signIns: SignIns) => Promise<boolean>) =>
      (await Promise.all([...servers, ...servers].map(work))).filter(Boolean).length
    expect(await won((each) => each.begin('x', later()))).toBe(1)
    expect(await won((each) => each.advance('x', 0, later()))).toBe(1)
    expect(await won((each) => each.advance('x', 1, later()))).toBe(1)
    expect(await won((each) => each.advance('x', 0, later()))).toBe(0)
    expect(await won((each) => each.advance('unknown', 0, later()))).toBe(0)
  })

  it('knows at every server what ended, and nothing of another base', async () => {
    const [one, other, stranger] = await Promise.all(['d', 'd', 'e'].map(open))
    await one!.begin('x', later())
    await stranger!.begin('x', later())
    expect(await other!.hasEnded('x')).toBe(false)
    await one!.end('x', later())
    await one!.end('never begun', later())
    expect(await one!.hasEnded('x')).toBe(true)
    await expect.poll(() => other!.hasEnded('x'), { timeout: 60_000 }).toBe(true)
    expect(await other!.hasEnded('never begun')).toBe(true)
    expect(await other!.begin('never begun', later())).toBe(false)
    expect(await other!.advance('x', 0, later())).toBe(false)
    expect(await stranger!.hasEnded('x')).toBe(false)
    expect(await stranger!.advance('x', 0, later())).toBe(true)
  })

  it('forgets what is over', async () => {
    const signIns = await open('f')
    await signIns.begin('old', Date.now() - 1)
    expect(await signIns.begin('new', later())).toBe(true)
    expect(await signIns.advance('old', 0, later())).toBe(false)
    expect(await signIns.begin('old', later())).toBe(true)
  })

  it('forgets what ended long ago when the next one ends', async () => {
    const signIns = await open('g')
    await signIns.end('old', Date.now() - 1)
    await signIns.end('new', later())
    // The look at those that ended may be a second old.
    const other = await open('g')
    expect([await other.hasEnded('old'), await other.hasEnded('new')]).toEqual([false, true])
  })
}

describe('in a file', () => {
  const folder = temporaryFolder({}, () => {})
  describeSignIns(async (base) => {
    const signIns = openSignIns(join(folder, base, 'sign-in.db'))
    onTestFinished(() => signIns.close())
    return signIns
  })

  const opened = (state: string, most?: number): SignIns => {
    const signIns = openSignIns(join(state, 'sign-in.db'), most === undefined ? {} : { most })
    onTestFinished(() => signIns.close())
    return signIns
  }

  it('is nobody else’s to read', async () => {
    const state = temporaryFolder()
    const signIns = opened(state)
    await signIns.begin('x', later())
    const files = readdirSync(state).filter((name) => name.startsWith('sign-in.'))
    expect(files).toContain('sign-in.db')
    for (const name of files) expect(statSync(join(state, name)).mode & 0o777).toBe(0o600)
  })

  it('stays small: those that end first give way, and what ended stays ended', async () => {
    const signIns = opened(temporaryFolder(), 10)
    await signIns.begin('bad', later())
    await signIns.end('bad', later())
    for (let n = 0; n < 50; n++) await signIns.begin(`x${n}`, later() + n)
    expect(await signIns.advance('x0', 0, later())).toBe(false)
    expect(await signIns.advance('x49', 0, later())).toBe(true)
    expect(await signIns.hasEnded('bad')).toBe(true)
  })

  it('begins anew with another key where it cannot be read', async () => {
    const state = temporaryFolder()
    const first = opened(state)
    const key = await first.key()
    first.close()
    writeFileSync(join(state, 'sign-in.db'), 'nonsense that is no database at all')
    const again = opened(state)
    expect(await again.key()).not.toBe(key)
    expect(await again.begin('x', later())).toBe(true)
  })

  it('keeps what a process was told that is killed in the same moment', async () => {
    const state = temporaryFolder()
    const module = new URL('../../src/core/store/sqlite/open-sign-ins.ts', import.meta.url).href
    const program = `
      const { openSignIns } = await import(${JSON.stringify(module)})
      const signIns = openSignIns(${JSON.stringify(join(state, 'sign-in.db'))})
      await signIns.begin('x', ${later()})
      await signIns.advance('x', 0, ${later()})
      process.kill(process.pid, 'SIGKILL')`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    await once(child, 'exit')
    expect(child.signalCode).toBe('SIGKILL')
    const signIns = opened(state)
    expect(await signIns.advance('x', 0, later())).toBe(false)
    expect(await signIns.advance('x', 1, later())).toBe(true)
  })
})

function describeOn(start: () => Promise<Server>): void {
  let server: Server
  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server.close())
  describeSignIns(async (base) => {
    const address = parseStoreAddress(`${server.url}?base=${base}`)
    const more = { format: 'test', sources: '', copies: temporaryFolder() }
    const store = await openPostgresStore({ address, ...more })
    onTestFinished(() => store.close())
    return store.signIns
  })
}

describe('on PGlite', () => describeOn(pglite))
describe.skipIf(!POSTGRES_BIN)(`on a server${POSTGRES_BIN ? '' : ` (${WHY_SKIPPED})`}`, () =>
  describeOn(real),
)
