/**
 * Loaded before a server (`--import stop-at.ts?moment=placing&armed=FILE`): stops it (`SIGSTOP`) at
 * one moment of the next change that it carries out, once the file is there, and only once.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { searchParams } = new URL(import.meta.url)
const moment = searchParams.get('moment')
const armed = searchParams.get('armed') ?? ''

function stop(): void {
  if (!fs.existsSync(armed)) return
  fs.rmSync(armed)
  process.kill(process.pid, 'SIGSTOP')
}

/** A new content gets its name by a link or by a rename; a file is moved aside by a rename. */
function stopping(put: typeof fs.renameSync): typeof fs.renameSync {
  return (from, to) => {
    const isNew = String(from).includes('.cairn-tmp.')
    const isAside = String(to).includes('/.cairn/replaced/') && put === renameSync
    if (isNew && moment === 'placing') stop()
    if (isAside && moment === 'moving aside') stop()
    put(from, to)
    if (isNew && moment === 'placed') stop()
    if (isAside && moment === 'moved aside') stop()
  }
}
const { linkSync, renameSync, writeSync } = fs
fs.linkSync = stopping(linkSync)
fs.renameSync = stopping(renameSync)

/** Lines of the history. */
fs.writeSync = ((...args: Parameters<typeof writeSync>) => {
  const text = String(args[1])
  if (moment === 'logging' && text.startsWith('{"op":')) stop()
  if (moment === 'ending' && text.startsWith('{"end":')) stop()
  return writeSync(...args)
}) as typeof writeSync
syncBuiltinESMExports()
