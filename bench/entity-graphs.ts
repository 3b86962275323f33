/** The same made-up graph in our files and in one of the memory server, and questions about it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { randomNumbers } from './harness.ts'

export interface GraphSize {
  readonly entities: number
  readonly relations: number
  readonly root: string
  readonly memoryFile: string
}

const CATEGORIES = ['concepts', 'tech_stack', 'people', 'projects']
const TYPES = ['concept', 'framework', 'person', 'project']
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const HAN = '模型上下文协议系统知识图谱实体关系检索增强生成智能代理工具调用函数数据库语言框架'
const VOCABULARY = 20_000

const random = randomNumbers(11)
const vocabulary = Array.from({ length: VOCABULARY }, () =>
  Array.from(
    { length: 3 + Math.floor(random() * 9) },
    () => LETTERS[Math.floor(random() * 26)],
  ).join(''),
)

/** What entity number `n` says: every fourth in Chinese. */
function entityOf(n: number) {
  const draw = randomNumbers(1_000 + n)
  // The first words are the most frequent, as in any language.
  const word = () => vocabulary[Math.floor(VOCABULARY ** draw()) - 1]!
  const words = (count: number) => Array.from({ length: count }, word).join(' ')
  const han = (count: number) =>
    Array.from({ length: count }, () => HAN[Math.floor(draw() * HAN.length)]).join('')
  const chinese = n % 4 === 0
  return {
    id: `entity-${n}`,
    type: TYPES[n % TYPES.length]!,
    name: chinese ? `${han(4)} ${n}` : `${words(2)} ${n}`,
    desc: chinese ? han(40) : words(14),
    tags: [word(), `tag-${n % 500}`],
    updated_at: new Date(Date.UTC(2026, 1, 14) + n * 61_001).toISOString(),
  }
}

export function writeGraphs({ entities, relations, root, memoryFile }: GraphSize): void {
  const texts = new Map<string, string[]>()
  const memory: string[] = []
  const put = (file: string, object: object) => {
    const lines = texts.get(file) ?? []
    texts.set(file, lines)
    lines.push(`${JSON.stringify(object)}\n`)
  }
  for (let n = 0; n < entities; n++) {
    const entity = entityOf(n)
    put(`knowledge/entities/${CATEGORIES[n % CATEGORIES.length]}.jsonl`, entity)
    const { id: name, type: entityType } = entity
    const observations = [entity.name, entity.desc, ...entity.tags]
    memory.push(JSON.stringify({ type: 'entity', name, entityType, observations }))
  }
  const draw = randomNumbers(7)
  const some = () => `entity-${Math.floor(draw() * entities)}`
  for (let n = 0; n < relations; n++) {
    const [src, rel, dst] = [some(), 'depends_on', some()]
    const month = String((n % 12) + 1).padStart(2, '0')
    const created_at = '2026-02-14T12:40:50.604646Z'
    put(`knowledge/relations/2025-${month}.jsonl`, { src, rel, dst, context: '', created_at })
    memory.push(JSON.stringify({ type: 'relation', from: src, to: dst, relationType: rel }))
  }
  for (const [file, lines] of texts) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), lines.join(''))
  }
  writeFileSync(memoryFile, memory.join('\n'))
}

export const QUESTION_KINDS = [
  'id',
  'name',
  'part of a word',
  'word',
  'two words',
  'Chinese',
  'tag',
  'fuzzy',
  'nothing',
] as const

export type QuestionKind = (typeof QUESTION_KINDS)[number]

/** The `n`th question of a kind. */
export function askedFor(kind: QuestionKind, n: number, entities: number): string {
  const draw = randomNumbers(50_000 + n)
  const number = Math.floor(draw() * entities)
  const entity = entityOf(number)
  const latin = entityOf(number % 4 === 0 ? number + 1 : number).desc.split(' ')
  const word = latin.find((each) => each.length >= 6) ?? latin[0]!
  switch (kind) {
    case 'id':
      return entity.id
    case 'name':
      return entity.name
    case 'part of a word':
      return word.slice(1, 4)
    case 'word':
      return word
    case 'two words':
      return `${latin[3]} ${latin[4]}`
    case 'Chinese':
      return entityOf(number - (number % 4)).desc.slice(5, 7 + (n % 3))
    case 'tag':
      return `tag-${number % 500}`
    case 'fuzzy':
      return `${word[0]}${word[2]}${word[1]}${word.slice(3)}`
    case 'nothing':
      return `${word}qzx`
    default:
      return kind satisfies never
  }
}
