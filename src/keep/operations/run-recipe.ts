/** Runs a recipe: one step after the other, up to the first that fails, within bounds of time. */
import { isDeepStrictEqual } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import { KnowledgeError, quoted } from '../../core/domain/error.ts'
import type { Condition, Recipe, RecipeStep, ToolCall, WaitStep } from '../../core/domain/recipe.ts'
import { evaluate, MISSING, resultAt, resolveVariables, Unresolved } from './expressions.ts'
import type { Names } from './expressions.ts'

export type RecipeCode = 'recipe_not_found' | 'tool_failed' | 'assert_failed' | 'timeout'

export interface ToolAnswer {
  readonly payload: Readonly<Record<string, unknown>>
  /** Why it failed; undefined where it did not. */
  readonly failure?: string
  /** Whether trying again may help. */
  readonly passing?: boolean
}

export interface RecipeTools {
  readonly names: readonly string[]
  call(
    tool: string,
    params: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<ToolAnswer>
}

export interface StepReport {
  readonly id: string
  readonly status: 'success' | 'error' | 'skipped'
  readonly durationSeconds: number
  readonly message: string
  readonly result: unknown
}

export interface RecipeRun {
  readonly recipe: string
  /** ISO instants. */
  readonly startedAt: string
  readonly finishedAt: string
  readonly durationSeconds: number
  readonly success: boolean
  readonly steps: readonly StepReport[]
  /** Only of a run that went well. */
  readonly outputs: Readonly<Record<string, unknown>>
}

export interface RecipeOptions {
  readonly vars: Readonly<Record<string, unknown>>
  readonly tools: RecipeTools
  readonly signal: AbortSignal
  readonly progress?: (done: number, total: number, message: string) => void
  /** All steps together. */
  readonly mostSeconds?: number
}

/** A recipe that did not go well: which step, and what had been done. */
export class RecipeError extends KnowledgeError {
  readonly recipeCode: RecipeCode
  readonly step: string
  readonly run: RecipeRun

