/**
 * Redaction of secrets in texts. A secret is found in the whole text, before anything is cut from
 * it, and taken out without moving the rest: characters that no text holds stand in its place, as
 * many as it had, and line ends and blanks stay. Offsets and lines are those of the file, no search
 * or pattern can tell one secret from another, and a piece of any size still shows what was there.
 */
import { privateKeys } from './private-keys.ts'

export interface Secret {
  readonly kind: string
  readonly start: number
  readonly end: number
}

const PRIVATE_KEY = 'private key'

/** Only forms that mean a key and nothing else: a word like "password" is no secret. */
const FORMS: readonly (readonly [kind: string, pattern: string])[] = [
  ['AWS key', '(?:AKIA|ASIA)[0-9A-Z]{16}'],
  ['GitHub token', '(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})'],
  ['GitLab token', 'glpat-[A-Za-z0-9_-]{20,64}'],
  ['Slack token', 'xox[abprs]-[A-Za-z0-9-]{10,200}'],
  ['Anthropic key', 'sk-ant-[A-Za-z0-9_-]{20,200}'],
  ['OpenAI key', 'sk-(?:proj-)?[A-Za-z0-9_-]{20,200}'],
  ['Google key', 'AIza[0-9A-Za-z_-]{35}'],
  ['Stripe key', '[rs]k_live_[0-9A-Za-z]{16,200}'],
  ['npm token', 'npm_[A-Za-z0-9]{36}'],
  ['Cairn token', 'cairn_[a-z0-9]{8}_[A-Za-z0-9_-]{43}'],
  [
    'JSON web token',
    'eyJ[A-Za-z0-9_-]{10,2000}\\.eyJ[A-Za-z0-9_-]{10,4000}\\.[A-Za-z0-9_-]{20,2000}',
  ],
]

/** The place of a kind says which character stands for it; the index keeps texts made with them. */
const KINDS: readonly string[] = [PRIVATE_KEY, ...FORMS.map(([kind]) => kind)]

/** `key_AKIA…` and `AKIA…_old` hold one too; a word of which it is a part does not. */
const SECRET = new RegExp(
  `(?<![A-Za-z0-9])(?:${FORMS.map(([, pattern]) => `(${pattern})`).join('|')})(?![A-Za-z0-9])`,
  'g',
)
/**
 * One look tells nearly every text apart from one that may hold something: it looks for the rarest
 * letter of each beginning and then back, which takes a quarter of the time.
 */
const MAYBE =
  /V(?<=PRIV)ATE KEY|I(?<=A[KS]I)A|_(?<=gh[pousr]_|github_pat_|k_live_|npm_|cairn_)|-(?<=glpat-|sk-)|x(?<=xox)|z(?<=AIz)a|J(?<=eyJ)/

/**
 * What a reader does not see between two letters of a word: characters of no width, a line that
 * goes on, marks of a typeface.
 */
const JOINTS =
  /[\u00ad\u200b-\u200d\u2060\ufeff]+|\\\r?\n[ \t]*|<\/?(?:b|i|u|s|em|strong|code|span|mark|wbr)>/g

/** Almost always false; then there is nothing to look for. */
export function mayHoldSecrets(text: string): boolean {
  return MAYBE.test(text)
}

/** Whether a text may hold a secret of more than one line. */
export function maySpanLines(text: string): boolean {
  return text.includes('PRIVATE KEY') || /[\w-]\\\r?\n[ \t]*[\w-]/.test(text)
}

/** In the order of the text; none touches another. */
export function findSecrets(text: string): readonly Secret[] {
  const found = MAYBE.test(text) ? secretsIn(text) : []
  if (text.search(JOINTS) < 0) return found
  const joined = withoutJoints(text)
  if (!MAYBE.test(joined.text)) return found
  return merged([...found, ...secretsIn(joined.text).map(joined.asWritten)])
}

function secretsIn(text: string): Secret[] {
  const keys = privateKeys(text).map((range) => ({ kind: PRIVATE_KEY, ...range }))
  const tokens = Array.from(text.matchAll(SECRET), (match) => ({
    kind: FORMS[match.slice(1).findIndex((group) => group !== undefined)]![0],
    start: match.index,
    end: match.index + match[0].length,
  }))
  return keys.length === 0 ? tokens : merged([...keys, ...tokens])
}

function merged(secrets: readonly Secret[]): Secret[] {
  const result: Secret[] = []
  for (const each of secrets.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1)
    if (!last || each.start >= last.end) result.push(each)
    else if (each.end > last.end) result[result.length - 1] = { ...last, end: each.end }
  }
  return result
}

