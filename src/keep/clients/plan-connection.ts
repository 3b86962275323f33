/** What would `connect` change? Nothing is written here: a plan can be looked at first. */
import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../core/kit/is-object.ts'
import { invalid, KnowledgeError } from '../../core/domain/error.ts'
import type { Client, Entry, FileFormat } from './client.ts'
import { readJsonc, removeFromJsonc, setInJsonc } from './edit-jsonc.ts'
import { readToml, removeFromToml, setInToml } from './edit-toml.ts'
import { readYaml, removeFromYaml, setInYaml } from './edit-yaml.ts'
import { givenNames, nameFor, ownNames, USUAL_NAME } from './own-entries.ts'
import type { Entries } from './own-entries.ts'
import { settingsDiff } from './settings-diff.ts'

export interface ConnectionPlan {
  readonly client: Client
  readonly file: string
  readonly action: 'add' | 'change' | 'remove' | 'none'
  /** Undefined where there is no file, or none is to be left. */
  readonly before: string | undefined
  readonly after: string | undefined
  readonly diff: string
  /** What the entry is called; of several that are taken out, the first. */
  readonly name: string
  /** Whether nothing of Cairn's was in the file before. */
  readonly isFirst: boolean
  /** Whether nothing of Cairn's is left in the file afterwards. */
  readonly isLast: boolean
}

/** What is to be added: under a name that somebody gave, or one that fits what is there. */
export interface WantedEntry {
  readonly name: string | undefined
  /** What a second base is called after. */
  readonly label: string
  exists(path: string): boolean
  entry(name: string): Entry
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
  wanted: WantedEntry,
): ConnectionPlan {
  return withFile(client, file, () => {
    const editor = EDITORS[client.format]
    const before = text ?? ''
    const container = client.container(before)
    const entries = entriesAt(editor.read(before), container)
    const name = wanted.name ?? nameFor(entries, wanted)
    const path = [...container, name]
    const entry = wanted.entry(name)
    const old = entries[name]
    const whole = isObject(old) ? { ...without(old, WAYS), ...entry } : entry
    if (isDeepStrictEqual(plainOf(old), plainOf(whole))) return unchanged(client, file, text, name)
    const after = editor.set(before, path, whole)
    prove(editor, before, after, path, whole)
    const action = old === undefined ? 'add' : 'change'
    const diff = settingsDiff(text, after, file)
    const isFirst = ownNames(entries).length === 0
    return { client, file, action, before: text, after, diff, name, isFirst, isLast: false }
  })
}

/** Takes out the entry of a name; without one, all that got their name from Cairn. */
export function planRemoval(
  client: Client,
  { file, text, backup }: Found,
  wanted: string | undefined,
): ConnectionPlan {
  return withFile(client, file, () => {
    const asked = wanted ?? USUAL_NAME
    if (text === undefined) return unchanged(client, file, text, asked)
    const editor = EDITORS[client.format]
    const container = client.container(text)
    const entries = entriesAt(editor.read(text), container)
    const names = (wanted === undefined ? givenNames(entries) : [wanted]).filter((name) =>
      Object.hasOwn(entries, name),
    )
    if (names.length === 0) return unchanged(client, file, text, asked)
    const isLast = ownNames(entries).every((name) => names.includes(name))
    const paths = names.map((name) => [...container, name])
    const after =
      restored(editor, paths, text, backup) ??
      paths.reduce((left, path) => withoutEntry(editor, path, left), text)
    const left = backup === undefined && isBare(editor, after) ? undefined : after
    const diff = settingsDiff(text, left, file)
    const plan = { client, file, before: text, after: left, diff, name: names[0]! }
    return { ...plan, action: 'remove', isFirst: false, isLast }
  })
}

/** The entry alone, as it stands in a file of its own: for people who paste it themselves. */
export function entryText(client: Client, name: string, entry: Entry): string {
  return EDITORS[client.format].set('', [...client.container(''), name], entry)
}

/** The entries that are Cairn's, by name. Throws for a file nobody can read. */
export function ownEntries(client: Client, text: string): Entries {
  const entries = entriesAt(EDITORS[client.format].read(text), client.container(text))
  return Object.fromEntries(ownNames(entries).map((name) => [name, entries[name]]))
}

/** Where nothing else was changed since, what was there before comes back byte for byte. */
function restored(
  editor: Editor,
  paths: readonly (readonly string[])[],
  text: string,
  backup: string | undefined,
): string | undefined {
  if (backup === undefined) return undefined
  try {
    const now = editor.read(text)
    const before = editor.read(backup)
    const withOurs = paths.reduce((made, path) => {
      const entry = entryAt(now, path)
      if (!isObject(entry) || entryAt(before, path) !== undefined) return ''
      return editor.set(made, path, entry as Entry)
    }, backup)
    return withOurs === text ? backup : undefined
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
  return isObject(left) && Object.keys(left).length === 0 && !/[^\s{}]/.test(text)
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
    (inner, key) => (isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  )
}

function entriesAt(value: unknown, container: readonly string[]): Entries {
  const entries = entryAt(value, container)
  return isObject(entries) ? entries : {}
}

function changedAt(value: unknown, path: readonly string[], entry: Entry | undefined): unknown {
  const [key = '', ...rest] = path
  const object = isObject(value) ? value : {}
  if (rest.length > 0) return { ...object, [key]: changedAt(object[key], rest, entry) }
  return entry === undefined ? without(object, [key]) : { ...object, [key]: entry }
}

/** Whether an empty container is there or not makes no difference. */
function pruned(value: unknown, path: readonly string[]): unknown {
  const [key = '', ...rest] = path
  if (!isObject(value) || rest.length === 0) return value
  const inner = pruned(value[key], rest)
  const isNothing = inner === undefined || inner === null || isEmptyRecord(inner)
  return isNothing ? without(value, [key]) : { ...value, [key]: inner }
}

function isEmptyRecord(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0
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

function unchanged(
  client: Client,
  file: string,
  text: string | undefined,
  name: string,
): ConnectionPlan {
  const same = { before: text, after: text, diff: '' }
  return { client, file, action: 'none', ...same, name, isFirst: false, isLast: false }
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
