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
