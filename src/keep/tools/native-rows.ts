/**
 * Native tools for those who run a base: votes, backups, recipes. They are there when they are asked
 * for (`--tools +feedback,+admin`), so that everybody else need not read of them.
 */
import { z } from 'zod'
import {
  type KnowledgeError,
  forbidden,
  invalid,
  notFound,
  quoted,
} from '../../core/domain/error.ts'
import { lookAgain } from '../operations/look-again.ts'
import { planRecipe, RecipeError, runRecipe } from '../operations/run-recipe.ts'
import type { RecipeTools } from '../operations/run-recipe.ts'
import { castVote, keepingOf } from '../operations/vote.ts'
import type { View } from '../../core/operations/view/view.ts'
import type { CallContext, Surface } from '../../serve/door/surface.ts'
import { tool } from '../../serve/door/tool.ts'
import { compact } from '../../serve/native/present.ts'

const MOST_NOTE = 4_000

const feedbackTool = tool({
  name: 'feedback',
  title: 'Feedback',
  description: 'Say how good a document was as an answer: 1 right, -1 wrong.',
  access: 'write',
  input: z.strictObject({
    query: z.string().trim().min(1).max(1_000).describe('The question'),
    id: z.string().min(1).describe('The document'),
    vote: z.number().min(-1).max(1).describe('-1 to 1'),
    note: z.string().max(MOST_NOTE).optional().describe('Why'),
  }),
  output: z.looseObject({}),
  run: (kb, { query, id, vote, note }, { client }) =>
    castVote(kb, { query, id, vote, note, source: client ?? 'native' }),
  present: (kept) => compact({ ...kept }),
})

const ACTIONS = ['status', 'ingest', 'backup', 'restore_plan', 'recipe', 'help'] as const

const adminInput = z.strictObject({
  action: z.enum(ACTIONS).describe('What to do'),
  name: z.string().optional().describe('recipe: which; lists them without'),
  vars: z.record(z.string(), z.json()).optional().describe('recipe: its variables'),
  dry_run: z.boolean().optional().describe('recipe: show the steps only'),
  archive: z.string().optional().describe('restore_plan: the file'),
  destination: z.string().optional().describe('backup: folder below the state folder'),
})

type AdminInput = z.output<typeof adminInput>

type Tools = Pick<Surface, 'names' | 'call'>

/** All tools that recipes may call: those of the surface itself and of other vocabularies. */
interface ToolBox {
  readonly own: () => Tools
  readonly others: () => Promise<Tools | undefined>
}

/** Without those that nobody asked for. */
export function keepingRows(asked: readonly string[], others: ToolBox['others']) {
  return (own: ToolBox['own']) =>
    [feedbackTool, adminTool({ own, others })].filter(({ name }) => asked.includes(name))
}

/** As they are described, where nobody calls them. */
export function everyKeepingRow() {
  return keepingRows(
    ['feedback', 'admin'],
    async () => undefined,
  )(() => {
    throw new Error('They are described, not called.')
  })
}

function adminTool(box: ToolBox) {
  return tool({
    name: 'admin',
    title: 'Admin',
    description: 'Run the base: status, ingest, backup, restore_plan, recipe, help.',
    access: 'maintain',
    input: adminInput,
    output: z.looseObject({}),
    async run(kb, input, call) {
      const { sees, writes, principal } = call.caller ?? { principal: '' }
      // What it does is done to all of the base.
      if (sees) throw reachesPart(principal, 'sees')
      // A recipe calls tools that know nothing of parts.
      if (writes && input.action === 'recipe') throw reachesPart(principal, 'writes in')
      return ADMIN[input.action](kb, input, call, box)
    },
    present: (answer) => answer,
  })
}

function reachesPart(principal: string, what: string): KnowledgeError {
  return forbidden(
    `${principal} ${what} a part of the base, and admin works on all of it.`,
    'Use a token without --see, --hide and --write-in.',
  )
}

type Answer = Readonly<Record<string, unknown>>

const ADMIN: Readonly<
  Record<
    AdminInput['action'],
    (kb: View, input: AdminInput, call: CallContext, box: ToolBox) => Promise<Answer>
  >
