/**
 * A test set out of a base's own text: what people wrote about a document says how they would look
 * for it. Headings, the texts of links and aliases each ask for the document they belong to.
 */
import { createHash } from 'node:crypto'
import { documentId } from '../../core/domain/document.ts'
import type { DocumentRecord } from '../../core/domain/document.ts'
import { nameTerm } from '../../core/search/names.ts'
import type { View } from '../../core/operations/view/view.ts'
import { findLive, parseLive } from '../../core/operations/reading/read-document.ts'
import type { Judgements } from './score-run.ts'

/** A title or an alias that one document alone bears asks for that document, whatever it is. */
export async function nameQuestions(kb: View): Promise<OwnSet> {
  const { documents } = await kb.store.list({}, 'path', { offset: 0, limit: -1 })
  const bearers = new Map<string, { kind: OwnQuestion['kind']; text: string; ids: Set<string> }>()
  for (const document of documents) {
    const names = [document.title, ...document.aliases]
    for (const [index, text] of names.entries()) {
      const key = nameTerm(text)
      if (key === undefined) continue
      const known = bearers.get(key) ?? {
        kind: index === 0 ? 'title' : 'alias',
        text,
        ids: new Set(),
      }
      known.ids.add(documentId(document))
      bearers.set(key, known)
    }
  }
  const unique = [...bearers.values()].filter(({ ids }) => ids.size === 1)
  return {
    questions: unique.map(({ kind, text }) => ({ id: text, kind, text })),
    judgements: new Map(
      unique.map(({ text, ids }) => [text, new Map([...ids].map((id) => [id, 1]))]),
    ),
  }
}

export interface OwnQuestion {
  readonly id: string
  readonly text: string
  readonly kind: 'heading' | 'link' | 'alias' | 'title'
}

export interface OwnSet {
  readonly questions: readonly OwnQuestion[]
  readonly judgements: Judgements
}

/** A question that asks for more documents than this ("Notes", "See also") asks for none. */
const ANSWERS_AT_MOST = 3
const MOST_QUESTIONS = 500
const SHORTEST = 4
const LONGEST = 120

export async function ownQuestions(kb: View): Promise<OwnSet> {
  const { documents } = await kb.store.list({}, 'path', { offset: 0, limit: -1 })
  const found = new Map<string, { kind: OwnQuestion['kind']; text: string; answers: Set<string> }>()
  const ask = (kind: OwnQuestion['kind'], text: string, document: DocumentRecord): void => {
    const clean = text.replaceAll(/\s+/g, ' ').trim()
    const key = clean.toLowerCase()
    if (clean.length < SHORTEST || clean.length > LONGEST || key === document.title.toLowerCase()) {
      return
    }
    const known = found.get(key) ?? { kind, text: clean, answers: new Set<string>() }
    known.answers.add(documentId(document))
    found.set(key, known)
  }
  for (const document of documents) {
    for (const alias of document.aliases) ask('alias', alias, document)
    const live = await findLive(kb, document)
    const headings = live ? (await parseLive(kb, live)).headings : []
    for (const { text } of headings) ask('heading', text, document)
    for (const { kind, label, from } of await kb.store.linksTo(document.no)) {
      if (label !== undefined && from !== document.no && kind !== 'typed')
        ask('link', label, document)
    }
  }
  const kept = [...found.values()]
    .filter(({ answers }) => answers.size <= ANSWERS_AT_MOST)
    .map((each) => ({ ...each, id: fingerprint(each.text) }))
    // A fixed sample: the same base asks the same questions.
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, MOST_QUESTIONS)
  return {
    questions: kept.map(({ id, kind, text }) => ({ id, kind, text })),
    judgements: new Map(
      kept.map(({ id, answers }) => [id, new Map([...answers].map((answer) => [answer, 1]))]),
    ),
  }
}

function fingerprint(text: string): string {
  return createHash('sha256').update(text.toLowerCase()).digest('hex').slice(0, 12)
}
