/**
 * A code cache of what has run. Node's own holds what runs while a file loads: every function of a
 * first answer was compiled anew in every process, a quarter of a start. V8 hands out the code of a
 * script also after it ran, with all that was compiled by then. So the parts of the program are
 * loaded as scripts, and what they compiled is kept beside Node's own cache, for each role that a
 * process or a thread has (docs/decisions/0085-code-that-ran.md).
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { join } from 'node:path'
import { cachedDataVersionTag, setFlagsFromString } from 'node:v8'
import { constants, Script } from 'node:vm'
import { crc32 } from 'node:zlib'

/** The build writes here which one it is: code of another is not looked at. */
const BUILD = 'unbuilt'

/** What a run compiles depends on what it is asked; so many runs add to what is kept. */
const RUNS = 3

/** What the file of a role begins with: its length in four bytes, then this in JSON, then the code. */
interface Contents {
  readonly runs: number
  readonly parts: readonly (readonly [name: string, length: number, sum: number])[]
}

interface Kept {
  readonly runs: number
  readonly code: ReadonlyMap<string, () => Buffer | undefined>
}

interface Loading {
  /** Says which V8 this is and what flags it had: it refuses code of any other. */
  readonly tag: number
  readonly file: string | undefined
  readonly kept: Kept
  readonly scripts: Map<string, Script>
  /** Whether nothing fitting was kept for a part. */
  isNews: boolean
}

const NOTHING: Kept = { runs: 0, code: new Map() }

let loading: Loading | undefined
const flags = new Map<string, { readonly now: string; readonly before: string }>()
const modules = new Map<string, { exports: object }>([
  ['code-cache.js', { exports: { loadProgram, keepCode, setEngineFlag } }],
])

/** Loads a part of the built program and all that it asks for, with the code kept for this role. */
export function loadProgram(folder: string, entry: string, role: string): unknown {
  const tag = cachedDataVersionTag()
  const file = fileOf(role, tag)
  loading ??= {
    tag,
    file,
    kept: file ? readKept(file) : NOTHING,
    scripts: new Map(),
    isNews: false,
  }
  const outside = nodeModule.createRequire(join(folder, entry))
  const inside = (id: string): unknown => (id.startsWith('./') ? load(id.slice(2)) : outside(id))
  const load = (name: string): object => {
    const known = modules.get(name)
    if (known) return known.exports
    const module = { exports: {} }
    modules.set(name, module)
    const path = join(folder, name)
    // The build leaves nothing but ASCII: one byte a letter, also in memory.
    const part = compile(name, path, readFileSync(path, 'latin1')).runInThisContext()
    part(module.exports, inside, module, path, folder)
    return module.exports
  }
  return load(entry)
}

function compile(name: string, filename: string, source: string): Script {
  const options = { filename, importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER }
  // What is loaded under other flags than the rest is little: it is compiled as it comes.
  if (!loading?.file || cachedDataVersionTag() !== loading.tag) return new Script(source, options)
  const cachedData = loading.kept.code.get(name)?.()
  const script = new Script(source, { ...options, ...(cachedData && { cachedData }) })
  loading.isNews ||= !cachedData || script.cachedDataRejected === true
  loading.scripts.set(name, script)
  return script
}

/** Beside what Node keeps: nowhere when it may keep nothing, and for every user elsewhere. */
function fileOf(role: string, tag: number): string | undefined {
  nodeModule.enableCompileCache()
  const folder = nodeModule.getCompileCacheDir()
  return folder && join(folder, `cairn-${role}-${BUILD}-${tag.toString(16)}`)
}

function readKept(file: string): Kept {
  try {
    const bytes = readFileSync(file)
    const begin = 4 + bytes.readUInt32LE(0)
    const { runs, parts } = JSON.parse(bytes.toString('latin1', 4, begin)) as Contents
    const code = new Map<string, () => Buffer | undefined>()
    let at = begin
    for (const [name, length, sum] of parts) {
      const part = bytes.subarray(at, (at += length))
      // V8 believes what it is given: a file that was torn would end every process.
      code.set(name, () => (part.length === length && crc32(part) === sum ? part : undefined))
    }
    return { runs, code }
  } catch {
    return NOTHING
  }
}

/** Keeps the code of everything that ran so far for the next process of this role. */
export function keepCode(): void {
  if (!loading?.file) return
  const { file, tag, kept, scripts, isNews } = loading
  // Once in a process, which needs neither code nor scripts any longer: what it is asked later comes
  // up in others as well.
  loading = undefined
  if (kept.runs >= RUNS && !isNews) return
  for (const { before } of flags.values()) setFlagsFromString(before)
  const beside = `${file}.${process.pid}`
  try {
    if (cachedDataVersionTag() !== tag) return
    const code = new Map([...kept.code].map(([name, read]) => [name, read()]))
    for (const [name, script] of scripts) code.set(name, script.createCachedData())
    const parts = [...code].flatMap(([name, part]) => (part ? [{ name, part }] : []))
    const contents: Contents = {
      runs: kept.runs + 1,
      parts: parts.map(({ name, part }) => [name, part.length, crc32(part)]),
    }
    const head = Buffer.from(JSON.stringify(contents), 'latin1')
    const size = Buffer.alloc(4)
    size.writeUInt32LE(head.length)
    writeFileSync(beside, Buffer.concat([size, head, ...parts.map(({ part }) => part)]))
    renameSync(beside, file)
  } catch {
    // A full or frozen disk: the next process compiles for itself.
    try {
      rmSync(beside, { force: true })
    } catch {
      // Nor can it be cleared.
    }
  } finally {
    for (const { now } of flags.values()) setFlagsFromString(now)
  }
}

/** Sets a flag of V8 while the program runs; code is kept as if it had not been set. */
export function setEngineFlag<Value extends number | boolean>(
  flag: string,
  now: Value,
  before: Value,
): void {
  // Started without compilers (`--jitless`), V8 crashes when one of them is switched on.
  if (flag === '--opt' && !('WebAssembly' in globalThis)) return
  const written = { now: spelt(flag, now), before: spelt(flag, before) }
  setFlagsFromString(written.now)
  flags.set(flag, written)
}

function spelt(flag: string, value: number | boolean): string {
  if (typeof value === 'number') return `${flag}=${value}`
  return value ? flag : flag.replace('--', '--no-')
}
