/** While the database is gone, a server that knows the base goes on answering, and says so. */
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { formatOf } from '../../src/serve/parts/formats.ts'
import { openKnowledge } from '../../src/serve/parts/open-knowledge.ts'
import { openSources } from '../../src/serve/parts/sources.ts'
import { writingIn } from '../../src/serve/parts/stores.ts'
import { openWriting } from '../../src/serve/wiring/writing.ts'
import { parseStoreAddress } from '../../src/core/domain/store-address.ts'
import { sync } from '../../src/core/indexing/indexer.ts'
import { warmUp } from '../../src/core/operations/view/warm-up.ts'
import { openPostgresStore } from '../../src/team/postgres/open-postgres-store.ts'
import { asReplica } from '../../src/team/replica/as-replica.ts'
import { openNativeSurface } from '../../src/serve/native/open-native-surface.ts'
import { POSTGRES_BIN, startPostgres, WHY_SKIPPED } from '../support/postgres-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const NOTES = {
  'tea.md': '# Tea\n\nLeaves in hot water, from a [[kettle]].\n',
  'kettle.md': '# Kettle\n\nBoils water until it whistles.\n',
}

describe.skipIf(!POSTGRES_BIN)(
  `a database that goes${POSTGRES_BIN ? '' : `: ${WHY_SKIPPED}`}`,
  () => {
    it(
      'is missed by nobody who only asks, and by everybody who writes',
      { timeout: 600_000 },
      async () => {
        const server = await startPostgres(['fsync=off'])
        onTestFinished(() => server.remove())
        const { base, call } = await openBaseAt(server.url())
        const found = async (query: string) => {
          const { results, indexing: note } = await call('search', { query })
          return { ids: results.map(({ id }: { id: string }) => id).toSorted(), note }
        }
        await warmUp(base)
        const both = ['notes/kettle.md', 'notes/tea.md']
        expect(await found('water')).toEqual({ ids: both, note: undefined })

        // The first who hears nothing is one who reads what was read before.
        await call('fetch', { id: 'notes/tea.md' })
        server.kill()
        const { text, indexing } = await call('fetch', { id: 'notes/tea.md' })
        expect(text).toContain('Leaves in hot water')
        expect(indexing).toMatch(/the database has not answered since \d{4}-/)
        const away = await found('hot water whistles')
        expect(away.ids).toEqual(both)
        expect(away.note).toMatch(/the database has not answered since \d{4}-/)
        const { error } = await call('write', { action: 'create', id: 'cup.md', content: 'A cup.' })
        expect(error).toMatchObject({ code: 'unavailable' })
        expect(error.message).toContain('does not answer')

        server.stop()
        server.start()
        await vi.waitFor(async () => expect((await found('kettle water')).note).toBeUndefined(), {
          timeout: 150_000,
          interval: 100,
        })
        const written = await call('write', { action: 'create', id: 'cup.md', content: 'A cup.' })
        expect(written.error).toBeUndefined()
        expect((await found('cup')).ids).toEqual(['notes/cup.md'])
      },
    )
  },
)

async function openBaseAt(url: string) {
  const folder = temporaryFolder(NOTES)
  const state = temporaryFolder()
  const rules = { include: [], exclude: [], hidden: false }
  const sources = openSources({
    sources: [{ name: 'notes', path: folder, ...rules }],
    maxFileBytes: 1_000_000,
  })
  const opened = asReplica({
    store: await openPostgresStore({
      address: parseStoreAddress(`${url}?base=outage`),
      format: 'test',
      sources: '',
      copies: temporaryFolder(),
    }),
    warning: undefined,
    openWriting: async () => writingIn(state),
  })
  const { store } = opened
  onTestFinished(() => store.close())
  const lease = (await store.acquireLease(`${process.pid}@test:outage`, 60_000))!
  await sync({ store, sources: [...sources.values()], formatOf, lease })
  const http = { host: '', port: 0, allowedHosts: [], allowedOrigins: [], publicUrl: undefined }
  const writing = await openWriting(opened)
  onTestFinished(() => writing.close())
  const trouble = opened.trouble!
  const base = openKnowledge({ config: { http }, store, sources, writing, trouble })
  const surface = openNativeSurface(base, { version: '0.0.0', log: () => {} })
  return {
    base,
    async call(tool: string, args: object): Promise<Record<string, any>> {
      const signal = new AbortController().signal
      return { ...(await surface.call(tool, args, { signal, progress: () => {} })).structured }
    },
  }
}
