/** A base at a glance: what is in it, how fresh it is, how it hangs together, what is wrong. */
import { sayWhen } from './parse-when.ts'
import type { Places } from './places.ts'
import { asRun, forSameBase } from './shell-words.ts'
import { cleanLine, columns } from './terminal.ts'
import type { Style } from './terminal.ts'
import { answersOf, isAnswer, textOf } from './tool-command.ts'
import type { Answer } from './tool-command.ts'

export interface StatusFacts {
  readonly status: Answer
  readonly overview: Answer
  readonly hubs: Answer
  readonly tags: Answer
  readonly recent: Answer
}

export interface StatusLook {
  readonly style: Style
  readonly places: Places
  readonly now: Date
  /** The command line, so that advice is for the same base. */
  readonly words: readonly string[]
}

const BAR = 20
const WEEKS = 12
const WEEK = 7 * 86_400_000
const STEPS = '▁▂▃▄▅▆▇█'

export function statusLines(facts: StatusFacts, look: StatusLook): string[] {
  const { status } = facts
  const summary = isAnswer(facts.overview['summary']) ? facts.overview['summary'] : {}
  const { style } = look
  return [
    ...sourceLines(status, summary, look),
    '',
    ...columns([
      [style.bold('documents'), textOf(status['documents']), style.dim(freshness(facts, look))],
      [
        style.bold('passages'),
        textOf(status['chunks']),
        style.dim(`${bytes(status['index_bytes'])} index`),
      ],
      [style.bold('links'), textOf(status['links']), brokenText(status, style)],
      [style.bold('meaning'), meaningText(status), ''],
      [style.bold('coverage'), coverageText(status, style), ''],
    ]),
    ...chart('Changed, by week', [`  ${activity(facts.recent, look.now)}`], style),
    ...chart('Most linked', barLines(answersOf(facts.hubs['items']), 'score', look), style),
    ...chart('Tags', barLines(answersOf(facts.tags['items']), 'documents', look), style),
    ...chart('Worth a look', adviceLines(status, summary, look), style),
  ]
}

function sourceLines(status: Answer, summary: Answer, { style }: StatusLook): string[] {
  const counts = new Map(
    answersOf(summary['sources']).map(({ name, documents }) => [textOf(name), textOf(documents)]),
  )
  return columns(
    answersOf(status['sources']).map(({ name, path }) => [
      style.cyan(cleanLine(textOf(name))),
      cleanLine(textOf(path)),
      `${counts.get(textOf(name)) ?? '0'} documents`,
    ]),
  )
}

function freshness({ status, recent }: StatusFacts, { now }: StatusLook): string {
  if (status['indexing'] === true) return 'catching up with the files'
  const [latest] = answersOf(recent['items'])
  return latest ? `last change ${sayWhen(textOf(latest['updated']), now)}` : ''
}

function brokenText(status: Answer, style: Style): string {
  const broken = Number(status['brokenLinks'] ?? 0)
  return broken > 0 ? style.yellow(`${broken} lead nowhere`) : style.green('all lead somewhere')
}

function meaningText(status: Answer): string {
  const embedding = isAnswer(status['embedding']) ? status['embedding'] : {}
  if (embedding['trouble'] !== undefined) return cleanLine(textOf(embedding['trouble']))
  if (embedding['provider'] === 'none') return 'off'
  return embedding['serving'] === null
    ? 'not learned yet'
    : cleanLine(textOf(embedding['provider']))
}

function coverageText(status: Answer, style: Style): string {
  const read = Number(status['documents'] ?? 0)
  const left = Number(status['skipped_files'] ?? 0) + Number(status['failed_files'] ?? 0)
  const share = read + left === 0 ? 1 : read / (read + left)
  const text = `${bar(share)} ${Math.floor(share * 100)}%`
  return left > 0 ? style.yellow(`${text}, ${left} left out`) : text
}

/** One step per week, the newest on the right. */
export function activity(recent: Answer, now: Date): string {
  const counts = Array.from({ length: WEEKS }, () => 0)
  for (const { updated } of answersOf(recent['items'])) {
    const weeks = Math.floor((now.getTime() - Date.parse(textOf(updated))) / WEEK)
    if (weeks >= 0 && weeks < WEEKS) counts[WEEKS - 1 - weeks]! += 1
  }
  const most = Math.max(1, ...counts)
  return counts
    .map((count) => (count === 0 ? '·' : STEPS[Math.ceil((count / most) * STEPS.length) - 1]!))
    .join('')
}

function barLines(items: readonly Answer[], key: string, { places, style }: StatusLook): string[] {
  const most = Math.max(1, ...items.map((item) => Number(item[key] ?? 0)))
  return columns(
    items.map((item) => {
      const count = Number(item[key] ?? 0)
      const name = item['id'] === undefined ? `#${textOf(item['tag'])}` : textOf(item['title'])
      const place = item['id'] === undefined ? '' : style.dim(places.shown(textOf(item['id'])))
      return [`  ${bar(count / most, 10)}`, String(count), cleanLine(name), place]
    }),
  )
}

/** Reports that have something to say, as commands. */
function adviceLines(status: Answer, summary: Answer, { words }: StatusLook): string[] {
  const rows: [count: unknown, command: string, what: string][] = [
    [status['brokenLinks'], 'cairn insights broken_links', 'links that lead nowhere'],
    [summary['orphans'], 'cairn insights orphans', 'documents without any link'],
    [status['skipped_files'], 'cairn insights coverage --files skipped', 'files left out'],
    [status['failed_files'], 'cairn doctor', 'files that could not be read'],
  ]
  return columns(
    rows
      .filter(([count]) => Number(count ?? 0) > 0)
      .map(([count, command, what]) => [
        `  ${textOf(count)}`,
        what,
        asRun(forSameBase(command, words)),
      ]),
  )
}

function chart(heading: string, lines: readonly string[], style: Style): string[] {
  return lines.length === 0 ? [] : ['', style.bold(heading), ...lines]
}

function bar(share: number, width = BAR): string {
  const full = Math.max(0, Math.min(width, Math.round(share * width)))
  return '█'.repeat(full) + '░'.repeat(width - full)
}

function bytes(value: unknown): string {
  const count = Number(value ?? 0)
  if (count < 1024 * 1024) return `${Math.ceil(count / 1024)} KB`
  return `${(count / 1024 / 1024).toFixed(1)} MB`
}
