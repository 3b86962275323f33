/** A small base with the native tools on top, as a client has it. */
import { openNativeSurface } from '../../src/serve/native/open-native-surface.ts'
import type { Surface, ToolResult } from '../../src/serve/door/surface.ts'
import { openSmallBase, openSmallBaseAt } from './open-small-base.ts'
import type { SmallBase, SmallBaseOptions } from './open-small-base.ts'

export interface TestBase extends SmallBase {
  readonly surface: Surface
  /** Calls a native tool; gives what programs read of it. */
  call(tool: string, args?: unknown): Promise<Record<string, any>>
}

export type TestBaseOptions = SmallBaseOptions

export async function openTestBase(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: TestBaseOptions = {},
): Promise<TestBase> {
  return withTools(await openSmallBase(files, options))
}

/** The same over a folder that exists, without a first look at it. */
export async function openTestBaseAt(
  folder: string,
  options: TestBaseOptions = {},
): Promise<TestBase> {
  return withTools(await openSmallBaseAt(folder, options))
}

function withTools(small: SmallBase): TestBase {
  const log = (error: unknown): void => void small.bugs.push(error)
  const surface = openNativeSurface(small.base, { version: '0.0.0', log })
  return {
    ...small,
    surface,
    async call(tool, args) {
      const signal = new AbortController().signal
      return structuredOf(await surface.call(tool, args, { signal, progress: () => {} }))
    },
  }
}

function structuredOf(result: ToolResult): Record<string, any> {
  const structured = { ...result.structured }
  if ((result.isError ?? false) !== 'error' in structured) {
    throw new Error(`isError does not tell the truth: ${result.texts.join('')}`)
  }
  if (result.texts.join('') === '') throw new Error('a model would read nothing')
  // Clients read what has been over a wire.
  return JSON.parse(JSON.stringify(structured)) as Record<string, any>
}