  constructor(recipeCode: RecipeCode, message: string, step: string, run: RecipeRun) {
    super(CODES[recipeCode], message, `See step ${quoted(step)} of the recipe.`)
    this.recipeCode = recipeCode
    this.step = step
    this.run = run
  }
}

const CODES = {
  recipe_not_found: 'not_found',
  tool_failed: 'upstream',
  assert_failed: 'conflict',
  timeout: 'unavailable',
} as const satisfies Record<RecipeCode, string>

const MOST_SECONDS = 2 * 3_600

/** Why a step ended the run. */
class StepFailure extends Error {
  readonly code: RecipeCode
  readonly result: unknown
  constructor(code: RecipeCode, message: string, result?: unknown) {
    super(message)
    this.code = code
    this.result = result
  }
}

export async function runRecipe(
  recipe: Recipe,
  { vars, tools, signal, progress, mostSeconds = MOST_SECONDS }: RecipeOptions,
): Promise<RecipeRun> {
  const startedAt = new Date()
  const started = performance.now()
  const deadline = started + mostSeconds * 1000
  const reports: StepReport[] = []
  const captures: Record<string, unknown> = {}
  const results: Record<string, unknown> = {}
  const seconds = (since: number): number => Number(((performance.now() - since) / 1000).toFixed(3))
  const ran = (success: boolean, outputs: Readonly<Record<string, unknown>> = {}): RecipeRun => ({
    recipe: recipe.name,
    startedAt: startedAt.toISOString(),
    finishedAt: new Date().toISOString(),
    durationSeconds: seconds(started),
    success,
    steps: reports,
    outputs,
  })
  const fail = (step: string, error: unknown, since: number): never => {
    const failure = asFailure(error)
    if (!failure) throw error
    const { code, message, result } = failure
    const left = recipe.steps.slice(reports.length + 1)
    reports.push({
      id: step,
      status: 'error',
      durationSeconds: seconds(since),
      message,
      result: bounded(result),
    })
    for (const { id } of left) {
      reports.push({ id, status: 'skipped', durationSeconds: 0, message: '', result: null })
    }
    throw new RecipeError(code, `Step ${quoted(step)}: ${message}.`, step, ran(false))
  }
  const settled = resolvedVariables(recipe, vars, fail, started)
  const names: Names = { vars: settled, captures, steps: results }
  for (const [index, step] of recipe.steps.entries()) {
    const since = performance.now()
    progress?.(index, recipe.steps.length, step.id)
    try {
      signal.throwIfAborted()
      const result = await runStep(step, { names, tools, signal, deadline })
      results[step.id] = result
      if (step.kind === 'tool') {
        for (const { name, path } of step.captures) captures[name] = captured(result, path)
      }
      reports.push({
        id: step.id,
        status: 'success',
        durationSeconds: seconds(since),
        message: '',
        result: bounded(result),
      })
    } catch (error) {
      fail(step.id, error, since)
    }
  }
  try {
    return ran(true, evaluate(recipe.outputs, names) as Readonly<Record<string, unknown>>)
  } catch (error) {
    return fail('outputs', error, performance.now())
  }
}

function resolvedVariables(
  { variables }: Recipe,
  vars: Readonly<Record<string, unknown>>,
  fail: (step: string, error: unknown, since: number) => never,
  started: number,
): Readonly<Record<string, unknown>> {
  try {
    return resolveVariables({ ...variables, ...vars })
  } catch (error) {
    return fail('variables', error, started)
  }
}

function asFailure(error: unknown): StepFailure | undefined {
  if (error instanceof StepFailure) return error
  return error instanceof Unresolved ? new StepFailure('assert_failed', error.message) : undefined
}

interface Running {
  readonly names: Names
  readonly tools: RecipeTools
  readonly signal: AbortSignal
  /** By the clock of `performance.now`. */
  readonly deadline: number
}

async function runStep(step: RecipeStep, running: Running): Promise<unknown> {
  if (step.kind === 'wait') return wait(step, running)
  const { payload, failure } = await callTool(step.call, running, running.deadline)
  if (failure !== undefined) throw new StepFailure('tool_failed', failure, payload)
  for (const condition of step.conditions) {
    const said = evaluate(condition, running.names) as Condition
    const why = violation(said, payload)
    if (why !== undefined) throw new StepFailure('assert_failed', why, payload)
  }
  return payload
}

async function wait(step: WaitStep, running: Running): Promise<unknown> {
  const end = Math.min(running.deadline, performance.now() + step.timeoutSeconds * 1000)
  const over = (last: string): StepFailure =>
    new StepFailure('timeout', `waited ${step.timeoutSeconds} seconds, and ${last}`)
  for (;;) {
    const { payload, failure, passing } = await callTool(step.call, running, end)
    if (failure !== undefined && !passing) throw new StepFailure('tool_failed', failure, payload)
    const until = evaluate(step.until, running.names) as Condition
    const why = failure ?? violation(until, payload)
    if (why === undefined) return payload
    const left = end - performance.now()
    if (left <= 0) throw over(why)
    await sleep(Math.min(left, step.intervalSeconds * 1000), undefined, { signal: running.signal })
    if (performance.now() >= end) throw over(why)
  }
}

/** A tool that does not come back does not hold up the run for ever. */
async function callTool(
  { tool, params }: ToolCall,
  { names, tools, signal }: Running,
  end: number,
): Promise<ToolAnswer> {
  if (!tools.names.includes(tool)) {
    throw new StepFailure('tool_failed', `there is no tool ${quoted(tool)} for recipes`)
  }
  const args = evaluate(params, names) as Readonly<Record<string, unknown>>
  const stop = new AbortController()
  const late = sleep(Math.max(0, end - performance.now()), 'late' as const, {
    signal: stop.signal,
    ref: false,
  }).catch(() => 'late' as const)
  const both = AbortSignal.any([signal, stop.signal])
  try {
    const answer = await Promise.race([tools.call(tool, args, both), late])
    if (answer !== 'late') return answer
    throw new StepFailure('timeout', `${tool} did not answer in time`)
  } finally {
    stop.abort()
  }
}

function captured(result: unknown, path: string | undefined): unknown {
  const value = path === undefined ? result : resultAt(result, path)
  if (value === MISSING)
    throw new StepFailure('assert_failed', `there is no ${quoted(path ?? '')} to keep`, result)
  return value
}

/** What is wrong; undefined where the condition holds. */
function violation(condition: Condition, result: unknown): string | undefined {
  const { path } = condition
  const value = resultAt(result, path)
  const there = value !== MISSING
  if (condition.exists !== undefined) {
    if (there === condition.exists) return undefined
    return `${quoted(path)} is ${there ? 'there' : 'not there'}`
  }
  if (!there) return `there is no ${quoted(path)}`
  const isEqual = (other: unknown): boolean => isDeepStrictEqual(value, other)
  if ('equals' in condition && !isEqual(condition.equals)) {
    return `${quoted(path)} is ${shown(value)} and not ${shown(condition.equals)}`
  }
  if ('notEquals' in condition && isEqual(condition.notEquals)) {
    return `${quoted(path)} is ${shown(value)}`
  }
  return undefined
}

function shown(value: unknown): string {
  return quoted(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing'))
}

/** What a step found is shown up to this length. */
const LONGEST_RESULT = 64 * 1024

function bounded(result: unknown): unknown {
  const text = JSON.stringify(result ?? null)
  if (text.length <= LONGEST_RESULT) return result ?? null
  return { truncated: true, characters: text.length, beginning: text.slice(0, 1_000) }
}

export interface PlannedStep {
  readonly id: string
  readonly tool: string
  readonly params: unknown
  readonly waits: boolean
  readonly checks: number
  readonly known: boolean
}

/** What a run would do, with the variables filled in; nothing is called. */
export function planRecipe(
  recipe: Recipe,
  { vars, tools }: Pick<RecipeOptions, 'vars' | 'tools'>,
): readonly PlannedStep[] {
  const settled = resolveVariables({ ...recipe.variables, ...vars })
  return recipe.steps.map((step) => ({
    id: step.id,
    tool: step.call.tool,
    params: filledIn(step.call.params, settled),
    waits: step.kind === 'wait',
    checks: step.kind === 'wait' ? 1 : step.conditions.length,
    known: tools.names.includes(step.call.tool),
  }))
}

/** What only a run can know stays as it is written. */
function filledIn(value: unknown, vars: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(value)) return value.map((each) => filledIn(each, vars))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, filledIn(each, vars)]),
    )
  }
  try {
    return evaluate(value, { vars, captures: {}, steps: {} })
  } catch (error) {
    if (error instanceof Unresolved) return value
    throw error
  }
}
