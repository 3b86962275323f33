/** Real folders for tests, removed when the test is over. */
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { removeFolder } from './remove-folder.ts'

/** Called with what is to be done when the test, or whatever else it stands for, is over. */
export type OnFinished = (clean: () => void | Promise<void>) => void

/** Writes `files` (path → content) below a fresh folder and returns its real path. */
export function temporaryFolder(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  onFinished: OnFinished = onTestFinished,
): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-test-')))
  onFinished(() => removeFolder(root))
  writeFiles(root, files)
  return root
}

export function writeFiles(
  root: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
}
