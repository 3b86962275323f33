/** Every surface of the product, held to what every surface promises. */
import { openSurfaces } from '../../src/serve/wiring/surfaces.ts'
import { SURFACE_NAMES } from '../../src/serve/config/config.ts'
import type { Knowledge } from '../../src/core/operations/view/knowledge.ts'
import { openTestBase } from '../support/open-test-base.ts'
import { describeSurface } from './surface-contract.ts'

const FILES = {
  'tea.md': '---\nname: Tea\ndescription: A drink\n---\n# Tea\n\nSee [[kettle]].\n',
  'kettle.md': '# Kettle\n',
  'knowledge/entities/concepts.jsonl':
    '{"id":"rag","type":"tech","name":"RAG","desc":"","tags":[],"updated_at":"2026-01-01T00:00:00"}\n',
}

for (const name of SURFACE_NAMES) {
  const opened = async (kb: Knowledge, state: string) => {
    const bugs: unknown[] = []
    const log = (error: unknown) => void bugs.push(error)
    const options = { log: () => {}, onBug: log, state }
    return { surface: (await openSurfaces(kb, [name], options))[0]!.surface, bugs }
  }
  describeSurface(name, {
    open: async ({ readOnly = false } = {}) => {
      const { base, state } = await openTestBase(FILES, { kind: 'both', readOnly })
      return opened(base, state)
    },
    openBroken: async (error) => {
      const { base, state } = await openTestBase(FILES, { kind: 'both' })
      const store = new Proxy(base.store, { get: () => () => Promise.reject(error) })
      const index = { ...base.index, look: () => Promise.reject(error) }
      return opened({ ...base, store, index } as Knowledge, state)
    },
  })
}
