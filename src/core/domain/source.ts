/** Where knowledge comes from. The contract every kind of source keeps. */
import type { Contents } from './contents.ts'
import type { EntityGraph } from './entity-graph.ts'
import { KnowledgeError } from './error.ts'
import type { ErrorCode } from './error.ts'

export interface FileEntry {
  /** Below the root, as the file system spells it, with forward slashes. Compare it in NFC. */
  readonly path: string
  readonly size: number
  /** Milliseconds since the epoch, with the fraction the file system gives. */
  readonly modifiedAt: number
  /**
   * Another one means that the file may have been written or replaced, even where size and time are
   * the same. Undefined where the source cannot tell.
   */
  readonly stamp?: string
}

/**
 * A file the source knows about and does not offer, with the reason said to a person. Also a folder
 * or link that could not be entered. Size and time are 0 where they are not known.
 */
export interface SkippedFile extends FileEntry {
  readonly reason: string
}

export interface Scan {
  readonly files: readonly FileEntry[]
  readonly skipped: readonly SkippedFile[]
  /** What was passed by without a reason of its own; missing where a source offers all it has. */
  readonly leftOut?: LeftOut
}

/** Given what a scan has found so far, in no order. */
export type OnFound = (files: readonly FileEntry[]) => Promise<void> | undefined

/** How many files and folders are none of our business, and by what. A folder counts as one. */
export interface LeftOut {
  /** Files that no format reads, by extension: `.png`. */
  readonly types: Readonly<Record<string, number>>
  /** The first of these, by their paths. */
  readonly unread?: readonly string[]
  /** Pictures, which are no documents, by their paths in no order. */
  readonly pictures?: readonly string[]
  /** By the rule that names them: `dist/ (.gitignore)`, `exclude`. */
  readonly rules: Readonly<Record<string, number>>
}

export type FileContent =
  /** `text` is without a byte order mark; `digest` is the sha256 of the file's bytes, in hex. */
  | (FileEntry & { readonly kind: 'text'; readonly text: string; readonly digest: string })
  | (FileEntry & { readonly kind: 'skipped'; readonly reason: string })
  /** The file vanished between the scan and the reading. */
  | { readonly kind: 'gone'; readonly path: string }
  /** `isPassing`: another time may be better, and what is known of the file goes on to hold. */
  | {
      readonly kind: 'failed'
      readonly path: string
      readonly reason: string
      readonly isPassing?: boolean
    }

/** What the index knows of a file, by its path. */
export type IndexedFiles = (path: string) => IndexedFile | undefined

export interface IndexedFile {
  readonly size: number
  readonly modifiedAt: number
  readonly stamp?: string
  readonly checkedAt?: number
  readonly digest: string
}

/** What was changed within this time has just changed. A clock may run ahead of a disk's, or behind. */
export const JUST_NOW_MS = 60_000

/** What a watcher noticed. A hint, never the truth: the receiver looks again. */
export interface SourceChange {
  /**
   * Files and folders that may have changed, appeared or vanished; a folder stands for everything
   * below it. Undefined means "look at everything".
   */
  readonly paths: readonly string[] | undefined
  /** It is looked to be sure; nothing says that anything has changed. */
  readonly isRoutine?: boolean
}

export interface Watching {
  close(): void
}

/** Who may do what with a file. */
export interface FileAttributes {
  /** Permission bits. */
  readonly mode: number
  readonly uid: number
  readonly gid: number
}

/** The bytes of a file as they are now. */
export interface FileBytes extends FileEntry, FileAttributes {
  readonly bytes: Uint8Array
  /** sha256 of the bytes, in hex. */
  readonly digest: string
  /** Where a symbolic link leads, as it is written, when the path is one. */
  readonly link?: string
  /** Someone else wrote to it a moment ago, and may not be done. */
  readonly unrested: boolean
  /** The same within the last minute: an editor may have stopped in the middle of a save. */
  readonly isFresh?: boolean
}

/** Some bytes of a file that may be too large to be in memory. */
export interface FilePart {
  readonly bytes: Uint8Array
  /** Of the whole file. */
  readonly size: number
  /** Another one: the parts read before are of another file. */
  readonly stamp: string
}

