/** Reads a recipe from YAML. Everything a person can get wrong in one is said, with its place. */
import { parseDocument } from 'yaml'
import { isObject } from '../../core/kit/is-object.ts'
import { invalid, quoted } from '../../core/domain/error.ts'
import { LONGEST_YAML_FILE } from '../../core/kit/yaml-limits.ts'
import type { Capture, Condition, Recipe, RecipeStep, ToolCall } from '../../core/domain/recipe.ts'

const MOST_ALIASES = 20
const MOST_STEPS = 100
const MOST_CONDITIONS = 100
const LONGEST_WAIT = 3_600
const DEFAULT_INTERVAL = 5
const SHORTEST_INTERVAL = 0.5
const DEFAULT_TIMEOUT = 300
const SHORTEST_TIMEOUT = 1

type Mapping = Readonly<Record<string, unknown>>

/** `file` is its name without folder and ending. Throws `invalid`. */
export function parseRecipe(text: string, file: string): Recipe {
  const wrong = (what: string): Error =>
    invalid(
      `The recipe ${quoted(file)} cannot be used: ${what}.`,
      'Mend the file and run it again.',
    )
  const mapping = (value: unknown, what: string): Mapping => {
    if (isObject(value)) return value
    throw wrong(`${what} must be a mapping`)
  }
  const optional = (value: unknown, what: string): Mapping =>
    value === undefined || value === null ? {} : mapping(value, what)
  const list = (value: unknown, what: string): readonly unknown[] => {
    if (value === undefined || value === null) return []
    if (Array.isArray(value) && value.length <= MOST_CONDITIONS) return value
    throw wrong(`${what} must be a list of at most ${MOST_CONDITIONS}`)
  }
  const words = (value: unknown, what: string): string => {
    if (typeof value === 'string' && value.trim() !== '') return value.trim()
    throw wrong(`${what} must be a text`)
  }
  const seconds = (value: unknown, usual: number, least: number, what: string): number => {
    if (value === undefined || value === null) return usual
    if (typeof value === 'number' && value >= least && value <= LONGEST_WAIT) return value
    throw wrong(`${what} must be a number from ${least} to ${LONGEST_WAIT}`)
  }
  const callOf = (value: Mapping, what: string): ToolCall => ({
    tool: words(value['tool'], `${what}.tool`),
    params: optional(value['params'], `${what}.params`),
  })
  const condition = (value: unknown, what: string): Condition => {
    const given = mapping(value, what)
    const { equals, not_equals: notEquals, exists } = given
    const said = ['equals', 'not_equals', 'exists'].filter((key) => key in given)
    if (said.length !== 1) throw wrong(`${what} needs one of equals, not_equals and exists`)
    if (said[0] === 'exists' && typeof exists !== 'boolean') {
      throw wrong(`${what}.exists must be true or false`)
    }
    const path = words(given['path'], `${what}.path`)
    if ('equals' in given) return { path, equals }
    return 'not_equals' in given ? { path, notEquals } : { path, exists: exists === true }
  }
  const capture = (value: unknown, what: string): Capture => {
    const { name, path } = mapping(value, what)
    return {
      name: words(name, `${what}.name`),
      path: path === undefined ? undefined : words(path, `${what}.path`),
    }
  }
  const step = (value: unknown, index: number): RecipeStep => {
    const given = mapping(value, `step ${index + 1}`)
    const id = words(given['id'], `id of step ${index + 1}`)
    const what = `step ${quoted(id)}`
    const description =
      given['description'] === undefined
        ? undefined
        : words(given['description'], `${what}.description`)
    if ((given['tool'] === undefined) === (given['wait'] === undefined)) {
      throw wrong(`${what} needs either tool or wait`)
    }
    if (given['wait'] !== undefined) {
      const wait = mapping(given['wait'], `${what}.wait`)
      return {
        kind: 'wait',
        id,
        description,
        call: callOf(wait, `${what}.wait`),
        until: condition(wait['until'], `${what}.wait.until`),
        intervalSeconds: seconds(
          wait['interval_seconds'],
          DEFAULT_INTERVAL,
          SHORTEST_INTERVAL,
          `${what}.wait.interval_seconds`,
        ),
        timeoutSeconds: seconds(
          wait['timeout_seconds'],
          DEFAULT_TIMEOUT,
          SHORTEST_TIMEOUT,
          `${what}.wait.timeout_seconds`,
        ),
      }
    }
    const expected = Object.entries(optional(given['expect'], `${what}.expect`))
    return {
      kind: 'tool',
      id,
      description,
      call: callOf(given, what),
      conditions: [
        ...expected.map(([path, equals]) => ({ path, equals })),
        ...list(given['assert'], `${what}.assert`).map((each) => condition(each, `${what}.assert`)),
      ],
      captures: list(given['capture'], `${what}.capture`).map((each) =>
        capture(each, `${what}.capture`),
      ),
    }
  }

  if (text.length > LONGEST_YAML_FILE) {
    throw wrong(`it is longer than ${LONGEST_YAML_FILE} characters`)
  }
  const value = mapping(readYaml(text, wrong), 'it')
  if (value['version'] !== 1) throw wrong('its version must be 1')
  const steps = value['steps']
  if (!Array.isArray(steps) || steps.length === 0 || steps.length > MOST_STEPS) {
    throw wrong(`it needs 1 to ${MOST_STEPS} steps`)
  }
  const read = steps.map(step)
  const twice = read.find(({ id }, index) => read.findIndex((each) => each.id === id) < index)
  if (twice) throw wrong(`two steps are called ${quoted(twice.id)}`)
  return {
    name: file,
    summary: typeof value['summary'] === 'string' ? value['summary'].trim() : '',
    variables: optional(value['variables'], 'variables'),
    outputs: optional(value['outputs'], 'outputs'),
    steps: read,
  }
}

function readYaml(text: string, wrong: (what: string) => Error): unknown {
  const document = parseDocument(text, { logLevel: 'silent', strict: true, uniqueKeys: true })
  const [error] = document.errors
  if (error) throw wrong(`it is no YAML (${error.message.split('\n')[0]?.slice(0, 200)})`)
  try {
    const value: unknown = document.toJS({ maxAliasCount: MOST_ALIASES })
    return JSON.parse(JSON.stringify(value)) as unknown
  } catch {
    throw wrong('it refers to its own parts too often, or to itself')
  }
}
