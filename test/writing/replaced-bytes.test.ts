/** What is kept of replaced files is bounded in bytes, however fast a large note is changed. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { appendToDocument } from '../support/edit-documents.ts'
import { openSmallBase } from '../support/open-small-base.ts'

// Nothing that is kept goes because of its age.
vi.mock('node:timers/promises', async (original) => {
  const timers = await original<typeof import('node:timers/promises')>()
  const setTimeout: typeof timers.setTimeout = (ms, value, options) =>
    options?.ref === false ? new Promise(() => {}) : timers.setTimeout(ms, value, options)
  return { ...timers, setTimeout, default: { ...timers, setTimeout } }
})

const MB = 1024 * 1024
const BOUND = 64 * MB

it('never keeps more than 64 MB', { timeout: 600_000 }, async () => {
  const line = 'some words of a long log line\n'
  const text = `# Big\n\n${line.repeat(Math.ceil((4 * MB) / line.length))}`
  const { kb, folder } = await openSmallBase({ 'big.md': text }, { maxFileBytes: 8 * MB })
  const kept = join(folder, '.cairn', 'replaced')
  const versions: number[] = []
  for (let n = 0; n < 24; n++) {
    await appendToDocument(kb, 'big.md', `- ${n}`, { by: {} })
    const sizes = readdirSync(kept).map((name) => statSync(join(kept, name)).size)
    versions.push(sizes.length)
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    // The last one may come on top of it until the turn is over.
    expect(bytes).toBeLessThan(BOUND + 5 * MB)
  }
  expect(Math.max(...versions)).toBeGreaterThan(10)
})
