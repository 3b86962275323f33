/** The prompts of several surfaces, as one list. */
import type { Caller } from '../../core/domain/caller.ts'
import { invalid, KnowledgeError, quoted } from '../../core/domain/error.ts'
import type { PromptEntry, Prompts } from './surface.ts'

export interface NamedPrompts {
  readonly surface: string
  readonly prompts: Prompts
}

interface Owned {
  readonly prompts: Prompts
  /** Under which its surface knows it. */
  readonly own: string
  readonly entry: PromptEntry
}

/** More than this nobody chooses from. */
const MOST_PAGES = 50

/** As with tools, a name that is taken already gets the name of its surface in front. */
export function mergePrompts(all: readonly NamedPrompts[]): Prompts | undefined {
  if (all.length < 2) return all[0]?.prompts
  const owned = async (caller: Caller | undefined): Promise<ReadonlyMap<string, Owned>> => {
    const found = new Map<string, Owned>()
    for (const { surface, prompts } of all) {
      for (const entry of await everyPrompt(prompts, caller)) {
        const name = found.has(entry.name) ? `${surface}_${entry.name}` : entry.name
        found.set(name, { prompts, own: entry.name, entry: { ...entry, name } })
      }
    }
    return found
  }
  const ownerOf = async (name: string, caller: Caller | undefined): Promise<Owned> => {
    const found = await owned(caller)
    const owner = found.get(name)
    if (owner) return owner
    throw new KnowledgeError(
      'not_found',
      `There is no prompt ${quoted(name)}.`,
      `The prompts are: ${[...found.keys()].join(', ')}.`,
    )
  }
  return {
    async list(cursor, caller) {
      if (cursor !== undefined) throw invalid('There is one page.', 'Ask without a cursor.')
      return { items: [...(await owned(caller)).values()].map(({ entry }) => entry) }
    },
    async get(name, args, call) {
      const { prompts, own } = await ownerOf(name, call.caller)
      return prompts.get(own, args, call)
    },
    async complete(name, argument, value, others, caller) {
      const { prompts, own } = await ownerOf(name, caller)
      return prompts.complete(own, argument, value, others, caller)
    },
  }
}

async function everyPrompt(prompts: Prompts, caller: Caller | undefined): Promise<PromptEntry[]> {
  const found: PromptEntry[] = []
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const { items, nextCursor } = await prompts.list(cursor, caller)
    found.push(...items)
    if (nextCursor === undefined) break
    cursor = nextCursor
  }
  return found
}
