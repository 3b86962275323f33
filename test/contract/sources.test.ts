/** Every source and every writer, held to its contract. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openGraph } from '../../src/serve/parts/open-graph.ts'
import { entityPath } from '../../src/core/domain/entity-document.ts'
import { openFolderSource } from '../../src/core/sources/folder/open-folder-source.ts'
import { openGraphSource } from '../../src/core/sources/jsonl/open-graph-source.ts'
import { withEntities } from '../../src/core/sources/with-entities.ts'
import { temporaryFolder, writeFiles } from '../support/temporary-folder.ts'
import { describeSource } from './source-contract.ts'
import type { OpenedSource } from './source-contract.ts'
import { describeSourceWriter } from './source-writer-contract.ts'

function openFolder(files: Readonly<Record<string, string>>): OpenedSource {
  const named = Object.entries(files).map(([name, text]) => [`${name}.md`, text])
  const root = temporaryFolder(Object.fromEntries(named))
  const pathOf = (name: string) => `${name}.md`
  return {
    source: openFolderSource({ name: 'notes', root, extensions: ['md'] }),
    pathOf,
    put: (name, text) => writeFileSync(join(root, pathOf(name)), text),
    remove: (name) => rmSync(join(root, pathOf(name))),
    takeAway: () => rmSync(root, { recursive: true }),
  }
}

function openEntities(files: Readonly<Record<string, string>>): OpenedSource {
  const root = temporaryFolder()
  const held = new Map(Object.entries(files))
  const write = (): void => {
    const lines = [...held].map(([id, desc]) =>
      JSON.stringify({ id, type: 'thing', name: id, desc, tags: [], updated_at: '2026-01-01' }),
    )
    writeFiles(root, {
      'knowledge/entities/things.jsonl': lines.map((line) => `${line}\n`).join(''),
    })
  }
  write()
  return {
    source: openGraphSource({
      name: 'notes',
      root,
      watchMs: 10,
      openGraph: () => openGraph(root, { readOnly: true }),
    }),
    pathOf: entityPath,
    put(name, text) {
      held.set(name, text)
      write()
    },
    remove(name) {
      held.delete(name)
      write()
    },
    takeAway: () => rmSync(root, { recursive: true }),
  }
}

describeSource('folder', openFolder)
describeSource('graph', openEntities)
describeSource('folder with entities', (files) => {
  const notes = openFolder(files)
  return { ...notes, source: withEntities(notes.source, openEntities({}).source) }
})

describeSourceWriter('folder', (files) => {
  const root = temporaryFolder(files)
  const { writer } = openFolderSource({ name: 'notes', root, extensions: ['md'] })
  const at = (path: string) => join(root, path)
  return {
    writer: writer!,
    look: (path) => (existsSync(at(path)) ? readFileSync(at(path), 'utf8') : undefined),
    put: (path, text) => writeFileSync(at(path), text),
  }
})
