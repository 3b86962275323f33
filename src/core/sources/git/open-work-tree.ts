/** The folder of a repository, as git and the file system know it. */
import type { WorkTree } from '../work-tree.ts'
import { readGitHistory } from './read-git-history.ts'
import { readFirst, repositoryStamp } from './repository-stamp.ts'

export function openWorkTree(root: string): WorkTree {
  return {
    stamp: (files) => repositoryStamp(root, files),
    readFirst: (files) => readFirst(root, files),
    history: (paths) => readGitHistory(root, { paths }),
  }
}
