import { describe, expect, it } from 'vitest'
import { fold } from '../fold.ts'
import { unitsOf } from '../scan.ts'
import { detectLanguage, stem } from './language.ts'
import type { Language } from './language.ts'

function languageOf(text: string): Language {
  return detectLanguage(unitsOf(text), 0, text.length)
}

describe('detection', () => {
  const TEXTS: readonly (readonly [Language, string])[] = [
    ['english', 'The kettle is on the stove and it will boil when you turn it on.'],
    [
      'german',
      'Der Kessel steht auf dem Herd und wird heiß, wenn man ihn einschaltet. Das ist gut.',
    ],
    [
      'french',
      "La bouilloire est sur la cuisinière et elle chauffe quand on l'allume pour le thé.",
    ],
    ['spanish', 'La tetera está en la cocina y se calienta con el fuego para los invitados.'],
    ['english', 'const x = await fetch(url)'],
    ['english', 'Der'],
    ['english', ''],
  ]

  it.each(TEXTS)('%s: %s', (language, text) => {
    expect(languageOf(text)).toBe(language)
  })
})

describe('stemming', () => {
  const SAME: readonly (readonly [Language, readonly string[]])[] = [
    ['german', ['Haus', 'Hause', 'Hauses', 'Häuser', 'Häusern', 'Haeuser']],
    ['german', ['klein', 'kleine', 'kleinen', 'kleiner', 'kleinste']],
    ['french', ['maison', 'maisons', 'maison']],
    ['french', ["l'animal", 'animaux', 'animal']],
    ['french', ['chanter', 'chantez', 'chante', 'chantée']],
    ['spanish', ['casa', 'casas']],
    ['spanish', ['lápiz', 'lápices']],
    ['spanish', ['rojo', 'roja', 'rojos', 'rojas']],
    ['english', ['книга', 'книги', 'книгу', 'книгой', 'книгами']],
    ['english', ['новый', 'новая', 'нового', 'новыми']],
  ]

  it.each(SAME)('%s: %j', (language, words) => {
    const [first] = words
    for (const word of words) expect(stem(fold(word), language)).toBe(stem(fold(first!), language))
  })
})
