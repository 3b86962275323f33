import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { compileCore, CORE } from '../scripts/build-core.ts'

it('the compiled core is what its sources compile to', async () => {
  expect(readFileSync(CORE).equals(await compileCore())).toBe(true)
})
