/** Which documents match a query with operators? The index against reading every document. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { analyseText } from './analysis/analyser.ts'
import { FIELDS } from './contract.ts'
import type { Field } from './contract.ts'
import { neighbours } from './spelling.ts'
import { makeDocument, TestBase } from '../../../test/search/test-base.ts'
import type { Content } from '../../../test/search/test-base.ts'

/** No word is the beginning, or the misspelling, of another, but for those that are meant to be. */
const WORDS = ['kettle', 'water', 'garden', 'purple', 'gardener', 'snake_case', 'boiling']
const MISSPELT = ['ketle', 'wather', 'purpel', 'gardan']
const PREFIXES = ['gard', 'ket', 'wat', 'boil', 'snak', 'zz']

/** What a test asks for, and how it is typed. */
interface Ask {
  readonly kind: 'word' | 'phrase' | 'prefix'
  readonly words: readonly string[]
  readonly field: Field | undefined
  readonly sign: '' | '+' | '-'
}

const word = fc.constantFrom(...WORDS)
const sentence = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '))
const content: fc.Arbitrary<Content> = fc.record({
  title: sentence,
  aliases: fc.array(sentence, { maxLength: 2 }),
  tags: fc.array(word, { maxLength: 2 }),
  sections: fc.array(fc.record({ heading: sentence, body: sentence }), { maxLength: 2 }),
})
const field = fc.option(fc.constantFrom(...FIELDS), { nil: undefined, freq: 2 })
const sign = fc.constantFrom('' as const, '+' as const, '-' as const)
const ask: fc.Arbitrary<Ask> = fc.oneof(
  fc.record({
    kind: fc.constant('word' as const),
    words: fc.constantFrom(...WORDS, ...MISSPELT).map((one) => [one]),
    field,
    sign,
  }),
  fc.record({
    kind: fc.constant('phrase' as const),
    words: fc.array(word, { minLength: 1, maxLength: 3 }),
    field,
    sign,
  }),
  fc.record({
    kind: fc.constant('prefix' as const),
    words: fc.constantFrom(...PREFIXES).map((one) => [one]),
    field,
    sign,
  }),
)

function typed({ kind, words, field, sign }: Ask): string {
  const text = words.join(' ')
  const body = kind === 'phrase' ? `"${text}"` : kind === 'prefix' ? `${text}*` : text
  return `${sign}${field === undefined ? '' : `${field}:`}${body}`
}

/** The texts of a document, one by one: phrases do not reach from one into the next. */
function textsOf(doc: number, { title, aliases, tags, sections }: Content): [Field, string][] {
  return [
    ['title', title],
    ...aliases.map((alias): [Field, string] => ['title', alias]),
    ...tags.map((tag): [Field, string] => ['tags', tag]),
    ['path', `notes/${doc}.md`],
    ...sections.flatMap(({ heading, body }): [Field, string][] => [
      ['heading', heading],
      ['body', body],
    ]),
  ]
}

/** Running text is one text to a phrase: a heading goes over into what follows. */
function phraseTextsOf(doc: number, content: Content, field: Field | undefined): string[] {
  const running = content.sections.map(({ heading, body }) => `${heading} ${body}`).join(' ')
  const isRunning = field === 'body' || field === 'heading'
  const rest = textsOf(doc, content).filter(([name]) => name !== 'body' && name !== 'heading')
  return [
    ...(field === undefined || isRunning ? [running] : []),
    ...(isRunning ? [] : rest.map(([, text]) => text)),
  ]
}

function partsOf(text: string): string[] {
  return analyseText(text).flatMap(({ kind, term }) => (kind === 'part' ? [term] : []))
}

function spellingsOf(text: string): string[] {
  return analyseText(text).flatMap(({ kind, spelling }) => (kind === 'part' ? [spelling] : []))
}

function meets(doc: number, content: Content, ask: Ask, known: ReadonlySet<string>): boolean {
  const inField = textsOf(doc, content).filter(([name]) => !ask.field || ask.field === name)
  const terms = new Set(inField.flatMap(([, text]) => analyseText(text).map(({ term }) => term)))
  const [first = ''] = ask.words
  if (ask.kind === 'prefix') return [...terms].some((term) => term.startsWith(first))
  if (ask.kind === 'phrase' || partsOf(first).length > 1) {
    // In quotes the letters count: a gardener is no garden.
    const read = ask.kind === 'phrase' ? spellingsOf : partsOf
    const written = read(ask.words.join(' '))
    // Every word must stand in the field, and the words side by side in its texts. Of a word that is
    // its own stem, any form may stand in the field.
    const inIt = new Set([...terms, ...inField.flatMap(([, text]) => read(text))])
    if (!written.every((part) => inIt.has(part))) return false
    return phraseTextsOf(doc, content, ask.field).some((text) => {
      const parts = read(text)
      return parts.some((_, at) => written.every((part, i) => parts[at + i] === part))
    })
  }
  const [term = ''] = partsOf(first)
  if (known.has(term)) return terms.has(term)
  return [...neighbours(first)].some((near) => terms.has(partsOf(near)[0] ?? ''))
}

it('finds the documents that meet the query, and no others', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(content, { minLength: 1, maxLength: 8 }),
      fc.array(ask, { minLength: 1, maxLength: 4 }),
      async (contents, asks) => {
        const query = asks.map(typed).join(' ')
        // A query that only excludes asks for its words.
        const onlyExcludes = asks.every(({ sign }) => sign === '-')
        const read = asks.map((one): Ask => (onlyExcludes ? { ...one, sign: '' } : one))
        const known = new Set(
          contents.flatMap((content, doc) =>
            textsOf(doc, content).flatMap(([, text]) => analyseText(text).map(({ term }) => term)),
          ),
        )
        const isRequired = ({ sign, kind, field }: Ask): boolean =>
          sign === '+' || (sign === '' && (kind === 'phrase' || field !== undefined))
        const matching = contents.flatMap((content, doc) => {
          const met = (one: Ask): boolean => meets(doc, content, one, known)
          const allowed = read.every((one) =>
            one.sign === '-' ? !met(one) : !isRequired(one) || met(one),
          )
          return allowed && read.some((one) => one.sign !== '-' && met(one)) ? [doc] : []
        })
        const index = await new TestBase(
          contents.map((content, doc) => makeDocument(doc, content)),
        ).open()
        const { hits, relaxed } = await index.search(query, { limit: 20 })
        if (onlyExcludes || relaxed) return
        const found = hits.map(({ doc }) => doc).toSorted((a, b) => a - b)
        expect({ query, found }).toEqual({ query, found: matching })
      },
    ),
    { numRuns: 400, endOnFailure: true },
  )
})
