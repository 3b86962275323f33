/**
 * Before every file of tests: generated cases are the same ones in every run, so that a run says
 * something about the code and not about its luck. `TEST_SEED=random` looks for new ones, and
 * `TEST_SEED=7` takes those of another seed; what is found becomes a test of its own.
 */
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'

const SEED = 20_261_116

const wanted = process.env['TEST_SEED'] ?? String(SEED)
const file = expect.getState().testPath
// Most files generate nothing, and need not wait for the library.
if (wanted !== 'random' && file && readFileSync(file, 'utf8').includes("'fast-check'")) {
  const { default: fc } = await import('fast-check')
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(wanted) })
}
