import { expect, it } from 'vitest'
import { nameRuns, withArticle } from './name-runs.ts'
import { nameTerm } from './names.ts'

function termsIn(text: string): string[] {
  return nameRuns(text).flatMap(({ terms }) => terms.map((term) => term.slice(1)))
}

it.each([
  ['ask Mara Lind today', 'mara lind'],
  ["Mara's numbers", 'mara'],
  ['the on-call handover', 'on call'],
  ['two postmortems', 'postmortem'],
  ['see runbooks/queue-is-stuck.md', 'queue is stuck'],
  ['the queue is stuck, again', 'the queue is stuck'],
  ['queue is stuck', 'the queue is stuck'],
  ['**Inês**, please', 'ines'],
  ['C++ or C#', 'c++'],
  ['Planning, February 2026', 'planning, february 2026'],
  ['Kestrel/Bluefin', 'bluefin'],
  ['TCP/IP', 'tcp/ip'],
  ['ask Mara—she knows', 'mara'],
  ['a Kestrel-based tool', 'kestrel'],
  ["à l'Orangerie", 'orangerie'],
  ["L'Oréal", "l'oreal"],
  ['c’est d’Amélie', 'amelie'],
  ['с Анной Петровой', 'анна петрова'],
  ['передачу дежурства', 'передача дежурства'],
  ['我在准备值班交接吗', '值班交接'],
  ['用Kestrel项目', 'kestrel项目'],
])('%j may name %j', (text, name) => {
  expect(termsIn(text)).toContain(name)
})

it.each([
  ['Mara. Lind', 'mara. lind'],
  ['one\n\ntwo', 'one two'],
  ['Ines', 'ine'],
  ['marathon', 'mara'],
  ['src/kestrel/main.ts', 'kestrel'],
  ['a kestrel-based tool', 'kestrel'],
  ['值班。交接', '值班。交接'],
])('%j does not name %j', (text, name) => {
  expect(termsIn(text)).not.toContain(name)
})

it('says where a name stands, without what follows it', () => {
  const text = 'Is Mara Lind’s phone off?'
  const [run] = nameRuns(text).filter(({ words }) => words.join(' ') === 'mara lind')
  expect(text.slice(run!.start, run!.end)).toBe('Mara Lind')
})

it('knows a name that has an article the text leaves out', () => {
  const [run] = nameRuns('queue is stuck').filter(({ words }) => words.length === 3)
  expect(withArticle(run!, nameTerm('The queue is stuck')!)).toBe(true)
  expect(withArticle(run!, nameTerm('queue is stuck')!)).toBe(false)
})

it('reads no further than some name begins alike', () => {
  const asked: string[] = []
  const begins = (term: string): boolean => {
    asked.push(term)
    return nameTerm('Mara Lind')!.startsWith(term)
  }
  const runs = nameRuns(`${'word '.repeat(10_000)}Mara Lind said so`, begins)
  expect(runs.map(({ words }) => words.join(' '))).toEqual(['mara', 'mara lind'])
  expect(asked.length).toBeLessThan(10_010)
})

it.each(['!', "'", '-', '.', '/', "'s", '"', '汉!'])('passes a long word of %j once', (mark) => {
  const text = `a${mark.repeat(400_000 / mark.length)}b`
  expect(nameRuns(text, () => false).length).toBeLessThan(1_000)
})

it('is bounded by the words of a text', () => {
  expect(nameRuns('Ab '.repeat(100_000)).length).toBeLessThanOrEqual(160_000)
})
