/** Recipes are files: those of a base come before those that the program brings. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Recipe } from '../../core/domain/recipe.ts'
import { KnowledgeError } from '../../core/domain/error.ts'
import { PACKAGE_FOLDER } from '../../core/kit/package-folder.ts'
import { openActionLog } from '../../core/history/action-log.ts'
import type { Recipes } from '../../core/operations/keeping/recipes.ts'
import { parseRecipe } from './parse-recipe.ts'

const BUNDLED = fileURLToPath(new URL('assets/recipes', PACKAGE_FOLDER))
const ENDINGS = ['.yaml', '.yml']
const NAME = /^[A-Za-z0-9][\w.-]{0,99}$/
const MOST_BYTES = 1024 * 1024
const MOST_LISTED = 1_000

/** Of two with the same name the first counts. */
export function openRecipes(state: string, folders: readonly string[]): Recipes {
  const places = [...folders, join(state, 'recipes'), BUNDLED]
  const find = (name: string): { readonly recipe: Recipe; readonly folder: string } | undefined => {
    if (!NAME.test(name)) return undefined
    for (const folder of places) {
      const file = ENDINGS.map((ending) => join(folder, name + ending)).find(isReadable)
      if (file !== undefined)
        return { recipe: parseRecipe(readFileSync(file, 'utf8'), name), folder }
    }
    return undefined
  }
  return {
    find: (name) => find(name.trim())?.recipe,
    list() {
      const names = new Set(places.flatMap(namesIn))
      return [...names]
        .toSorted()
        .slice(0, MOST_LISTED)
        .map((name) => {
          try {
            const found = find(name)
            return {
              name,
              summary: found?.recipe.summary ?? '',
              bundled: found?.folder === BUNDLED,
            }
          } catch (error) {
            if (!(error instanceof KnowledgeError)) throw error
            return { name, summary: '', bundled: false, problem: error.message }
          }
        })
    },
    log: openActionLog(join(state, 'audit/recipes.log')),
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((file) => ENDINGS.includes(extname(file)))
      .map((file) => basename(file, extname(file)))
      .filter((name) => NAME.test(name))
  } catch {
    return []
  }
}

function isReadable(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false })
  return (stats?.isFile() ?? false) && stats!.size <= MOST_BYTES
}
