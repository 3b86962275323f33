/**
 * Lemmatisation by endings: which nominatives may a word in another case be of? `Петровой` is of
 * `Петрова`. Whoever asks looks them up, so a form that nobody bears costs a look. Data for Russian;
 * languages whose names hardly change (or only by an `s`) need none.
 */

/** What ends so may end so in the nominative; nothing stands for no ending. */
const NOMINATIVES: Readonly<Record<string, string>> = {
  а: ' о',
  я: 'й ь е',
  у: ' а о',
  ю: 'я й ь е',
  ы: 'а ',
  и: 'а я ь й ',
  е: 'а я о й ',
  ой: 'а ая ый ий',
  ей: 'а я ь ий',
  ою: 'а',
  ею: 'я',
  ом: ' о',
  ем: 'й ь е',
  ём: 'й ь',
  ым: 'ый  ое',
  им: 'ий  ое',
  ого: 'ый ой ое',
  его: 'ий ее',
  ому: 'ый ой ое',
  ему: 'ий ее',
  ую: 'ая',
  юю: 'яя',
  ью: 'ь',
  ии: 'ия ий ие',
  ию: 'ия ий ие',
  ия: 'ий ие',
  ией: 'ия',
  ием: 'ий ие',
  ов: '',
  ев: 'й',
  ам: ' а о',
  ям: 'я ь е',
  ами: ' а о ы',
  ями: 'я ь е и',
  ах: ' а о ы',
  ях: 'я ь е и',
}

const LONGEST_ENDING = 3
/** Of shorter words an ending leaves nothing. */
const LEAST_LETTERS = 4
const LEAST_LEFT = 2

/** Without the word itself; empty for a word of another script. */
export function nominativesOf(word: string): readonly string[] {
  if (word.length < LEAST_LETTERS || !/^[\p{Script=Cyrillic}-]+$/u.test(word)) return []
  const found = new Set<string>()
  for (let length = LONGEST_ENDING; length > 0; length--) {
    const left = word.slice(0, word.length - length)
    const endings = NOMINATIVES[word.slice(left.length).toLowerCase()]
    if (left.length < LEAST_LEFT || endings === undefined) continue
    for (const ending of endings.split(' ')) found.add(left + ending)
  }
  found.delete(word)
  return [...found]
}
