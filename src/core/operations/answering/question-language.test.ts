import { expect, it } from 'vitest'
import { otherLanguage } from './question-language.ts'

const ENGLISH = 'The kettle is in the kitchen, and the tea is on the shelf with the cups.'
const GERMAN = 'Der Kessel ist in der Küche, und der Tee ist auf dem Regal bei den Tassen.'
const RUSSIAN = 'Чайник стоит на кухне, а чай на полке.'

it.each([
  ['Wo ist der Kessel und wie benutze ich ihn?', [ENGLISH], /German.*English/],
  ['Wo ist der Kessel und wie benutze ich ihn?', [ENGLISH, GERMAN], undefined],
  ['Where is the kettle, and how do I use it?', [GERMAN], /English.*German/],
  ['Where is the kettle, and how do I use it?', [ENGLISH], undefined],
  ['¿Dónde está la tetera y cómo se usa?', [ENGLISH], /Spanish/],
  ['Где стоит чайник?', [ENGLISH], /Cyrillic/],
  ['Где стоит чайник?', [RUSSIAN], undefined],
  ['Где стоит чайник?', [], /Cyrillic.*If/],
  ['水壶在哪里？', [ENGLISH], /Chinese/],
  ['Wie hoch ist die Miete im Büro?', ['Miete: 900 Euro'], /German\. If/],
  ['What is the rent of the office?', ['Miete: 900 Euro'], undefined],
  ['kettle', [GERMAN], undefined],
  ['Where is the kettle?', [], undefined],
  ['', [ENGLISH], undefined],
])('%s', (question, texts, expected) => {
  const remark = otherLanguage(question, texts)
  if (expected) expect(remark).toMatch(expected)
  else expect(remark).toBeUndefined()
})
