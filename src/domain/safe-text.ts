/**
 * Text of documents as others may be shown it. What nobody sees and a model or a terminal obeys is
 * made visible; what looks like a key or a token is masked. Files stay as they are.
 */

/**
 * Controls other than tab and line ends; marks that turn the reading direction; characters of no
 * width that write between the lines, save those that scripts and emoji are joined with.
 */
const HIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u115f\u1160\u180e\u200b\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|(?:\udb40[\udc00-\udc7f])+/g

/** England, Scotland and Wales are flags that end in such characters. */
const FLAG = /\ud83c\udff4(?:\udb40[\udc61-\udc7a\udc30-\udc39])+\udb40\udc7f/g

/** `\u202e` becomes `⟨U+202E⟩`, a run of tags `⟨hidden text⟩`. */
export function visible(text: string): string {
  if (text.search(HIDDEN) < 0) return text
  const flags: string[] = []
  return text
    .replaceAll(FLAG, (flag) => `\u{f0000}${flags.push(flag) - 1}\u{f0001}`)
    .replaceAll(HIDDEN, (found) =>
      found.length > 1
        ? '⟨hidden text⟩'
        : `⟨U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
    )
    .replaceAll(/\u{f0000}(\d+)\u{f0001}/gu, (_, number: string) => flags[Number(number)] ?? '')
}

export interface Secret {
  readonly kind: string
  readonly start: number
  readonly end: number
}

/** Only forms that mean a key and nothing else: a word like "password" is no secret. */
const FORMS: readonly (readonly [kind: string, pattern: string])[] = [
  [
    'private key',
    '-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----[\\s\\S]{20,8000}?-----END (?:[A-Z]+ )?PRIVATE KEY-----',
  ],
  ['AWS key', '\\b(?:AKIA|ASIA)[0-9A-Z]{16}\\b'],
  ['GitHub token', '\\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})\\b'],
  ['GitLab token', '\\bglpat-[A-Za-z0-9_-]{20,64}\\b'],
  ['Slack token', '\\bxox[abprs]-[A-Za-z0-9-]{10,200}\\b'],
  ['Anthropic key', '\\bsk-ant-[A-Za-z0-9_-]{20,200}\\b'],
  ['OpenAI key', '\\bsk-(?:proj-)?[A-Za-z0-9_-]{20,200}\\b'],
  ['Google key', '\\bAIza[0-9A-Za-z_-]{35}\\b'],
  ['Stripe key', '\\b[rs]k_live_[0-9A-Za-z]{16,200}\\b'],
  ['npm token', '\\bnpm_[A-Za-z0-9]{36}\\b'],
  ['Cairn token', '\\bcairn_[a-z0-9]{8}_[A-Za-z0-9_-]{43}\\b'],
  [
    'JSON web token',
    '\\beyJ[A-Za-z0-9_-]{10,2000}\\.eyJ[A-Za-z0-9_-]{10,4000}\\.[A-Za-z0-9_-]{20,2000}',
  ],
]

const SECRET = new RegExp(FORMS.map(([, pattern]) => `(${pattern})`).join('|'), 'g')
/** One look tells nearly every text apart from one that may hold something. */
const MAYBE =
  /PRIVATE KEY|A[KS]IA|gh[pousr]_|github_pat_|glpat-|xox|sk-|AIza|k_live_|npm_|cairn_|eyJ/

export function findSecrets(text: string): readonly Secret[] {
  if (!MAYBE.test(text)) return []
  return Array.from(text.matchAll(SECRET), (match) => ({
    kind: FORMS[match.slice(1).findIndex((group) => group !== undefined)]?.[0] ?? 'secret',
    start: match.index,
    end: match.index + match[0].length,
  }))
}

/** A key becomes `[masked AWS key]`. */
export function masked(text: string): string {
  const secrets = findSecrets(text)
  if (secrets.length === 0) return text
  let at = 0
  let result = ''
  for (const { kind, start, end } of secrets) {
    result += `${text.slice(at, start)}[masked ${kind}]`
    at = end
  }
  return result + text.slice(at)
}

const MASK = new RegExp(`\\[masked (?:${FORMS.map(([kind]) => kind).join('|')})\\]`)

/** Whether a text was masked: written back, it would take the place of the secret. */
export function isMasked(text: string): boolean {
  return MASK.test(text)
}
