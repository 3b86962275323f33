/** Several tools one after the other, as a recipe says. */
import { z } from 'zod'
import { type KnowledgeError, notFound, quoted } from '../../core/domain/error.ts'
import { planRecipe, RecipeError, runRecipe } from '../../keep/operations/run-recipe.ts'
import type { RecipeRun, RecipeTools } from '../../keep/operations/run-recipe.ts'
import type { CallContext } from '../../serve/door/surface.ts'
import { SurfaceError } from './errors.ts'
import { flag, text } from './fields.ts'
import { row } from './row.ts'
import type { Payload } from './row.ts'
import type { Duskmantle } from './subject.ts'

const NAME = 'km-recipe-run'

const recipeRun = row({
  name: NAME,
  title: 'Run a recipe',
  description:
    'Call several km- tools one after the other, with checks, as a recipe says: daily-health, release-prep, stale-audit, subsystem-freshness or one of yours. Example: {"recipe": "daily-health"}',
  details:
    'Required: recipe (name of a file in recipes/, or of one that is bundled). Optional: vars (object; they come before the variables of the recipe), dry_run (default false; says what would be done); needs a maintainer. Example: /sys mcp run duskmantle km-recipe-run --recipe daily-health',
  scope: 'maintainer',
  input: z.object({
    recipe: text('recipe', 'Name of the recipe'),
    vars: z.record(z.string(), z.json(), { error: 'vars must be an object' }).optional(),
    dry_run: flag('dry_run', 'Shows the steps and runs none; default false'),
  }),
  async run(subject, { recipe: name, vars = {}, dry_run: dryRun }, call) {
    const { recipes } = subject.keeping
    const recipe = recipes.find(name)
    if (!recipe)
      throw recipeNotFound(
        name,
        recipes.list().map((each) => each.name),
      )
    const tools = toolsFor(subject, call)
    if (dryRun) return { plan: { recipe: recipe.name, steps: planRecipe(recipe, { vars, tools }) } }
    const { signal, progress } = call
    try {
      const run = await runRecipe(recipe, { vars, tools, signal, progress })
      subject.keeping.recipes.log.append(auditLine(run, Object.keys(vars)))
      return { run }
    } catch (error) {
      if (!(error instanceof RecipeError)) throw error
      recipes.log.append(auditLine(error.run, Object.keys(vars), error))
      throw new SurfaceError(error, error.recipeCode, {
        step: error.step,
        steps: error.run.steps.map(presentStep),
      })
    }
  },
  present: ({ run, plan }): Payload =>
    run ? presentRun(run) : { status: 'success', dry_run: true, ...plan },
})

/** Every tool but this one, for whoever runs the recipe. */
function toolsFor({ callTool }: Duskmantle, call: CallContext): RecipeTools {
  return {
    names: callTool.names().filter((name) => name !== NAME),
    async call(tool, params, signal) {
      const { structured = {}, isError } = await callTool.call(tool, params, { ...call, signal })
      if (!isError) return { payload: structured }
      const { code, message } = (structured['error'] ?? {}) as Record<string, string>
      return {
        payload: structured,
        failure: `${tool} failed with ${code}: ${message}`,
        passing: code === 'upstream_error',
      }
    },
  }
}

/** What was done and how it went; never what the variables were, which may be secret. */
function auditLine(run: RecipeRun, vars: readonly string[], error?: RecipeError): Payload {
  return {
    recipe: run.recipe,
    started_at: run.startedAt,
    finished_at: run.finishedAt,
    duration_seconds: run.durationSeconds,
    success: run.success,
    vars,
    steps: run.steps.map(({ id, status, durationSeconds }) => ({
      id,
      status,
      duration_seconds: durationSeconds,
    })),
    ...(error && { error: { code: error.recipeCode, step: error.step, message: error.message } }),
  }
}

function presentRun(run: RecipeRun): Payload {
  return {
    status: 'success',
    recipe: run.recipe,
    started_at: run.startedAt,
    finished_at: run.finishedAt,
    duration_seconds: run.durationSeconds,
    success: run.success,
    outputs: run.outputs,
    steps: run.steps.map(presentStep),
  }
}

function presentStep({ id, status, durationSeconds, message, result }: RecipeRun['steps'][number]) {
  return { id, status, duration_seconds: durationSeconds, message, result }
}

function recipeNotFound(name: string, names: readonly string[]): KnowledgeError {
  const error = notFound(
    `There is no recipe ${quoted(name)}.`,
    `The recipes are ${names.slice(0, 50).join(', ')}.`,
  )
  return new SurfaceError(error, 'recipe_not_found')
}

export const recipeTools = [recipeRun]
