/** What the documents say about tools, commands and settings is what the program does. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { generated, ROOT } from '../scripts/reference/documents.ts'
import { SURFACE_NAMES } from '../src/serve/config/config.ts'
import { SURFACE_TOOLS } from '../scripts/reference/tables.ts'

it('is fresh; if not, run "npm run gen"', async () => {
  for (const [path, text] of await generated()) {
    expect([path, readFileSync(join(ROOT, path), 'utf8')]).toEqual([path, text])
  }
})

it('leaves out no surface', () => {
  expect(Object.keys(SURFACE_TOOLS)).toEqual([...SURFACE_NAMES])
  for (const tools of Object.values(SURFACE_TOOLS)) expect(tools.length).toBeGreaterThan(1)
})
