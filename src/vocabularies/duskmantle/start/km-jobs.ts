/** What a duskmantle server does by itself: ingestions and backups, through its own tools. */
import { upstream } from '../../../core/domain/error.ts'
import { CALLERS } from '../settings.ts'
import type { DuskmantleSettings } from '../settings.ts'
import type { Surface } from '../../../serve/door/surface.ts'
import type { Job } from '../../../keep/backup/scheduler.ts'

export function kmJobs(
  surface: Pick<Surface, 'call'>,
  { schedules }: Pick<DuskmantleSettings, 'schedules'>,
): readonly Job[] {
  const call = async (tool: string, args: object, signal: AbortSignal): Promise<void> => {
    const context = { signal, progress: () => {}, client: 'scheduler', caller: CALLERS.maintainer }
    const { structured = {}, isError } = await surface.call(tool, args, context)
    const { message = 'it failed' } = (structured['error'] ?? {}) as { message?: string }
    if (isError || structured['status'] === 'failure') {
      throw upstream(message, '')
    }
  }
  const { ingest, backup } = schedules
  return [
    ...(ingest
      ? [
          {
            name: 'ingest',
            schedule: ingest,
            run: (signal: AbortSignal) =>
              call('km-ingest-trigger', { profile: 'scheduled' }, signal),
          },
        ]
      : []),
    ...(backup
      ? [
          {
            name: 'backup',
            schedule: backup,
            run: (signal: AbortSignal) => call('km-backup-trigger', {}, signal),
          },
        ]
      : []),
  ]
}
