/**
 * Copy on keep: V8 makes a piece of a text a window on all of it, so one title that is kept keeps a
 * whole note in memory, and its collector moves the note along. A piece of its own is as small as it
 * looks.
 */

/** A shorter piece is a copy anyway. */
const SHORTEST_WINDOW = 13

export function ownText(text: string): string {
  // What is put together is written out before a piece of it is taken.
  return text.length < SHORTEST_WINDOW ? text : ` ${text}`.slice(1)
}
