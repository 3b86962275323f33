/** Proves that the index says what the files say, and tells how to mend it where it does not. */
import { KnowledgeError } from '../../core/domain/error.ts'
import type { Source } from '../../core/domain/source.ts'
import type { Writing } from '../../core/operations/view/knowledge.ts'
import { GRAMMAR_PACKAGE, hasGrammars } from '../../core/parsing/code/grammars.ts'
import type { Store } from '../../core/store/store.ts'
import type { Config } from '../../serve/config/config.ts'
import { thingsIn } from './doctor-documents.ts'
import { inDatabase } from '../../serve/parts/store-facts.ts'

export interface Finding {
  readonly level: 'ok' | 'warning' | 'error'
  readonly what: string
  readonly fix?: string
}

export interface Diagnosis {
  readonly ok: boolean
  /** The index itself cannot be believed; it is built anew when it is opened next. */
  readonly damaged?: boolean
  readonly findings: readonly Finding[]
}

export interface Patient {
  readonly config: Config
  readonly store: Store
  readonly sources: ReadonlyMap<string, Source>
  /** Undefined for a base that may only be read. */
  readonly writing: Writing | undefined
}

const EXAMPLES = 3
const READ_AT_ONCE = 500

export async function examine(patient: Patient): Promise<Diagnosis> {
  const unsound = await trouble(patient.store)
  if (unsound.length > 0)
    return { ok: false, damaged: true, findings: [damage(patient.store, unsound)] }
  const findings = await look(patient)
  return { ok: findings.every(({ level }) => level !== 'error'), findings }
}

/** Code is found without grammars too, but not as well: a symbol ends where its lines seem to. */
async function grammarsMissing(store: Store): Promise<Finding[]> {
  const files = (await store.matching({ types: ['code'] })).length
  if (files === 0 || (await hasGrammars())) return []
  const what = `${files} source files are read line by line, because no grammars are installed.`
  const fix = `Run "npm install --global ${GRAMMAR_PACKAGE}" (or install it beside Cairn); the next start reads code with them.`
  return [{ level: 'warning', what, fix }]
}

async function look({ store, sources, writing }: Patient): Promise<Finding[]> {
  const findings: Finding[] = [{ level: 'ok', what: `${placeOf(store)} is sound.` }]
  for (const source of sources.values()) {
    findings.push(...(await compare(store, source)))
    const strays = (await source.writer?.strays()) ?? []
    findings.push(
      ...difference(source, (things) => `temporary ${things} left by a killed process`, strays),
    )
  }
  if (((await writing?.history.unsettled()) ?? []).length > 0) {
    findings.push({
      level: 'warning',
      what: 'The last change is under way, or its process was killed.',
      fix: 'Run "cairn doctor --repair" to settle it; the next change does so too.',
    })
  }
  findings.push(...(await historyDamage(writing)))
  findings.push(...(await grammarsMissing(store)))
  const { total } = await store.brokenLinks({ offset: 0, limit: 0 })
  if (total > 0) {
    findings.push({
      level: 'warning',
      what: `${total} links point at documents that do not exist.`,
      fix: 'cairn insights broken_links',
    })
  }
  return findings
}

async function historyDamage(writing: Writing | undefined): Promise<Finding[]> {
  if (!writing) return []
  const { damagedLines, unreadable, withoutContent } = await writing.history.examine()
  const findings: Finding[] = []
  if (damagedLines + unreadable.length > 0) {
    const files =
      unreadable.length > 0
        ? ` and ${unreadable.length} files (${unreadable.slice(0, EXAMPLES).join(', ')})`
        : ''
    findings.push({
      level: 'warning',
      what: `${damagedLines} lines${files} of the history cannot be read. The rest still works.`,
      fix: 'Run "cairn doctor --repair" to set them aside, or restore .cairn/history from a backup.',
    })
  }
  if (withoutContent.length > 0) {
    findings.push({
      level: 'warning',
      what: `${withoutContent.length} changes cannot be undone, as their content is missing or damaged (${withoutContent.slice(0, EXAMPLES).join(', ')}).`,
      fix: 'Restore .cairn/history/contents from a backup if you need them.',
    })
  }
  return findings
}

