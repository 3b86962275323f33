/** Shows how far indexing has come: a bar for a person, nothing but the start for a log. */
import type { IndexProgress } from './base.ts'
import type { Terminal } from './terminal.ts'

const BAR_WIDTH = 24
/** Redrawing more often costs time and shows nothing more. */
const REDRAW_MS = 80
/** A quick refresh before a search should not flash a bar. */
const QUIET_MS = 300

export interface Progress {
  update(progress: IndexProgress): void
  /** Takes the bar away, so that what follows starts on a clean line. */
  finish(): void
}

export function showProgress(
  terminal: Terminal,
  { announce, now = Date.now }: { announce: boolean; now?: () => number },
): Progress {
  if (!terminal.errIsTerminal) {
    if (announce) terminal.err('Indexing…\n')
    return { update() {}, finish() {} }
  }
  const start = now()
  let drawnAt = announce ? 0 : start + QUIET_MS - REDRAW_MS
  let drawn = false
  return {
    update(progress) {
      if (now() - drawnAt < REDRAW_MS) return
      drawnAt = now()
      drawn = true
      terminal.err(`\r\u001b[K${progressLine(progress)}`)
    },
    finish() {
      if (drawn) terminal.err('\r\u001b[K')
    },
  }
}

/** `Indexing [########----------------] 33%  120/360 words` */
export function progressLine({ done, total, phase }: IndexProgress): string {
  const share = total > 0 ? Math.min(1, done / total) : 0
  const full = Math.round(share * BAR_WIDTH)
  const bar = '#'.repeat(full) + '-'.repeat(BAR_WIDTH - full)
  return `Indexing [${bar}] ${Math.floor(share * 100)}%  ${done}/${total} ${phase}`
}
