/** One file of a change that is planned: what is there, and what is to be there. */
import type { FileAttributes, FileBytes } from './source.ts'

/** `Before` is what is known of the file: all of it, or, on the way to another server, its digest. */
export interface FileEdit<Before = FileBytes> {
  readonly source: string
  readonly path: string
  /** Where the file is now, when it moves. */
  readonly from?: string
  /** A file whose permissions a new one takes over. */
  readonly like?: string
  /** Permissions of a new file that has none to take over, and the link it was. */
  readonly attributes?: FileAttributes
  readonly link?: string
  /** So many of the folders above the file come with it, or go with it where they are empty then. */
  readonly folders?: number
  /** The operation that removed the file which comes back. */
  readonly removedBy?: string
  /** Undefined: there is no file yet. */
  readonly before: Before | undefined
  /** Undefined: the file goes. */
  readonly after: Uint8Array | undefined
}