/** What a damaged index says of the files proves nothing, so nothing else is asked. */
function damage(store: Store, unsound: readonly string[]): Finding {
  const what = `${placeOf(store)} is damaged: ${unsound.slice(0, EXAMPLES).join('; ')}.`
  const meanwhile = inDatabase(store) ? 'what is there is forgotten' : 'the file is set aside'
  const fix = `Run "cairn index": ${meanwhile} and the index rebuilt from your files.`
  return { level: 'error', what, fix }
}

function placeOf(store: Store): string {
  return inDatabase(store) ? 'The index in the database' : 'The index file'
}

async function trouble(store: Store): Promise<readonly string[]> {
  try {
    return await store.check()
  } catch (error) {
    if (error instanceof KnowledgeError) return [error.message]
    throw error
  }
}

/** Reads every file and compares it with what the index remembers of it. */
async function compare(store: Store, source: Source): Promise<Finding[]> {
  const scan = await source.scan()
  const records = await store.files(source.name)
  const indexed = new Map(
    records.filter(({ doc }) => doc !== undefined).map((record) => [record.path, record.doc!]),
  )
  const leftOut = new Set(records.filter(({ doc }) => doc === undefined).map(({ path }) => path))
  const missing: string[] = []
  const changed: string[] = []
  for (let at = 0; at < scan.files.length; at += READ_AT_ONCE) {
    const paths = scan.files.slice(at, at + READ_AT_ONCE).map(({ path }) => path)
    for (const content of await source.read(paths)) {
      if (content.kind !== 'text') continue
      const no = indexed.get(content.path)
      indexed.delete(content.path)
      if (no === undefined) {
        if (!leftOut.has(content.path)) missing.push(content.path)
        continue
      }
      const [document] = await store.documents([no])
      if (document?.digest !== content.digest) changed.push(content.path)
    }
  }
  const gone = [...indexed.keys()]
  const findings: Finding[] = [
    ...difference(
      source,
      (things, one) => `${things} ${one ? 'is' : 'are'} not in the index`,
      missing,
    ),
    ...difference(
      source,
      (things, one) => `${things} ${one ? 'differs' : 'differ'} from what was indexed`,
      changed,
    ),
    ...difference(
      source,
      (things, one) => `${things} ${one ? 'is' : 'are'} gone and still in the index`,
      gone,
    ),
  ]
  if (findings.length === 0) {
    const where = source.inDatabase ? 'in the database' : 'on disk'
    const { length } = scan.files
    const what =
      length === 1
        ? `the only ${thingsIn(source, 1)} is in the index as it is ${where}.`
        : `all ${length} ${thingsIn(source, length)} are in the index as they are ${where}.`
    findings.push({ level: 'ok', what: `${source.name}: ${what}` })
  }
  if (scan.skipped.length > 0) {
    findings.push({
      level: 'warning',
      what: `${source.name}: ${scan.skipped.length} ${thingsIn(source, scan.skipped.length)} ${scan.skipped.length === 1 ? 'was' : 'were'} left out.`,
      fix: 'cairn insights coverage --files skipped',
    })
  }
  return findings
}

function difference(
  source: Source,
  what: (things: string, isOne: boolean) => string,
  paths: readonly string[],
): Finding[] {
  const { length } = paths
  if (length === 0) return []
  const count = `${length} ${what(thingsIn(source, length), length === 1)}`
  const examples = paths.slice(0, EXAMPLES).join(', ')
  return [
    {
      level: 'error',
      what: `${source.name}: ${count} (${examples}${paths.length > EXAMPLES ? ', …' : ''}).`,
      fix: 'Run "cairn doctor --repair": every file is read again, by the server that indexes where one runs.',
    },
  ]
}