function withoutJoints(text: string) {
  /** Where joints were in the joined text, and how much is missing behind each. */
  const places: number[] = []
  const missing: number[] = [0]
  const joined = text.replaceAll(JOINTS, (joint: string, at: number) => {
    places.push(at - missing.at(-1)!)
    missing.push(missing.at(-1)! + joint.length)
    return ''
  })
  let passed = 0
  /** Asked in the order of the text. */
  const asWritten = (place: number, isEnd: boolean): number => {
    const isBefore = (joint: number) => (isEnd ? joint < place : joint <= place)
    while (passed < places.length && isBefore(places[passed]!)) passed++
    return place + missing[passed]!
  }
  return {
    text: joined,
    asWritten: ({ kind, start, end }: Secret): Secret => ({
      kind,
      start: asWritten(start, false),
      end: asWritten(end, true),
    }),
  }
}

/**
 * Noncharacters, which Unicode keeps for use inside of a program: one for each kind, and behind
 * them eight digits, in which a secret is numbered.
 */
const FIRST_KIND = 0xfdd0
const FIRST_DIGIT = 0xfde8

/** The text with each secret taken out; `secrets` are those of this text. */
export function takeOut(text: string, secrets: readonly Secret[]): string {
  if (secrets.length === 0) return text
  let at = 0
  let result = ''
  for (const [number, secret] of secrets.entries()) {
    result += text.slice(at, secret.start) + fillOf(text, secret, number)
    at = secret.end
  }
  return result + text.slice(at)
}

function fillOf(text: string, { kind, start, end }: Secret, number: number): string {
  const sign = String.fromCharCode(FIRST_KIND + Math.max(0, KINDS.indexOf(kind)))
  const digits = [...number.toString(8)].map((digit) =>
    String.fromCharCode(FIRST_DIGIT + Number(digit)),
  )
  let written = 0
  // Blanks and line ends stay, so that a key of many lines has as many afterwards.
  return text.slice(start, end).replaceAll(/\S/g, () => digits[written++] ?? sign)
}

export function withoutSecrets(text: string): string {
  return takeOut(text, findSecrets(text))
}

const TAKEN_OUT = /[\ufdd0-\ufdef]/
/** Digits begin a secret; a private key has several lines. */
const FILLED = /[\ufde8-\ufdef]*(?:\ufdd0+(?:\s+\ufdd0+)*|([\ufdd1-\ufde7])\1*)|[\ufde8-\ufdef]+/g

/** What was taken out as people and models read it: `[masked AWS key]`, with as many lines. */
export function named(text: string): string {
  if (!TAKEN_OUT.test(text)) return text
  return text.replaceAll(FILLED, (fill) => {
    const sign = fill.search(/[\ufdd0-\ufde7]/)
    const kind = sign < 0 ? undefined : KINDS[fill.charCodeAt(sign) - FIRST_KIND]
    return `[masked ${kind ?? 'secret'}]${fill.replaceAll(/[^\n]/g, '')}`
  })
}

const NAMED = new RegExp(`\\[masked (?:${['secret', ...KINDS].join('|')})\\]`)

/** Whether a secret was taken out of a text: written back, it would take the place of the secret. */
export function isMasked(text: string): boolean {
  return NAMED.test(text) || TAKEN_OUT.test(text)
}

/**
 * The secrets of `original` where they were, after an edit of the text that they were taken out of.
 * Undefined where one is not whole any more.
 */
export function putBack(
  edited: string,
  original: string,
  secrets: readonly Secret[],
): string | undefined {
  // Where the text itself has such characters, nobody knows which are ours.
  if (TAKEN_OUT.test(original)) return undefined
  let result = ''
  let at = 0
  for (const { index: start } of edited.matchAll(FILLED)) {
    // The rest of one that was put back already.
    if (start < at) continue
    const number = numberAt(edited, start)
    const secret = number === undefined ? undefined : secrets[number]
    const fill = secret && fillOf(original, secret, number!)
    if (!secret || !edited.startsWith(fill!, start)) return undefined
    result += edited.slice(at, start) + original.slice(secret.start, secret.end)
    at = start + fill!.length
  }
  result += edited.slice(at)
  return TAKEN_OUT.test(edited.slice(at)) ? undefined : result
}

function numberAt(text: string, start: number): number | undefined {
  const digits = /^[\ufde8-\ufdef]+/.exec(text.slice(start, start + LONGEST_NUMBER))?.[0]
  if (digits === undefined) return undefined
  return [...digits].reduce((sum, digit) => sum * 8 + digit.charCodeAt(0) - FIRST_DIGIT, 0)
}

const LONGEST_NUMBER = 16
