/**
 * When V8 compiles with its last and dearest compiler, on threads of its own that compete with what
 * is being done: after so many calls of a function. Only what is called for long pays it back.
 */
import { setEngineFlag } from './code-cache.ts'

/** The engine of Node 24; others may not know the flag, and would say so on standard error. */
const COUNTS_CALLS = /^13\./

export function compileLast(when: 'usual' | 'late'): void {
  if (!COUNTS_CALLS.test(process.versions.v8)) return
  setEngineFlag('--invocation-count-for-turbofan', when === 'late' ? 30_000 : 10_000, 10_000)
}
