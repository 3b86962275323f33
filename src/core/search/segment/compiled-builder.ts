/**
 * The same as `SegmentBuilder`, byte for byte, with its loops compiled: units become spans, numbers
 * of terms and lists in one flat memory (`assembly/inverting-core.ts`). What a span means is asked
 * for here, once for each. For bases of thousands of notes; what is small is done before it is warm.
 */
import { Buffer } from 'node:buffer'
import type { Field, IndexableDocument, SegmentStreams } from '../contract.ts'
import { analyseSpan } from '../analysis/analyser.ts'
import { detectLanguage, LANGUAGES, SAMPLE_UNITS } from '../analysis/languages/language.ts'
import { classify, isDigit } from '../analysis/scan.ts'
import { namesOf, speltTerm } from '../names.ts'
import { DocumentTableBuilder } from './document-table.ts'
import { FIELD_COUNT, FORMAT_VERSION, fieldNumber, SHARES_POSITION } from './format.ts'
import { addRuns, NAME_PLACES } from './segment-builder.ts'

/** What the compiled module offers. Places are addresses in its memory. */
interface Core {
  readonly memory: { readonly buffer: ArrayBuffer }
  start(): void
  plainText(length: number): number
  wideText(length: number): number
  narrow(): void
  expansion(count: number): number
  expandInto(entry: number, place: number, term: number): void
  terms(): number
  termText(size: number): number
  termNumber(size: number): number
  tokensNow(): number
  backTo(length: number): void
  beginDocument(): void
  addName(field: number, term: number, times: number): void
  addRun(field: number, from: number, to: number, language: number, times: number): number
  finish(): number
  release(): void
  listsAt(): number
  listsSize(): number
  listSizesAt(): number
  listSizesSize(): number
  termsAt(): number
  termsSize(): number
  termSizesAt(): number
  termSizesSize(): number
}

/** The part of WebAssembly that is used here; TypeScript's own description comes with the DOM. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: object }
  validate(bytes: Uint8Array): boolean
}

const { WebAssembly } = globalThis as { readonly WebAssembly?: WebAssemblyApi }

/** A length with this says that a span is in units of two bytes. */
const WIDE = 0x1_0000

/**
 * Opens builders that know the words of those before them; undefined where nothing can be compiled,
 * or the processor has no SIMD.
 */
export function compiledBuilders(module: Uint8Array): (() => CompiledBuilder) | undefined {
  if (!WebAssembly?.validate(module)) return undefined
  const { Module, Instance } = WebAssembly
  const compiled = new Module(module)
  return () => new CompiledBuilder((imports) => new Instance(compiled, imports).exports as Core)
}

export class CompiledBuilder {
  readonly #core: Core
  #documents = new DocumentTableBuilder()
  #bytes = Buffer.alloc(0)
  readonly #sample = new Uint16Array(SAMPLE_UNITS)

  constructor(instantiate: (imports: object) => Core) {
    const host = {
      kindOf: classify,
      isDigit: (unit: number) => Number(isDigit(unit)),
      learn: (at: number, length: number, language: number) => this.#learn(at, length, language),
    }
    const env = { abort: () => fail() }
    this.#core = instantiate({ host, env })
    this.#core.start()
  }

  /** Terms of all segments so far. */
  get terms(): number {
    return this.#core.terms()
  }

  add(document: IndexableDocument): void {
    const tokens = this.#core.tokensNow()
    try {
      this.#add(document)
    } catch (error) {
      // What was taken of it would count for the next one.
      this.#core.backTo(tokens)
      throw error
    }
  }