/** One file of a group that is written together. */
export interface FileChange {
  readonly path: string
  /** Digest of what must be there now; undefined: nothing may be there. */
  readonly expect: string | undefined
  /** What is there afterwards; undefined: nothing. */
  readonly bytes: Uint8Array | undefined
  /** A file whose permissions a new one takes over, because it was moved from there. */
  readonly like?: string
  /** Permissions of a new file where there is none to take them from. */
  readonly attributes?: FileAttributes
  /** The operation that removed the file which comes back: what it kept of it is used again. */
  readonly removedBy?: string
  /** A new name is this symbolic link if it leads to these bytes, and a file otherwise. */
  readonly link?: string
  /** Whose change it is, where several operations are written together. */
  readonly operation?: string
  /** Of a file that goes: so many of the folders above it go with it, those that are empty then. */
  readonly folders?: number
}

export interface ApplyOptions {
  /** Awaited when every new content is on disk, before the first file changes. */
  readonly ready?: Promise<void>
  /** Throws `LockLost` where somebody else has taken over. Asked before and after each step. */
  readonly fence?: () => void
}

/**
 * A file that was replaced or removed, kept aside for a moment: a program that had it open may
 * still be writing to it, and its user believes that this is saved.
 */
export interface ReplacedFile {
  /** The operation that replaced it. */
  readonly operation: string
  /** How much room it took when it was found. */
  readonly size: number
  /** When it was replaced or last written to, milliseconds since the epoch; undefined: gone. */
  touchedAt(): number | undefined
  isOf(path: string): boolean
  /** What it holds now; undefined when someone else released it. */
  load(): Uint8Array | undefined
  /** Gives it its name again, unless something else has that now. */
  putBack(path: string): void
  release(): void
}

/**
 * A file that a killed process had moved out of the way and that nothing took the place of. Only
 * who holds the lock of the folder knows that the process is gone.
 */
export interface NamelessFile {
  /** Undefined: the process came to its end before it could say. */
  readonly path: string | undefined
  /** Gives it its name again. False when something else has that now: then it is kept. */
  bringBack(): boolean
}

/** A group that could not be written as a whole. */
export class WriteError extends KnowledgeError {
  /** Paths that had been changed before it failed; their new content is in place. */
  readonly changed: readonly string[]

  constructor(
    code: ErrorCode,
    message: string,
    hint: string,
    changed: readonly string[],
    cause?: unknown,
  ) {
    super(code, message, hint)
    this.changed = changed
    this.cause = cause
  }
}

export interface PlaceOptions {
  /** The file that gets this path, and may have it in other letters already. */
  readonly except?: string
  /** It was called like that before, so this system can keep the name. */
  readonly returning?: boolean
  /** A file that notes show or lead to, of a kind that nobody reads: it goes where notes may go. */
  readonly attachment?: boolean
}

/** Where edits are written. Every path passes the same guard, and nothing is half written. */
export interface SourceWriter {
  /**
   * How a new file at this path will be spelled: folders that exist keep their case. Throws when
   * the path is refused, is not offered by this source, or is taken by another file. Touches
   * nothing.
   */
  place(path: string, options?: PlaceOptions): Promise<string>
  /** How many of the folders above this path are not there yet. */
  missingFolders(path: string): Promise<number>
  /** The file as it is now, or undefined where there is none. */
  load(path: string): Promise<FileBytes | undefined>
  /**
   * Some bytes of a file of any size that is no document, such as a film, for whoever plays it.
   * Missing where there are none but documents.
   */
  loadPart?(path: string, from: number, length: number): Promise<FilePart | undefined>
  /**
   * Whether something came or went in the folder of this path a moment ago. A file that another
   * program is replacing may have no name in between, so what is missing there may yet be there.
   */
  stirred(path: string): Promise<boolean>
  /**
   * Writes a group: every new content is on disk before the first file changes, and each file
   * changes in one step. Throws a `WriteError`: `conflict` when a file is not what was expected,
   * `unavailable` when the disk refuses. What is replaced is kept aside under the operation's id.
   */
  apply(
    changes: readonly FileChange[],
    operation: string,
    options?: ApplyOptions,
  ): Promise<readonly ReplacedFile[]>
  /** Replaced files that were not released, of this process and of others. */
  replaced(): readonly ReplacedFile[]
  /** Files without a name of this base, and of others whose folders are above it or the paths. */
  nameless(beside?: readonly string[]): readonly NamelessFile[]
  /** Temporary files whose process is gone, beside the given paths or everywhere. */
  strays(beside?: readonly string[]): Promise<readonly string[]>
  /** Removes them. Returns how many there were. */
  sweep(beside?: readonly string[]): Promise<number>
  /**
   * Takes away what other processes have prepared, wherever it is: one that has lost the lock and
   * wakes up finds nothing to put in place.
   */
  disarm(): Promise<void>
}

