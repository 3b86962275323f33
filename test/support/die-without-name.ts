/**
 * Loaded before a program that writes: kills it in the very moment in which a file has been moved
 * aside and its successor has not got the name yet.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { linkSync } = fs

fs.linkSync = (existing, name) => {
  const isSuccessor = String(existing).includes('.cairn-tmp.')
  if (isSuccessor && !fs.existsSync(name)) process.kill(process.pid, 'SIGKILL')
  linkSync(existing, name)
}
syncBuiltinESMExports()
