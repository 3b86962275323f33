import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { listSuites } from './test/suites.ts'

const { quick, full, apart, long } = listSuites()

/**
 * What changes nothing outside of itself needs no process of its own, which is much of the work; a
 * third one works while the others wait for a clock, a process or a browser.
 */
const SHARED = { isolate: false, maxWorkers: 3 }

export default defineConfig({
  test: {
    setupFiles: ['test/support/seeds.ts'],
    // Every server that is started has a thread that indexes: it takes what the first one compiled.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'cairn-test-compiled') },
    // Guards against what hangs, not measures of what is slow: a busy machine takes its time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 150_000 } },
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'quick',
          include: [...quick],
          ...SHARED,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'full', include: [...full], ...SHARED, sequence: { groupOrder: 1 } },
      },
      { extends: true, test: { name: 'apart', include: [...apart], sequence: { groupOrder: 2 } } },
      {
        extends: true,
        test: {
          name: 'long',
          include: [...long],
          testTimeout: 600_000,
          hookTimeout: 600_000,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})