> = {
  status,
  ingest: async (kb, _, { signal }) => ({ ...(await lookAgain(kb, signal)) }),
  backup: async (kb, { destination }, { signal }) => {
    const made = await keepingOf(kb).backups.create({
      prefix: 'cairn-backup',
      destination,
      allowedRoots: [],
      keep: destination === undefined ? KEPT : undefined,
      signal,
    })
    return { ...made }
  },
  restore_plan: planRestoring,
  recipe,
  help: async () => ({ actions: HELP }),
}

const KEPT = 7

const HELP: Readonly<Record<(typeof ACTIONS)[number], string>> = {
  status: 'Counts, whether the index is behind, backups, votes and recipes.',
  ingest: 'Looks through all files now and puts into the index what has changed.',
  backup: 'Packs documents, history and index into an archive; destination is optional.',
  restore_plan: 'Proves that an archive is whole and says how it is restored; changes nothing.',
  recipe: 'Runs the recipe name with vars, or shows it with dry_run; without a name, lists them.',
  help: 'This.',
}

async function status(kb: View): Promise<Answer> {
  const { backups, feedback, learned, recipes } = keepingOf(kb)
  const [newest] = await backups.list()
  return compact({
    ...(await kb.base.store.counts()),
    indexing: kb.catchingUp()?.phase,
    trouble: kb.trouble(),
    sources: [...kb.sources.keys()],
    last_backup: newest && { path: newest.path, at: newest.createdAt, bytes: newest.bytes },
    votes: feedback.votes().length,
    learning: learned().active,
    recipes: recipes.list().map(({ name }) => name),
  })
}

async function planRestoring(kb: View, { archive }: AdminInput): Promise<Answer> {
  const { backups } = keepingOf(kb)
  const named = archive ?? (await backups.list())[0]?.path
  if (named === undefined) {
    throw invalid('There is no archive yet.', 'Name one, or make a backup first.')
  }
  const plan = await backups.plan(named, 'restored')
  return { ...plan, command: `cairn restore ${JSON.stringify(plan.archive)} --into DIR` }
}

async function recipe(
  kb: View,
  { name, vars = {}, dry_run: dryRun }: AdminInput,
  call: CallContext,
  box: ToolBox,
): Promise<Answer> {
  const { recipes } = keepingOf(kb)
  if (name === undefined) return { recipes: recipes.list() }
  const found = recipes.find(name)
  if (!found) {
    const names = recipes.list().map((each) => each.name)
    throw notFound(`There is no recipe ${quoted(name)}.`, `The recipes are ${names.join(', ')}.`)
  }
  const tools = await toolsIn(box, call)
  if (dryRun)
    return { recipe: found.name, dry_run: true, steps: planRecipe(found, { vars, tools }) }
  const { signal, progress } = call
  const line = { by: call.client ?? 'native', vars: Object.keys(vars) }
  try {
    const run = await runRecipe(found, { vars, tools, signal, progress })
    recipes.log.append({ ...line, recipe: run.recipe, started_at: run.startedAt, success: true })
    return { ...run }
  } catch (error) {
    if (error instanceof RecipeError) {
      const { recipeCode: code, step, message, run } = error
      recipes.log.append({
        ...line,
        recipe: run.recipe,
        started_at: run.startedAt,
        success: false,
        error: { code, step, message },
      })
    }
    throw error
  }
}

/** Every tool but the one that runs recipes. Of two with one name the first counts. */
async function toolsIn(box: ToolBox, call: CallContext): Promise<RecipeTools> {
  const owners = new Map<string, Pick<Surface, 'call'>>()
  for (const surface of [box.own(), await box.others()]) {
    if (!surface) continue
    for (const name of surface.names(call.caller)) {
      if (!owners.has(name) && !NOT_IN_RECIPES.includes(name)) owners.set(name, surface)
    }
  }
  return {
    names: [...owners.keys()],
    async call(name, params, signal) {
      const { structured = {}, isError } = await owners
        .get(name)!
        .call(name, params, { ...call, signal })
      if (!isError) return { payload: structured }
      const { code, message } = (structured['error'] ?? {}) as Record<string, string>
      const passing = code === 'unavailable' || code === 'upstream_error'
      return { payload: structured, failure: `${name} failed with ${code}: ${message}`, passing }
    },
  }
}

const NOT_IN_RECIPES = ['admin', 'km-recipe-run']
