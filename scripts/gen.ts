/** Writes what the documents say about tools, commands and settings: `npm run gen`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generated, ROOT } from './reference/documents.ts'

for (const [path, text] of await generated()) writeFileSync(join(ROOT, path), text)
