/** Backups of a base, as those who ask for one see them. `app/` knows how they are made. */

export interface BackupRequest {
  /** How the file is called in front of its time. */
  readonly prefix: 'km-backup' | 'cairn-backup'
  /** A folder; `backups/archives` in the state folder unless said. */
  readonly destination?: string | undefined
  /** Folders besides the state folder that may be written to; undefined: any. */
  readonly allowedRoots?: readonly string[]
  /** How many archives of the folder are kept; all unless said. */
  readonly keep?: number | undefined
  readonly signal?: AbortSignal
}

export interface Backup {
  /** Absolute. */
  readonly path: string
  /** Below the state folder; undefined elsewhere. */
  readonly relative: string | undefined
  readonly bytes: number
  readonly files: number
  readonly documents: number
  /** Archives that were too many. */
  readonly removed: readonly string[]
  readonly durationMs: number
}

export interface ListedBackup {
  readonly path: string
  readonly name: string
  readonly bytes: number
  /** ISO instant. */
  readonly createdAt: string
}

export interface Backups {
  /** One at a time: throws `unavailable` while another is made. */
  create(request: BackupRequest): Promise<Backup>
  /** Those in the usual place, newest first. */
  list(): Promise<readonly ListedBackup[]>
  /** Reads a whole archive, and says what restoring it would bring. Changes nothing. */
  plan(archive: string, into: string): Promise<RestorePlan>
}

export interface RestorePlan {
  readonly archive: string
  readonly into: string
  readonly createdAt: string
  /** Version of the program that made the archive. */
  readonly version: string
  readonly sources: readonly string[]
  readonly documents: number
  readonly files: number
  readonly bytes: number
  /** Whether there is something that would be set aside. */
  readonly replaces: boolean
}
