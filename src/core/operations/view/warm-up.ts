/**
 * Brings what is kept in memory up to date before anyone asks: where the store is elsewhere, a
 * change is a hint, and whoever asks next should not wait for what it brings. It also is what
 * answers are made of while the store does not answer. And whoever waits for the first look at the
 * files need not wait for this behind it.
 */
import type { Knowledge } from './knowledge.ts'

export async function warmUp({ index }: Pick<Knowledge, 'index'>): Promise<void> {
  const moment = await index.look()
  await moment.lexical()
  await moment.links()
  await moment.meaning()
}
