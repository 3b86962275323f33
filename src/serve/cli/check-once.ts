/**
 * zod writes and compiles a function for every object that it checks. A server makes up for that
 * within some calls; a command checks everything once.
 */
import { config } from 'zod'

export function checkOnce(): void {
  config({ jitless: true })
}
