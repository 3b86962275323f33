/** Curated templates as MCP prompts. */
import { type KnowledgeError, invalid, notFound } from '../../core/domain/error.ts'
import { pageOf } from '../../core/operations/reading/cursor.ts'
import { knownValues, renderPrompt } from './operations/curated-files.ts'
import type { CuratedFile } from './operations/curated-files.ts'
import type { Prompts } from '../../serve/door/surface.ts'
import { PAGE } from './resources.ts'
import type { AcdcView } from './view.ts'

export function acdcPrompts(view: AcdcView): Prompts {
  const get = async (name: string): Promise<CuratedFile> => {
    const prompt = (await view.catalogue()).findPrompt(name)
    if (!prompt) throw unknownPrompt(name)
    return prompt
  }
  return {
    async list(cursor) {
      const { prompts } = await view.catalogue()
      const page = pageOf('acdc-prompts', prompts, { cursor, limit: PAGE })
      const items = page.items.map((prompt) => ({
        name: view.names.fullName(prompt),
        description: prompt.description,
        arguments: prompt.arguments,
      }))
      return { ...page, items }
    },
    async get(name, args) {
      const prompt = await get(name)
      const isGiven = (argument: string) => Object.hasOwn(args, argument) && args[argument] !== ''
      const missing = prompt.arguments.find((each) => each.required && !isGiven(each.name))
      if (missing) throw invalid(`missing required argument: ${missing.name}`, '')
      const text = await renderPrompt(view.kb, prompt, args)
      if (text === undefined) throw unknownPrompt(name)
      return { description: `Rendered prompt: ${name}`, messages: [{ role: 'user', text }] }
    },
    /** What the template compares an argument with is what it may be. */
    async complete(name, argument, value) {
      const all = await knownValues(view.kb, await get(name), argument)
      const values = all.filter((each) => each.toLowerCase().startsWith(value.toLowerCase()))
      return { values, total: values.length }
    },
  }
}

function unknownPrompt(name: string): KnowledgeError {
  return notFound(`unknown prompt: ${name}`, '')
}
