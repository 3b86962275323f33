/** What would `connect` change? Nothing is written here: a plan can be looked at first. */
import { isDeepStrictEqual } from 'node:util'
import { invalid, KnowledgeError } from '../domain/error.ts'
import type { Client, Entry, FileFormat } from './client.ts'
import { readJsonc, removeFromJsonc, setInJsonc } from './edit-jsonc.ts'
import { readToml, removeFromToml, setInToml } from './edit-toml.ts'
import { readYaml, removeFromYaml, setInYaml } from './edit-yaml.ts'
import { settingsDiff } from './settings-diff.ts'

export interface ConnectionPlan {
  readonly client: Client
  readonly file: string
  readonly action: 'add' | 'change' | 'remove' | 'none'
  /** Undefined where there is no file, or none is to be left. */
  readonly before: string | undefined
  readonly after: string | undefined
  readonly diff: string
}

/** What there is: the file's text, and the text it had before Cairn wrote into it. */
export interface Found {
  readonly file: string
  readonly text: string | undefined
  readonly backup: string | undefined
}

interface Editor {
  read(text: string): unknown
  set(text: string, path: readonly string[], entry: Entry): string
  remove(text: string, path: readonly string[]): string
}

const EDITORS = {
  jsonc: { read: readJsonc, set: setInJsonc, remove: removeFromJsonc },
  toml: { read: readToml, set: setInToml, remove: removeFromToml },
  yaml: { read: readYaml, set: setInYaml, remove: removeFromYaml },
} satisfies Record<FileFormat, Editor>

/** Keys that say how a server is reached: with a new way, none of the old one may stay. */
const WAYS = ['type', 'command', 'args', 'cmd', 'url', 'uri', 'httpUrl', 'serverUrl', 'source']

export function planAddition(
  client: Client,
  { file, text }: Found,
  name: string,
  entry: Entry,
): ConnectionPlan {
  return withFile(client, file, () => {
    const editor = EDITORS[client.format]
    const before = text ?? ''
    const path = [...client.container(before), name]
    const old = entryAt(editor.read(before), path)
    const wanted = isRecord(old) ? { ...without(old, WAYS), ...entry } : entry
    if (isDeepStrictEqual(plainOf(old), plainOf(wanted))) return unchanged(client, file, text)
    const after = editor.set(before, path, wanted)
    prove(editor, before, after, path, wanted)
    const action = old === undefined ? 'add' : 'change'
    return { client, file, action, before: text, after, diff: settingsDiff(text, after, file) }
  })
}

export function planRemoval(
  client: Client,
  { file, text, backup }: Found,
  name: string,
): ConnectionPlan {
  return withFile(client, file, () => {
    if (text === undefined) return unchanged(client, file, text)
    const editor = EDITORS[client.format]
    const path = [...client.container(text), name]
    const old = entryAt(editor.read(text), path)
    if (old === undefined) return unchanged(client, file, text)
    const after = restored(editor, path, text, old, backup) ?? withoutEntry(editor, path, text)
    const left = backup === undefined && isBare(editor, after) ? undefined : after
    const diff = settingsDiff(text, left, file)
    return { client, file, action: 'remove', before: text, after: left, diff }
  })
}

/** The entry alone, as it stands in a file of its own: for people who paste it themselves. */
export function entryText(client: Client, name: string, entry: Entry): string {
  return EDITORS[client.format].set('', [...client.container(''), name], entry)
}

/** The entry of a name, or undefined where there is none. Throws for a file nobody can read. */
export function findEntry(client: Client, text: string, name: string): unknown {
  return entryAt(EDITORS[client.format].read(text), [...client.container(text), name])
}

/** Where nothing else was changed since, what was there before comes back byte for byte. */
function restored(
  editor: Editor,
  path: readonly string[],
  text: string,
  old: unknown,
  backup: string | undefined,
): string | undefined {
  if (backup === undefined || !isRecord(old)) return undefined
  try {
    if (entryAt(editor.read(backup), path) !== undefined) return undefined
    return editor.set(backup, path, old as Entry) === text ? backup : undefined
  } catch {
    return undefined
  }
}

function withoutEntry(editor: Editor, path: readonly string[], text: string): string {
  const after = editor.remove(text, path)
  prove(editor, text, after, path, undefined)
  return after
}

function isBare(editor: Editor, text: string): boolean {
  const left = editor.read(text)
  // A remark in it is somebody's.
  return isRecord(left) && Object.keys(left).length === 0 && !/[^\s{}]/.test(text)
}

/** An edit of text is believed only when the file now says exactly what it should. */
function prove(
  editor: Editor,
  before: string,
  after: string,
  path: readonly string[],
  entry: Entry | undefined,
): void {
  const expected = changedAt(editor.read(before), path, entry)
  let said: unknown
  try {
    said = editor.read(after)
  } catch {
    said = undefined
  }
  if (isDeepStrictEqual(pruned(plainOf(said), path), pruned(plainOf(expected), path))) return
  throw invalid(
    'The file is written in a way that Cairn does not edit.',
    'Change it by hand; --print shows the entry.',
  )
}

function entryAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (isRecord(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  )
}

function changedAt(value: unknown, path: readonly string[], entry: Entry | undefined): unknown {
  const [key = '', ...rest] = path
  const object = isRecord(value) ? value : {}
  if (rest.length > 0) return { ...object, [key]: changedAt(object[key], rest, entry) }
  return entry === undefined ? without(object, [key]) : { ...object, [key]: entry }
}

/** Whether an empty container is there or not makes no difference. */
function pruned(value: unknown, path: readonly string[]): unknown {
  const [key = '', ...rest] = path
  if (!isRecord(value) || rest.length === 0) return value
  const inner = pruned(value[key], rest)
  const isNothing = inner === undefined || inner === null || isEmptyRecord(inner)
  return isNothing ? without(value, [key]) : { ...value, [key]: inner }
}

function isEmptyRecord(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length === 0
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function without(value: Record<string, unknown>, keys: readonly string[]): Record<string, any> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)))
}

/** Dates and big numbers of the formats, compared by what they say. */
function plainOf(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value, bigAsText))
}

function bigAsText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

function unchanged(client: Client, file: string, text: string | undefined): ConnectionPlan {
  return { client, file, action: 'none', before: text, after: text, diff: '' }
}

/** Which file was meant belongs to every complaint about one. */
function withFile(client: Client, file: string, work: () => ConnectionPlan): ConnectionPlan {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof KnowledgeError)) throw error
    throw new KnowledgeError(
      error.code,
      `${client.title}: ${file} cannot be changed: ${error.message}`,
      error.hint,
    )
  }
}
