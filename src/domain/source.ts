/** Where knowledge comes from. The contract every kind of source keeps. */

export interface FileEntry {
  /** Below the root, true case, forward slashes, normalised to NFC only for comparison. */
  readonly path: string
  readonly size: number
  /** Milliseconds since the epoch, with the fraction the file system gives. */
  readonly modifiedAt: number
}

/** A file the source knows about and does not offer, with the reason said to a person. */
export interface SkippedFile extends FileEntry {
  readonly reason: string
}

export interface Scan {
  readonly files: readonly FileEntry[]
  readonly skipped: readonly SkippedFile[]
}

export type FileContent =
  | (FileEntry & { readonly kind: 'text'; readonly text: string; readonly digest: string })
  | (FileEntry & { readonly kind: 'skipped'; readonly reason: string })
  /** The file vanished between the scan and the reading. */
  | { readonly kind: 'gone'; readonly path: string }
  | { readonly kind: 'failed'; readonly path: string; readonly reason: string }

/** What a watcher noticed. A hint, never the truth: the receiver looks again. */
export interface SourceChange {
  /** Paths that may have changed, appeared or vanished; undefined means "look at everything". */
  readonly paths: readonly string[] | undefined
}

export interface Watching {
  close(): void
}

export interface Source {
  readonly name: string
  readonly root: string
  /** Everything below the root that the rules let through, in path order. */
  scan(): Promise<Scan>
  /** Looks at some paths only (files or folders), for a change that was noticed. */
  rescan(paths: readonly string[]): Promise<Scan>
  /** Reads files in the order given. Never throws for a single file. */
  read(paths: readonly string[]): Promise<FileContent[]>
  /** Calls back, soon and in batches, when something below the root may have changed. */
  watch(onChange: (change: SourceChange) => void): Promise<Watching>
}
