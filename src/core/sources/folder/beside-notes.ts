/**
 * What editors of notes keep beside them: settings in folders of their own, and templates, which may
 * stand where nothing is indexed. Read when asked for, small files only, never outside of the root.
 */
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BesideNotes } from '../../domain/source.ts'
import { decodeText } from '../../domain/format.ts'
import { isNotePath } from '../../kit/paths.ts'
import { resolveInside } from './paths.ts'
import { wouldOffer, type Tree } from './scan.ts'

const LARGEST = 1024 * 1024
const MOST_FILES = 500
const DEEPEST = 6

export function besideNotes(tree: Tree): BesideNotes {
  /** What an ignore file keeps out of the index may be used as a template; what the server's own rules leave out may not. */
  const rules: Tree = tree.heedsIgnoreFiles ? { ...tree, heedsIgnoreFiles: 'own' } : tree
  const isReadable = (path: string): boolean =>
    SETTINGS.test(path) || (isNotePath(path) && (FOAM.test(path) || wouldOffer(rules, path)))
  const look = (path: string) => {
    try {
      const { real, stats } = resolveInside(tree.root, path)
      // What a link leads to goes by its own name, and may be something that nobody is shown.
      const isItself = real === join(tree.root, ...path.split('/'))
      return stats && isItself ? { real, stats } : undefined
    } catch {
      // A path that leads out, or that nobody can look at, is as good as empty.
      return undefined
    }
  }
  return {
    text(path) {
      const found = isReadable(path) ? look(path) : undefined
      if (!found?.stats.isFile()) return undefined
      if (found.stats.size > LARGEST) return 'too large'
      try {
        const text = decodeText(readFileSync(found.real))
        return text === undefined ? 'no text' : { text }
      } catch {
        return undefined
      }
    },
    notes(folder) {
      const paths: string[] = []
      const walk = (path: string, depth: number): void => {
        const found = look(path)
        if (!found?.stats.isDirectory()) return
        for (const name of namesIn(found.real)) {
          if (paths.length === MOST_FILES) return
          const each = `${path}/${name}`
          const place = lstatSync(join(found.real, name), { throwIfNoEntry: false })
          if (place?.isDirectory() && depth < DEEPEST) walk(each, depth + 1)
          else if (!place?.isDirectory() && isReadable(each) && look(each)?.stats.isFile())
            paths.push(each)
        }
      }
      if (folder !== '') walk(folder, 0)
      return paths
    },
  }
}

const SETTINGS =
  /^(?:\.obsidian\/(?:plugins\/[\w-]{1,100}\/data|[\w-]{1,100})|\.vscode\/settings)\.json$/
const FOAM = /^\.foam\/templates\//

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted()
  } catch {
    return []
  }
}
