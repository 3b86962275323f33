/**
 * Text as others may be shown it. What nobody sees and a model or a terminal obeys is made visible,
 * and what was taken out of a document has a name. Files stay as they are.
 */
import { mayHoldSecrets, named, withoutSecrets } from './secrets.ts'

/**
 * Controls other than tab and line ends; marks that turn the reading direction; characters of no
 * width that write between the lines, save those that scripts and emoji are joined with.
 */
const HIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u115f\u1160\u180e\u200b\u202a-\u202e\u2060-\u206f\u3164\ufdd0-\ufdef\ufeff\uffa0\ufff9-\ufffb]+|(?:\udb40[\udc00-\udc7f])+/g

/** England, Scotland and Wales are flags that end in such characters. */
const FLAG = /\ud83c\udff4(?:\udb40[\udc61-\udc7a\udc30-\udc39])+\udb40\udc7f/g

/** So many in a row are told one by one: more of them would make a text of them far longer. */
const MOST_IN_A_ROW = 8

/**
 * `\u202e` becomes `⟨U+202E⟩`, many of them `⟨500 hidden characters⟩`, a run of tags
 * `⟨hidden text⟩`, a secret `[masked AWS key]`.
 */
export function visible(text: string): string {
  if (text.search(HIDDEN) < 0) return text
  return unhidden(named(text))
}

function unhidden(text: string): string {
  const flags: string[] = []
  return text
    .replaceAll(FLAG, (flag) => `\u{f0000}${flags.push(flag) - 1}\u{f0001}`)
    .replaceAll(HIDDEN, told)
    .replaceAll(/\u{f0000}(\d+)\u{f0001}/gu, (_, number: string) => flags[Number(number)] ?? '')
}

function told(run: string): string {
  if (run.startsWith('\udb40')) return '⟨hidden text⟩'
  if (run.length > MOST_IN_A_ROW) return `⟨${run.length} hidden characters⟩`
  return Array.from(run, codeOf).join('')
}

function codeOf(letter: string): string {
  return `⟨U+${letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`
}

/** What no document was read for, such as a name or a question: a key becomes `[masked AWS key]`. */
export function masked(text: string): string {
  return named(mayHoldSecrets(text) ? withoutSecrets(text) : text)
}

/** Both: for whoever may not see secrets. */
export function safe(text: string): string {
  return visible(mayHoldSecrets(text) ? withoutSecrets(text) : text)
}
