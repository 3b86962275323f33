/** What a repository tells besides its documents: who committed what when, and its own lists. */

export interface GitStamp {
  readonly commit: string
  /** Milliseconds since the epoch. */
  readonly committedAt: number
}

export interface Commit {
  readonly id: string
  /** When its author made it, milliseconds since the epoch. */
  readonly at: number
  readonly author: string
  /** The first line. */
  readonly message: string
}

export interface GitHistory {
  /** The commit that is checked out. */
  readonly head: string
  /** By path below the folder. A file that was never committed is missing. */
  readonly stamps: ReadonlyMap<string, GitStamp>
}

export interface WorkTree {
  /** The same text as long as no other commit is checked out and none of the files has changed. */
  stamp(files: readonly string[]): string
  /** The text of the first of the files that is there. */
  readFirst(files: readonly string[]): string | undefined
  /** When each of the paths was last committed; undefined outside of a repository. */
  history(paths: ReadonlySet<string>): Promise<GitHistory | undefined>
}

/** What git keeps of the files of one source. Paths are below its folder. */
export interface FileHistory {
  /** Who changed a file, newest first. */
  commits(
    path: string,
    page: { readonly skip: number; readonly limit: number },
  ): Promise<readonly Commit[]>
  /**
   * What a file held at a commit, by the beginning of its id, or after the last one that is not later
   * than a moment. Undefined where no commit is meant.
   */
  versionAt(
    path: string,
    wanted: { readonly commit: string } | { readonly before: number },
  ): Promise<GitVersion | undefined>
  /** All files after the last commit that is not later than a moment: git's name of each content. */
  treeAt(
    before: number,
  ): Promise<{ readonly commit: Commit; readonly files: ReadonlyMap<string, string> } | undefined>
  /** By their names; those that are there. */
  contents(ids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>
  /** Commits that changed how often a text stands in a file, newest first; `count` says how often. */
  changesOfText(
    path: string,
    text: string,
    options: { readonly limit: number; readonly count: (bytes: Uint8Array) => number },
  ): Promise<readonly TextInCommit[]>
}

export interface GitVersion {
  readonly commit: Commit
  /** Undefined: the file was not there. */
  readonly bytes: Uint8Array | undefined
}

export interface TextInCommit {
  readonly commit: Commit
  /** Or taken away. */
  readonly brought: boolean
}
