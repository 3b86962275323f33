/** The version people and clients are told. */
import { readFileSync } from 'node:fs'
import { PACKAGE_FOLDER } from './package-folder.ts'

const file = new URL('package.json', PACKAGE_FOLDER)

export const VERSION: string = JSON.parse(readFileSync(file, 'utf8')).version
