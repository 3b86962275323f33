/** Ids of documents and paths of files: a shell speaks of paths, from where one stands. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { cleanLine } from './terminal.ts'
import type { Terminal } from './terminal.ts'

export interface Places {
  /** The id of a document that was named by a path; any other word stays as it is. */
  idOf(word: string): string
  /** Absolute; undefined where there is no such file, as for entities. */
  fileOf(id: string): string | undefined
  /** From the current folder where it lies below, else absolute; the id where there is no file. */
  shown(id: string): string
  /** `notes/tea.md:12`, which terminals and editors open. */
  link(id: string, line?: number): string
}

export interface PlacesInput {
  readonly sources: readonly { readonly name: string; readonly path: string }[]
  readonly cwd: string
  readonly terminal: Terminal
  readonly env: Readonly<Record<string, string | undefined>>
}

export function placesOf({ sources, cwd, terminal, env }: PlacesInput): Places {
  const folders = new Map(sources.map(({ name, path }) => [name, path]))
  const fileOf = (id: string): string | undefined => {
    const slash = id.indexOf('/')
    const folder = slash < 0 ? undefined : folders.get(id.slice(0, slash))
    if (folder === undefined) return undefined
    const file = join(folder, id.slice(slash + 1))
    return existsSync(file) ? file : undefined
  }
  const shown = (id: string): string => {
    const file = fileOf(id)
    if (file === undefined) return cleanLine(id)
    const near = relative(cwd, file)
    return cleanLine(near.startsWith(`..${sep}`) || isAbsolute(near) ? file : near)
  }
  return {
    fileOf,
    shown,
    idOf(word) {
      const isPath = /^(\.{0,2}\/|~\/|[A-Za-z]:[\\/])/.test(word)
      const path = resolve(cwd, word.replace(/^~(?=\/)/, homedir()))
      if (!isPath && !existsSync(path)) return word
      for (const { name, path: folder } of sources) {
        const below = relative(folder, path)
        if (below === '' || below.startsWith('..') || isAbsolute(below)) continue
        return `${name}/${below.split(sep).join('/')}`
      }
      return word
    },
    link(id, line) {
      const text = shown(id) + (line === undefined ? '' : `:${line}`)
      const file = terminal.hyperlinks ? fileOf(id) : undefined
      return file === undefined ? text : hyperlink(addressOf(file, line, env), text)
    },
  }
}

/** Inside an editor's own terminal a click opens the line there. */
function addressOf(file: string, line: number | undefined, env: PlacesInput['env']): string {
  const { href, pathname } = pathToFileURL(file)
  if (env['TERM_PROGRAM'] !== 'vscode') return href
  return `vscode://file${pathname}${line === undefined ? '' : `:${line}`}`
}

/** OSC 8, which terminals that do not know it leave out. */
function hyperlink(address: string, text: string): string {
  return `\u001b]8;;${address}\u001b\\${text}\u001b]8;;\u001b\\`
}
