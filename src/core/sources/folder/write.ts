/** Changes files of a folder: where a new one may go, what is there, and a group of changes as one. */
import type { SourceWriter } from '../../domain/source.ts'
import { missingFolders, place } from './choose-place.ts'
import { load, loadPart, stirred } from './load-file.ts'
import type { Work } from './load-file.ts'
import { namelessFiles } from './nameless-files.ts'
import { ReplacedFiles } from './replaced-files.ts'
import type { Tree } from './scan.ts'
import { disarm, strays, sweep } from './temporaries.ts'
import { Group } from './write-group.ts'

export function folderWriter(tree: Tree): SourceWriter {
  const replaced = new ReplacedFiles(tree.root)
  const work: Work = { tree, replaced, own: new Map(), plain: new Map() }
  return {
    place: async (path, options = {}) => place(tree, path, options),
    load: async (path) => load(work, path),
    loadPart: async (path, from, length) => loadPart(tree, path, from, length),
    stirred: async (path) => stirred(tree, path),
    missingFolders: async (path) => missingFolders(tree, path),
    async apply(changes, operation, options) {
      const group = new Group(work, changes, operation, options)
      const kept = await group.apply()
      group.rememberPlain()
      return kept
    },
    replaced: () => work.replaced.list(),
    nameless: (beside = []) => namelessFiles(tree.root, beside),
    strays: (beside) => strays(tree, beside),
    sweep: (beside) => sweep(tree, beside),
    disarm: () => disarm(tree),
  }
}
