/** Where is the table of general meanings? A file of the package, read when it is first needed. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { PACKAGE_FOLDER } from '../kit/package-folder.ts'
import {
  openedFile,
  openWordTable,
  readTableHeader,
  WORD_TABLE_HEADER,
} from '../models/general/word-table.ts'
import type { WordTable } from '../models/general/word-table.ts'

const FILE = new URL('assets/words.bin', PACKAGE_FOLDER)

let opened: { readonly table: WordTable | undefined } | undefined

/** Undefined where the file is missing or damaged: then a base is understood by its own text alone. */
export function packagedWords(): WordTable | undefined {
  opened ??= { table: read() }
  return opened.table
}

/** The file stays open as long as the process lives: another may take its place meanwhile. */
function read(): WordTable | undefined {
  try {
    const file = openSync(FILE, 'r')
    const table = openWordTable(openedFile(file))
    if (!table) closeSync(file)
    return table
  } catch {
    return undefined
  }
}

/** Which table it is, without reading its five megabytes. */
export function packagedWordsId(): string | undefined {
  if (opened) return opened.table?.id
  try {
    const file = openSync(FILE, 'r')
    try {
      const header = new Uint8Array(WORD_TABLE_HEADER)
      readSync(file, header)
      return readTableHeader(header, fstatSync(file).size)?.id
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
}