/** What editors of notes keep beside them: their settings, and templates that nobody indexes. */
export interface BesideNotes {
  /** The text of a small file; why it is not read where there is one; undefined where there is none. */
  text(path: string): { readonly text: string } | 'too large' | 'no text' | undefined
  /** Paths of the notes in a folder and below it, in the order of their names. */
  notes(folder: string): readonly string[]
}

/** What it takes to change documents in a database together with what is derived from them. */
export interface InDatabase {
  readonly shelf: string
  contents(): Contents
  /** What `read` will give of these bytes. */
  contentOf(path: string, bytes: Uint8Array, modifiedAt: number): FileContent
  /** Throws for what may not be written, whatever is there. */
  check(path: string, bytes: Uint8Array | undefined): void
}

export interface Source {
  readonly name: string
  /** For people: where it is. */
  readonly root: string
  /**
   * Everything below the root that the rules let through, in path order (by code units).
   * Throws `unavailable` when the root itself is gone: that is no reason to forget its documents.
   * A walk that takes long shows what it has found so far, and waits for who looks at it.
   */
  scan(onFound?: OnFound): Promise<Scan>
  /**
   * The same for some paths only (files or folders), for a change that was noticed. What was known
   * at or below one of the paths and is not in the answer is no longer offered.
   */
  rescan(paths: readonly string[]): Promise<Scan>
  /**
   * Reads files in the order given. Never throws for a single file. What the index knows of a file
   * spares looking through it: one that nobody has touched since still has its digest. `isFirst`:
   * of which files the beginning is enough, where all of it would take long; the stamp tells.
   */
  read(
    paths: readonly string[],
    indexed?: IndexedFiles,
    isFirst?: (path: string) => boolean,
  ): Promise<FileContent[]>
  /**
   * Whether each of these files is still what was read of it at that time, told without reading it.
   * False where that is not certain; missing where a source cannot tell.
   */
  areAsRead?(files: readonly FileEntry[], readAt: number): boolean
  /**
   * When each file came to be, milliseconds since the epoch, in the order given; undefined where
   * nobody knows. A file that is replaced by a new one begins anew.
   */
  bornAt(paths: readonly string[]): Promise<(number | undefined)[]>
  /**
   * Calls back, soon and in batches, when something below the root may have changed. What a scan
   * that begins behind this has come to is not missed for long; before it only the root, and what
   * is beside these files, which changed last. Does not keep the process alive.
   */
  watch(onChange: (change: SourceChange) => void, recent?: readonly string[]): Promise<Watching>
  /** Its documents are rows of a database and no files: `root` is no place on a disk. */
  readonly inDatabase?: InDatabase
  /** Whether it holds a program, so that notes may speak of its code. */
  readonly holdsCode?: boolean
  /** Whether the text of this file is made from it: it is read, moved and deleted, and not edited. */
  readonly converts?: (path: string) => boolean
  /** Undefined for a source without files that could be changed. */
  readonly writer?: SourceWriter
  /** Missing where a source holds nothing but documents. */
  readonly beside?: BesideNotes
  /** Opens the graph whose entities are offered, when first asked. Undefined: there is none. */
  readonly graph?: () => EntityGraph
  /**
   * Those of the paths whose document asks to be left alone, or that the rules given for the source
   * leave out: nobody is told what was done to them. No source has such unless it says so. Most of
   * the paths are of documents that are gone, and there may be very many.
   */
  privateAmong?(paths: readonly string[]): Promise<readonly string[]>
  /** Those of the paths where a document may be. Missing where that is no quicker than reading. */
  presentAmong?(paths: readonly string[]): Promise<readonly string[]>
  /** Waits for additions that are under way. */
  close?(): Promise<void>
}