  #add(document: IndexableDocument): void {
    const core = this.#core
    const lengths = new Uint32Array(FIELD_COUNT)
    const language = LANGUAGES.indexOf(this.#take(document))
    core.beginDocument()
    const chunkPlaces = addRuns(document, lengths, (field, from, to, times) =>
      core.addRun(field, from, to, language, times),
    )
    const addField = (field: Field, value: string): void => {
      const number = fieldNumber(field)
      // File names of some systems come decomposed, which pairs of characters do not fold.
      const composed = value.normalize('NFC')
      this.#takeText(composed)
      lengths[number]! += core.addRun(number, 0, composed.length, language, 1)
    }
    addField('title', document.title)
    for (const alias of document.aliases) addField('title', alias)
    for (const tag of document.tags) addField('tags', tag)
    addField('path', document.path)
    for (const { kind, term } of namesOf(document)) {
      const { field, times } = NAME_PLACES[kind]
      core.addName(fieldNumber(field), this.#numberOf(term), times)
    }
    this.#documents.add(document.doc, lengths, chunkPlaces, language)
  }

  finish(): SegmentStreams {
    const core = this.#core
    const documents = this.#documents.finish()
    this.#documents = new DocumentTableBuilder()
    const about = { version: FORMAT_VERSION, documents: documents.count, terms: core.finish() }
    const own = (at: number, size: number): Uint8Array =>
      new Uint8Array(this.#memory().buffer, at >>> 0, size).slice()
    const streams = {
      resident: {
        about: new TextEncoder().encode(JSON.stringify(about)),
        ...documents.streams(),
        terms: own(core.termsAt(), core.termsSize()),
        termSizes: own(core.termSizesAt(), core.termSizesSize()),
        listSizes: own(core.listSizesAt(), core.listSizesSize()),
      },
      paged: { lists: own(core.listsAt(), core.listsSize()) },
    }
    core.release()
    return streams
  }

  /** Hands the text over, and tells its language. */
  #take({ text, bodyStart }: IndexableDocument) {
    const to = Math.min(text.length, bodyStart + SAMPLE_UNITS)
    const sample = this.#sample
    if (typeof text === 'string') {
      const beginning = Buffer.from(sample.buffer).write(text.slice(bodyStart, to), 'utf16le') >> 1
      this.#takeText(text)
      return detectLanguage(sample, 0, beginning)
    }
    const beginning = text.subarray(bodyStart, to)
    sample.set(beginning)
    if (text instanceof Uint8Array) {
      const at = this.#core.plainText(text.length)
      this.#memory().set(text, at)
    } else {
      const at = this.#core.wideText(text.length)
      new Uint16Array(this.#memory().buffer, at, text.length).set(text)
      this.#core.narrow()
    }
    return detectLanguage(sample, 0, beginning.length)
  }

  #takeText(text: string): void {
    const at = this.#core.wideText(text.length)
    this.#memory().write(text, at, 'utf16le')
    this.#core.narrow()
  }

  /** The memory as it is now: when it grows, what looked at it before sees nothing. */
  #memory(): Buffer {
    const { buffer } = this.#core.memory
    if (this.#bytes.buffer !== buffer) this.#bytes = Buffer.from(buffer)
    return this.#bytes
  }

  #learn(at: number, length: number, language: number): number {
    const core = this.#core
    const memory = this.#memory()
    const span =
      length & WIDE
        ? memory.toString('utf16le', at, at + (length & ~WIDE) * 2)
        : memory.toString('latin1', at, at + length)
    const { parts, whole, spellings } = analyseSpan(span, LANGUAGES[language])
    const terms = whole === undefined ? [] : [this.#numberOf(whole) + SHARES_POSITION]
    for (let place = 0; place < parts.length; place++) {
      const part = parts[place]!
      const spelt = speltTerm(spellings[place], part)
      if (spelt !== undefined) terms.push(this.#numberOf(spelt) + SHARES_POSITION)
      terms.push(this.#numberOf(part))
    }
    const [first] = terms
    if (first !== undefined && terms.length === 1 && first < SHARES_POSITION) return first
    const entry = core.expansion(terms.length)
    for (let place = 0; place < terms.length; place++) core.expandInto(entry, place, terms[place]!)
    return entry
  }

  #numberOf(term: string): number {
    const at = this.#core.termText(term.length * 3)
    return this.#core.termNumber(this.#memory().write(term, at, 'utf8'))
  }
}

function fail(): never {
  throw new Error('Words could not be sorted: out of memory.')
}
