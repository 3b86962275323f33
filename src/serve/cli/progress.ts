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

export interface ProgressOptions {
  /** Whether somebody asked for this, and not for something that needs it first. */
  readonly announce: boolean
  /** How many documents there are, where that is known before anything is read. */
  readonly expected?: number
  readonly now?: () => number
}

export function showProgress(
  terminal: Terminal,
  { announce, expected = 0, now = Date.now }: ProgressOptions,
): Progress {
  if (!terminal.errIsTerminal) {
    if (announce) terminal.err('Indexing…\n')
    return { update() {}, finish() {} }
  }
  const start = now()
  let drawnAt = start + QUIET_MS - REDRAW_MS
  let drawn = false
  const draw = (progress: IndexProgress): void => {
    drawnAt = now()
    drawn = true
    terminal.err(`\r\u001b[K${progressLine(progress)}`)
  }
  if (announce) {
    draw({ phase: expected > 0 ? 'index' : 'scan', done: 0, total: expected })
    // The first figure replaces it at once.
    drawnAt = 0
  }
  return {
    update(progress) {
      // A step that has not counted yet says less than what stands there.
      if (progress.total === 0 && drawn) return
      if (now() - drawnAt >= REDRAW_MS) draw(progress)
    },
    finish() {
      if (drawn) terminal.err('\r\u001b[K')
    },
  }
}

/** What each step is for a person. */
const STEPS: Readonly<Record<string, string>> = {
  scan: 'Looking for files',
  index: 'Reading',
  learn: 'Learning what words mean',
  embed: 'Comparing what documents mean',
}

/** `Reading 1,200 of 6,571  [####--------------------]` */
export function progressLine({ done, total, phase }: IndexProgress): string {
  const step = STEPS[phase] ?? phase
  if (total === 0) return `${step}…`
  const full = Math.round(Math.min(1, done / total) * BAR_WIDTH)
  const bar = '#'.repeat(full) + '-'.repeat(BAR_WIDTH - full)
  return `${step} ${figure(done)} of ${figure(total)}  [${bar}]`
}

function figure(count: number): string {
  return count.toLocaleString('en-US')
}
