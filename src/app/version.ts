/** The version people and clients are told. */
import { readFileSync } from 'node:fs'

const file = new URL('../../package.json', import.meta.url)

export const VERSION: string = JSON.parse(readFileSync(file, 'utf8')).version
