/**
 * How much evidence does a reply carry, token by token? Looks only at the text a model would read.
 * A token is four characters; what stands later than a budget was not read.
 */

/** What a question is known to be answered by. All of it may be missing. */
export interface Gold {
  readonly answer?: string
  /** Whether the answer is a few words that must stand there letter by letter. */
  readonly short?: boolean
  /** Sentences that together answer the question. */
  readonly evidence?: readonly { readonly text: string }[]
}

export interface JudgedReply {
  readonly question: string
  readonly text: string
  /** Paths of the documents that answer. */
  readonly relevant: readonly string[]
  readonly gold: Gold
  /** What `ask` claims, as programs read it; undefined for other tools. */
  readonly claims?: readonly unknown[] | undefined
}

export type EconomyFigures = Readonly<Record<string, number>>

export const BUDGETS = [500, 1_000, 2_000] as const
const LETTERS_PER_TOKEN = 4
/** A gold sentence is shown where so much of its content words stands close together. */
const SHOWN = 0.6
const WINDOW = { size: 1_500, step: 300 } as const

/** Means over all questions a figure has a meaning for, to three digits; `tokens` comes first. */
export function scoreEconomy(replies: readonly JudgedReply[]): EconomyFigures {
  const sums = new Map<string, { total: number; count: number }>()
  let letters = 0
  for (const reply of replies) {
    const text = Array.from(reply.text)
    letters += text.length
    for (const [name, value] of Object.entries(figuresOf(reply, text))) {
      const sum = sums.get(name) ?? { total: 0, count: 0 }
      sums.set(name, { total: sum.total + value, count: sum.count + 1 })
    }
  }
  const means = [...sums]
    .map(([name, { total, count }]) => [name, Math.round((total / count) * 1_000) / 1_000] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  const tokens = Math.round(letters / LETTERS_PER_TOKEN / Math.max(1, replies.length))
  return { tokens, ...Object.fromEntries(means) }
}

/** Letters are code points, so that other alphabets count the same in every program. */
function figuresOf(reply: JudgedReply, letters: readonly string[]): Record<string, number> {
  const { gold } = reply
  const figures: Record<string, number> = {}
  if (reply.claims && gold.short && gold.answer) {
    const [first] = reply.claims
    figures['first'] = Number(
      first !== undefined &&
        JSON.stringify(first).toLowerCase().includes(gold.answer.toLowerCase()),
    )
    figures['empty'] = Number(reply.claims.length === 0)
  }
  for (const budget of BUDGETS) {
    const read = letters.slice(0, budget * LETTERS_PER_TOKEN)
    const part = read.join('')
    const named = reply.relevant.map(
      (path) => part.includes(path) || part.includes(path.replace(/\.[^.]*$/s, '')),
    )
    figures[`rel@${budget}`] = Number(named.some(Boolean))
    figures[`all@${budget}`] = Number(named.every(Boolean))
    if (gold.evidence?.length) {
      const facts = gold.evidence.map(({ text }) => contentOf(text)).filter(({ size }) => size > 0)
      const windows = windowsOf(read)
      const shown = facts.map((fact) => windows.some((window) => shares(fact, window) >= SHOWN))
      if (shown.length > 0) {
        figures[`gold@${budget}`] = Number(shown.some(Boolean))
        figures[`goldall@${budget}`] = Number(shown.every(Boolean))
      }
    }
    if (!gold.answer) continue
    if (gold.short) {
      figures[`exact@${budget}`] = Number(
        part.toLowerCase().replaceAll('\\n', ' ').includes(gold.answer.toLowerCase()),
      )
    } else if (!gold.evidence?.length) {
      const asked = contentOf(reply.question)
      const wanted = new Set([...contentOf(gold.answer)].filter((word) => !asked.has(word)))
      if (wanted.size > 0) figures[`answer@${budget}`] = shares(wanted, contentOf(part))
    }
  }
  return figures
}

function windowsOf(letters: readonly string[]): ReadonlySet<string>[] {
  const { size, step } = WINDOW
  const windows: ReadonlySet<string>[] = []
  for (let at = 0; at < Math.max(1, letters.length - size + step); at += step) {
    windows.push(contentOf(letters.slice(at, at + size).join('')))
  }
  return windows
}

function shares(words: ReadonlySet<string>, within: ReadonlySet<string>): number {
  let found = 0
  for (const word of words) if (within.has(word)) found++
  return found / words.size
}

const EMPTY_WORDS = new Set(
  `a about after all also am an and any are as at be because been before being but by can could did
  do does doing down each few for from further had has have having he her here him his how i if in
  into is it its just me more most my no nor not of off on once only or other our out over own same
  she should so some such than that the their them then there these they this those through to too
  under until up very was we were what when where which while who whom why will with would you
  your`.split(/\s+/),
)
const ENDINGS = 'ations ation ments ment ings ing ies ied es ed ly s'.split(' ')

/** The words that say something, each as its stem. */
function contentOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return new Set(words.filter((word) => !EMPTY_WORDS.has(word) && [...word].length > 1).map(stemOf))
}

function stemOf(word: string): string {
  const ending = ENDINGS.find(
    (each) =>
      word.endsWith(each) &&
      word.length - each.length >= 3 &&
      !(each === 's' && word.endsWith('ss')),
  )
  const stem = ending === undefined ? word : word.slice(0, -ending.length)
  return stem.length > 4 && stem.endsWith('e') ? stem.slice(0, -1) : stem
}
