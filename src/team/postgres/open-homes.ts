/**
 * Homes by lease, and a work queue: changes on their way to them as rows: asked, taken by the home,
 * answered. No server has to know where another one is. What is asked is found by a hint or by
 * looking.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type KnowledgeError, quoted, unavailable } from '../../core/domain/error.ts'
import type { Homes, Sent, SentAnswer } from '../homes/homes.ts'
import type { BaseRows } from './base-rows.ts'
import { takeLeases } from './lease-row.ts'
import type { Hints } from './hints.ts'
import { kept, restored, textArray } from './values.ts'

export interface HomesParts {
  readonly base: BaseRows
  readonly writing: BaseRows
  readonly hints: Pick<Hints, 'tell'>
  /** `<pid>@<host>:<random>`: who the home is, for people too. */
  readonly owner: string
  readonly patience?: Partial<HomesPatience> | undefined
  /** Whether this machine has the files of a source; another copy of them has no home here. */
  readonly isHere?: ((source: string) => boolean) | undefined
}

export interface HomesPatience {
  /** A home that does not renew its lease for so long is one no more. */
  readonly ttlMs: number
  readonly renewMs: number
  /** How often a home looks for what was asked. */
  readonly lookMs: number
  /** How long a change waits to be taken, and how long for its end. */
  readonly takenMs: number
  readonly answerMs: number
}

const PATIENCE: HomesPatience = {
  ttlMs: 8_000,
  renewMs: 2_000,
  lookMs: 500,
  takenMs: 20_000,
  answerMs: 60_000,
}
/** Whoever waits looks again after this long, a little later each time. */
const FIRST_LOOK_MS = 5
const LAST_LOOK_MS = 100
/** How often who waits finds out whether there still is a home. */
const HOME_LOOK_MS = 1_000
/** Nobody waits any more for what was asked so long ago: it is not begun. */
const STALE = "interval '60 seconds'"
const FORGOTTEN = "interval '1 hour'"

const roleOf = (source: string): string => `home:${kept(source)}`

