/** A line of JSON for everything that is done to a base, so that one can see later who did what. */
export type { ActionLog } from '../../history/action-log.ts'
