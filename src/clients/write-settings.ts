/** Reads and writes settings files of other programs: whole or not at all, with what was there kept. */
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { KnowledgeError } from '../domain/error.ts'
import type { ConnectionPlan, Found } from './plan-connection.ts'

/** What was in the file before Cairn wrote into it lies beside it under this name. */
export function backupOf(file: string): string {
  return `${file}.before-cairn`
}

/** Hooks may stand in the file that names servers: each has a text of its own to go back to. */
export function hookBackupOf(file: string): string {
  return `${file}.before-cairn-hooks`
}

export function readSettingsFile(file: string, backup = backupOf(file)): Found {
  return { file, text: textOf(file), backup: textOf(backup) }
}

export function writeSettings(
  { file, action, before, after }: Omit<ConnectionPlan, 'client'>,
  backup = backupOf(file),
): void {
  if (action === 'none') return
  if (textOf(file) !== before) throw changedMeanwhile(file)
  const restores = action === 'remove' && after !== undefined && textOf(backup) === after
  if (restores || after === undefined) rmSync(backup, { force: true })
  // The oldest text without us is what is worth keeping.
  else if (before !== undefined && (action !== 'change' || !existsSync(backup))) {
    replaceFile(backup, before, modeOf(file))
  }
  if (after === undefined) rmSync(file)
  else replaceFile(file, after, modeOf(file))
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** Somebody's settings may hold keys: a new file is for its owner alone. */
function modeOf(file: string): number {
  return existsSync(file) ? statSync(file).mode & 0o777 : 0o600
}

/** Dotfiles are often links: the file they lead to is replaced, the link stays. */
function replaceFile(path: string, text: string, mode: number): void {
  const file = existsSync(path) ? realpathSync(path) : path
  mkdirSync(dirname(file), { recursive: true })
  const beside = `${file}.cairn-${process.pid}`
  try {
    writeFileSync(beside, text, { mode })
    chmodSync(beside, mode)
    const handle = openSync(beside, 'r')
    fsyncSync(handle)
    closeSync(handle)
    renameSync(beside, file)
  } finally {
    rmSync(beside, { force: true })
  }
}

function changedMeanwhile(file: string): Error {
  return new KnowledgeError(
    'conflict',
    `${file} was changed in the meantime.`,
    'Run the command again.',
  )
}
