/**
 * Keeps runs in files that people and other programs can read: `reports/` has the ledger and the
 * reports with their last versions, `audit/runs.jsonl` a line for every run.
 */
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { isObject } from '../kit/is-object.ts'
import { EMPTY_LEDGER } from './run-records.ts'
import type { Ledger, LedgerEntry, ReportName, RunRecord, RunRecords } from './run-records.ts'

export interface RunRecordsOptions {
  /** How many versions of each report are kept. */
  readonly keep?: Readonly<Record<ReportName, number>>
  readonly warn?: (message: string) => void
}

const KEEP: Readonly<Record<ReportName, number>> = { coverage: 5, lifecycle: 10 }

const REPORTS: Readonly<Record<ReportName, { readonly file: string; readonly history: string }>> = {
  coverage: { file: 'reports/coverage_report.json', history: 'reports/history' },
  lifecycle: { file: 'reports/lifecycle_report.json', history: 'reports/lifecycle_history' },
}

const LEDGER = 'reports/artifact_ledger.json'
const RUNS = 'audit/runs.jsonl'
const LOCK = 'reports/ingest.lock'

/** Only the newest runs are asked for; a log of years is not read whole into every answer. */
const MOST_RUNS = 1_000

export function openRunRecords(
  state: string,
  { keep = KEEP, warn = () => {} }: RunRecordsOptions = {},
): RunRecords {
  const place = (path: string): string => join(state, path)
  const readJson = (path: string): unknown => {
    try {
      return JSON.parse(readFileSync(place(path), 'utf8'))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
        warn(`${path} cannot be read and is taken as empty.`)
      }
      return undefined
    }
  }
  return {
    ledger: () => parseLedger(readJson(LEDGER)),
    putLedger: (ledger) => replace(place(LEDGER), json(storedLedger(ledger))),
    runs(profile, limit) {
      const text = existsSync(place(RUNS)) ? readFileSync(place(RUNS), 'utf8') : ''
      const newest = text.split('\n').slice(-MOST_RUNS).toReversed().flatMap(parseRun)
      return newest
        .filter((run) => profile === undefined || run.profile === profile)
        .slice(0, limit)
    },
    addRun(run) {
      mkdirSync(dirname(place(RUNS)), { recursive: true, mode: 0o700 })
      appendFileSync(place(RUNS), `${JSON.stringify(run)}\n`, { flush: true })
    },
    report(name) {
      const value = readJson(REPORTS[name].file)
      return isObject(value) ? value : undefined
    },
    putReport(name, report) {
      const { file, history } = REPORTS[name]
      replace(place(file), json(report))
      const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 17)
      replace(join(place(history), `${name}_${stamp}.json`), json(report))
      prune(place(history), `${name}_`, keep[name])
    },
    lock: () => takeLock(place(LOCK)),
  }
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}

/** Whoever reads sees the old file or the new one. */
function replace(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const beside = `${file}.${process.pid}.tmp`
  writeFileSync(beside, text, { flush: true })
  renameSync(beside, file)
}

function prune(folder: string, prefix: string, keep: number): void {
  const versions = readdirSync(folder)
    .filter((name) => name.startsWith(prefix))
    .toSorted()
  for (const name of versions.slice(0, Math.max(0, versions.length - keep))) {
    rmSync(join(folder, name), { force: true })
  }
}

/** The file names its process; one that is gone has let go. */
export function takeLock(file: string): (() => void) | undefined {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const descriptor = openSync(file, 'wx')
      writeFileSync(descriptor, String(process.pid))
      closeSync(descriptor)
      return () => rmSync(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      if (isAlive(file)) return undefined
      rmSync(file, { force: true })
    }
  }
  return undefined
}

function isAlive(file: string): boolean {
  try {
    const owner = Number(readFileSync(file, 'utf8'))
    if (!Number.isInteger(owner) || owner <= 0) return false
    process.kill(owner, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function parseRun(line: string): RunRecord[] {
  if (line.trim() === '') return []
  try {
    const run = JSON.parse(line) as RunRecord
    return typeof run.runId === 'string' ? [run] : []
  } catch {
    // A line that was cut off by a full disk.
    return []
  }
}

/** In the file as other programs know it. */
function storedLedger({ updatedAt, artifacts, dummyEmbeddings }: Ledger) {
  return {
    updated_at: updatedAt,
    ...(dummyEmbeddings && { dummy_embeddings: true }),
    artifacts: Object.fromEntries(
      Object.entries(artifacts).map(([path, entry]) => [path, storedEntry(entry)]),
    ),
  }
}

function storedEntry(entry: LedgerEntry) {
  return {
    artifact_type: entry.artifactType,
    subsystem: entry.subsystem ?? null,
    digest: entry.digest,
    git_commit: entry.commit ?? null,
    git_timestamp: entry.committedAt ?? null,
    chunk_count: entry.chunks,
    coverage_ratio: entry.coverageRatio,
    last_seen: entry.lastSeen,
  }
}

function parseLedger(value: unknown): Ledger {
  if (!isObject(value) || !isObject(value['artifacts'])) return EMPTY_LEDGER
  const artifacts = Object.entries(value['artifacts']).flatMap(([path, entry]) =>
    isObject(entry) && typeof entry['digest'] === 'string'
      ? [[path, parseEntry(entry, entry['digest'])] as const]
      : [],
  )
  return {
    updatedAt: numberOf(value['updated_at']) ?? 0,
    artifacts: Object.fromEntries(artifacts),
    ...(value['dummy_embeddings'] === true && { dummyEmbeddings: true }),
  }
}

function parseEntry(entry: Readonly<Record<string, unknown>>, digest: string): LedgerEntry {
  return {
    artifactType: textOf(entry['artifact_type']) ?? 'other',
    subsystem: textOf(entry['subsystem']),
    digest,
    commit: textOf(entry['git_commit']),
    committedAt: numberOf(entry['git_timestamp']),
    chunks: numberOf(entry['chunk_count']) ?? 0,
    coverageRatio: numberOf(entry['coverage_ratio']) ?? 0,
    lastSeen: numberOf(entry['last_seen']) ?? 0,
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
