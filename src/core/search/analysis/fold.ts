/**
 * One spelling for what people consider the same word: compatibility forms, case and diacritics
 * are folded. `Café`, `CAFE` and `ｃａｆé` are all `cafe`.
 */

/** Letters whose base Unicode does not tell. */
const BASE_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
  '’': "'",
  '‐': '-',
  '‑': '-',
}
const SPECIAL = new RegExp(`[${Object.keys(BASE_LETTERS).join('')}]`, 'gu')

export function fold(word: string): string {
  return isAscii(word) ? word.toLowerCase() : foldUnicode(word)
}

function isAscii(word: string): boolean {
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) > 127) return false
  return true
}

/**
 * Only the common combining marks are dropped: vowel signs of Indic scripts and the voicing marks
 * of kana are part of the letter. So is the breve of й, which Russian endings need.
 */
function foldUnicode(word: string): string {
  return word
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/(?<!и)\u0306|[\u0300-\u0305\u0307-\u036f\u00ad\u200c\u200d]/gu, '')
    .normalize('NFC')
    .replace(SPECIAL, (letter) => BASE_LETTERS[letter] ?? letter)
}
