/** A backup of the base, as the original's helper makes one of its state. */
import { z } from 'zod'
import { row } from './row.ts'

const backupTrigger = row({
  name: 'km-backup-trigger',
  title: 'Back up now',
  description:
    'Pack the repository, its history, reports and index into an archive; answers when it is there. Example: {}',
  details:
    'Optional: destination (a folder below the state folder or KM_BACKUP_ALLOWED_ROOTS; default backups/archives); needs a maintainer. Example: /sys mcp run duskmantle km-backup-trigger',
  scope: 'maintainer',
  input: z.object({
    destination: z
      .string({ error: 'destination must be a string' })
      .optional()
      .describe('Folder for the archive'),
  }),
  async run({ keeping, settings }, { destination }, { signal }) {
    const { keep, allowedRoots } = settings.backups
    return keeping.backups.create({ prefix: 'km-backup', destination, allowedRoots, keep, signal })
  },
  present: ({ path, relative, bytes }) => ({
    status: 'success',
    archive: relative ?? path,
    archive_path: path,
    size_bytes: bytes,
  }),
})

export const backupTools = [backupTrigger]
