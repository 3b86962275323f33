/**
 * Loaded before a server (`--import die-at.ts?moment=written&armed=FILE`): kills it at one moment of
 * the next change that it carries out, once the file is there.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import pg from 'pg'

const { searchParams } = new URL(import.meta.url)
const moment = searchParams.get('moment')
const armed = searchParams.get('armed') ?? ''

/** The statement that is not sent any more. */
const STATEMENTS: Readonly<Record<string, RegExp>> = {
  taken: /INSERT INTO cairn\.operations /,
  answering: /SET state = 'answered'/,
}

function die(): void {
  if (fs.existsSync(armed)) process.kill(process.pid, 'SIGKILL')
}

/** A file gets its new content by a link or by a rename. */
function puttingInPlace(put: typeof fs.renameSync): typeof fs.renameSync {
  return (temporary, name) => {
    const isSuccessor = String(temporary).includes('.cairn-tmp.')
    if (isSuccessor && moment === 'logged') die()
    put(temporary, name)
    if (isSuccessor && moment === 'written') die()
  }
}
fs.linkSync = puttingInPlace(fs.linkSync)
fs.renameSync = puttingInPlace(fs.renameSync)
syncBuiltinESMExports()

const { query } = pg.Client.prototype
pg.Client.prototype.query = function (this: pg.Client, ...asked: readonly unknown[]) {
  if (STATEMENTS[moment ?? '']?.test(String(asked[0]))) die()
  return Reflect.apply(query, this, asked)
} as typeof query