export function openHomes(parts: HomesParts): Homes {
  const { base, writing, hints, owner, isHere: hasFiles = () => true } = parts
  const patience = { ...PATIENCE, ...parts.patience }
  /** Until when a source certainly is ours, by a clock of ours that runs steadily. */
  const ours = new Map<string, number>()
  let renewing: NodeJS.Timeout | undefined
  let serving: (() => void) | undefined
  let stopServing: () => void = () => {}
  let busy: Promise<void> = Promise.resolve()
  let closed = false

  const isOurs = (source: string): boolean =>
    (ours.get(source) ?? 0) > performance.now() && hasFiles(source)

  const claim = async (wanted: readonly string[]): Promise<void> => {
    const sources = wanted.filter(hasFiles)
    for (const source of wanted) if (!hasFiles(source)) ours.delete(source)
    if (sources.length === 0) return
    const until = performance.now() + patience.ttlMs
    const taken = await takeLeases(writing, sources.map(roleOf), owner, patience.ttlMs)
    for (const source of sources) {
      if (taken.has(roleOf(source))) ours.set(source, until)
      else ours.delete(source)
    }
    if (ours.size > 0 && !closed) keepRenewing()
  }

  const keepRenewing = (): void => {
    renewing ??= setInterval(() => {
      if (ours.size > 0) void claim([...ours.keys()]).catch(() => {})
    }, patience.renewMs).unref()
    serving?.()
  }

  const holderOf = async (source: string): Promise<string | undefined> => {
    const row = await base.row(
      `SELECT owner FROM cairn.leases
       WHERE base = $1 AND role = $2 AND expires_at > clock_timestamp()`,
      roleOf(source),
    )
    return row?.['owner'] ? restored(String(row['owner'])) : undefined
  }

  const whereAre: Homes['whereAre'] = async (sources) => {
    const distinct = [...new Set(sources)]
    if (!distinct.every(isOurs)) await claim(distinct)
    const here = distinct.filter(isOurs).length
    if (here === distinct.length) return 'here'
    const homes = new Set(await Promise.all(distinct.map(holderOf)))
    return here > 0 || homes.size > 1 ? 'several' : 'away'
  }

  const ask = async (source: string, sent: Sent): Promise<void> => {
    await writing.rows(
      `WITH forgotten AS (
         DELETE FROM cairn.requests WHERE base = $1 AND asked_at < clock_timestamp() - ${FORGOTTEN})
       INSERT INTO cairn.requests (base, id, source, state, request)
       VALUES ($1, $2, $3, 'asked', $4) ON CONFLICT DO NOTHING`,
      sent.id,
      kept(source),
      written(sent),
    )
    hints.tell()
  }

  /** Whether nobody has begun, and nobody will any more. */
  const withdraw = async (id: string): Promise<boolean> => {
    const row = await writing.row(
      `UPDATE cairn.requests SET state = 'withdrawn', request = ''
       WHERE base = $1 AND id = $2 AND state IN ('asked', 'withdrawn') RETURNING id`,
      id,
    )
    return row !== undefined
  }

  const send: Homes['send'] = async (sent, sources) => {
    const source = sources[0]!
    const home = await holderOf(source)
    await ask(source, sent)
    const begun = performance.now()
    let lookedAt = begun
    for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * 1.5, LAST_LOOK_MS)) {
      await sleep(pause * (0.5 + Math.random()))
      const row = await writing.row(
        'SELECT state, answer FROM cairn.requests WHERE base = $1 AND id = $2',
        sent.id,
      )
      if (row?.['state'] === 'answered') return JSON.parse(String(row['answer'])) as SentAnswer
      const now = performance.now()
      if (now - lookedAt > HOME_LOOK_MS) {
        lookedAt = now
        // Where there is no home any more, this becomes one; what was taken is settled by `serve`.
        const isHere = (await whereAre(sources)) === 'here'
        if (isHere && (await withdraw(sent.id))) return { kind: 'here' }
      }
      if (now - begun > patience.takenMs && (await withdraw(sent.id))) throw away(source, home)
      if (now - begun > patience.answerMs) throw unknown(sent, source, home)
    }
  }

  /** Takes what was asked of us, also what a home before us took and did not come to answer. */
  const takeAsked = async (): Promise<Sent[]> => {
    const sources = [...ours.keys()].filter(isOurs)
    if (sources.length === 0) return []
    const rows = await writing.rows(
      `UPDATE cairn.requests SET state = 'taken', taken_by = $2
       WHERE base = $1 AND source = ANY ($3::text[]) AND asked_at > clock_timestamp() - ${STALE}
         AND (state = 'asked' OR state = 'taken' AND taken_by <> $2)
       RETURNING request, asked_at`,
      owner,
      textArray(sources),
    )
    return rows
      .toSorted((a, b) => (String(a['asked_at']) < String(b['asked_at']) ? -1 : 1))
      .map((row) => read(String(row['request'])))
  }

  const answer = async (id: string, given: SentAnswer): Promise<void> => {
    await writing.rows(
      `UPDATE cairn.requests SET state = 'answered', answer = $3, request = ''
       WHERE base = $1 AND id = $2 AND state = 'taken'`,
      id,
      kept(JSON.stringify(given)),
    )
  }

  return {
    hasFiles,
    whereAre,
    send,
    serve(carryOut, listen) {
      /** Kept until they have arrived. */
      const answers = new Map<string, SentAnswer>()
      const giveAnswers = async (): Promise<void> => {
        for (const [id, given] of answers) {
          await answer(id, given)
          answers.delete(id)
        }
      }
      let again = false
      let running = false
      const look = async (): Promise<void> => {
        again = true
        if (running || closed) return
        running = true
        try {
          while (again) {
            again = false
            if (closed) return
            await giveAnswers()
            for (const sent of await takeAsked()) {
              answers.set(sent.id, await carryOut(sent).catch(wentWrong))
              await giveAnswers()
            }
          }
        } catch {
          // The database is away: what was asked is found at the next look.
        } finally {
          running = false
        }
      }
      let stop: (() => void) | undefined
      let looking: NodeJS.Timeout | undefined
      const lookSoon = (): void => {
        if (ours.size > 0) busy = look()
      }
      serving = () => {
        if (looking || closed) return
        stop = listen?.(lookSoon)
        looking = setInterval(lookSoon, patience.lookMs).unref()
        lookSoon()
      }
      stopServing = () => {
        stop?.()
        clearInterval(looking)
      }
      if (ours.size > 0) serving()
    },
    async close() {
      closed = true
      clearInterval(renewing)
      stopServing()
      await busy
      ours.clear()
      await writing
        .rows(
          `UPDATE cairn.leases SET owner = NULL
           WHERE base = $1 AND owner = $2 AND starts_with(role, 'home:')`,
          owner,
        )
        .catch(() => {})
    },
  }
}

/** A bug on the other server; what it came to is in the history. */
function wentWrong(): SentAnswer {
  return {
    kind: 'refused',
    raced: false,
    code: 'internal',
    message: 'Something went wrong in the server that writes these files.',
    hint: 'Look at the document and at the history before you try again.',
  }
}

/** Bytes travel in base64; nothing else of what is sent is more than text. */
function written(sent: Sent): string {
  if (!('edits' in sent)) return JSON.stringify(sent)
  return JSON.stringify({
    ...sent,
    edits: sent.edits.map(({ after, ...edit }) => ({
      ...edit,
      after: after && Buffer.from(after).toString('base64'),
    })),
  })
}

function read(text: string): Sent {
  const sent = JSON.parse(text) as Sent
  if (!('edits' in sent)) return sent
  return {
    ...sent,
    edits: sent.edits.map((edit) => ({
      ...edit,
      before: edit.before,
      after:
        edit.after === undefined
          ? undefined
          : Buffer.from(edit.after as unknown as string, 'base64'),
    })),
  }
}

/** The part of an owner that tells a person where to look. */
function placeOf(owner: string | undefined): string {
  const match = /^(\d+)@(.*):/.exec(owner ?? '')
  return match ? `the server on ${match[2]} (process ${match[1]})` : 'another server'
}

function away(source: string, home: string | undefined): KnowledgeError {
  return unavailable(
    `The files of ${quoted(source)} are written by ${placeOf(home)}, which does not answer.`,
    'Nothing was changed. Try again in a moment; another server that has the folder takes over when that one is gone.',
  )
}

function unknown(sent: Sent, source: string, home: string | undefined): KnowledgeError {
  const look = 'edits' in sent ? `Look for ${sent.id} in the history` : 'Look whether it is there'
  return unavailable(
    `The files of ${quoted(source)} are written by ${placeOf(home)}, which has begun with the change and has not said how it ended.`,
    `It is not done twice. ${look} before you make the change again.`,
  )
}
