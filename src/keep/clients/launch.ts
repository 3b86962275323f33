/** The command with which a client starts Cairn on somebody's folders. */
import { basename, relative, sep } from 'node:path'
import type { Launch } from './client.ts'

export interface ServedFolders {
  readonly sources: readonly { readonly name: string; readonly path: string }[]
  /** The configuration that names them, where one does. */
  readonly configFile: string | undefined
  readonly options: readonly string[]
}

export interface Installation {
  /** The Node that runs now. */
  readonly node: string
  /** `bin/cairn.js` of this installation. */
  readonly launcher: string
}

/** On this machine: absolute, because programs with windows know no PATH of a shell. */
export function launchHere(folders: ServedFolders, { node, launcher }: Installation): Launch {
  const args = ['serve', ...servedWords(folders, (path) => path)]
  // What npx has unpacked is thrown away some day.
  return isPassing(launcher)
    ? { kind: 'command', command: 'npx', args: ['-y', 'cairn-kb', ...args] }
    : { kind: 'command', command: node, args: [launcher, ...args] }
}

/** For everybody who has the project, wherever they have it. */
export function launchAnywhere(folders: ServedFolders, project: string, root: string): Launch {
  const portable = (path: string): string => {
    const below = relative(project, path).split(sep).join('/')
    return below.startsWith('..') ? path : below === '' ? root : `${root}/${below}`
  }
  const args = ['-y', 'cairn-kb', 'serve', ...servedWords(folders, portable)]
  return { kind: 'command', command: 'npx', args }
}

function servedWords(
  { sources, configFile, options }: ServedFolders,
  written: (path: string) => string,
): readonly string[] {
  if (configFile !== undefined) return ['--config', written(configFile), ...options]
  const folders = sources.map(({ name, path }) =>
    basename(path) === name ? written(path) : `${name}=${written(path)}`,
  )
  return [...folders, ...options]
}

function isPassing(launcher: string): boolean {
  return launcher.split(/[\\/]/).includes('_npx')
}
