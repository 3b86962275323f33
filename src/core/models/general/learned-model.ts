/**
 * Everything that is learned from a base to understand it, and how it is kept: the corpus model, and
 * what the base adds to the general table where the table can read it.
 */
import { hash } from 'node:crypto'
import { ByteReader, ByteWriter } from '../corpus/bytes.ts'
import { createCorpusEmbedder } from '../corpus/corpus-embedder.ts'
import type { TermAnalysis } from '../corpus/corpus-embedder.ts'
import { parseCorpusModel, serialiseCorpusModel } from '../corpus/corpus-model.ts'
import type { CorpusModel } from '../corpus/corpus-model.ts'
import { openMatrixEmbedder } from '../corpus/embed-matrix.ts'
import type { MatrixEmbedder } from '../corpus/embed-matrix.ts'
import type { TermMatrix } from '../corpus/term-matrix.ts'
import { trainCorpusModel } from '../corpus/train-model.ts'
import type { Embedder } from '../embedder.ts'
import { openGeneralModel } from './general-model.ts'
import { learnVault } from './learn-vault.ts'
import { createMixedEmbedder, partsFor } from './mixed-embedder.ts'
import { parseVaultWords, serialiseVaultWords } from './vault-words.ts'
import type { VaultWords } from './vault-words.ts'
import type { WordTable } from './word-table.ts'

export interface LearnedModel {
  readonly corpus: CorpusModel
  readonly embedder: Embedder
  /** The vectors of every document of a matrix. */
  ofMatrix(matrix: TermMatrix): MatrixEmbedder
  serialise(): Uint8Array
}

/** Below this a base's own text teaches nothing: there is no company for words to keep. */
const FEWEST_DOCUMENTS = 8

/** Undefined where there is nothing to learn: a handful of documents that the table cannot read. */
export function learnModel(
  matrix: TermMatrix,
  analysis: TermAnalysis,
  table: WordTable | undefined,
): LearnedModel | undefined {
  const bytes = table && learnWords(table, matrix)
  if (!bytes && matrix.documentStart.length - 1 < FEWEST_DOCUMENTS) return undefined
  return joinLearned(trainCorpusModel(matrix), bytes, analysis, table)
}

/** What the base adds to the table, as it is kept; undefined for a base that the table cannot read. */
export function learnWords(table: WordTable, matrix: TermMatrix): Uint8Array | undefined {
  const words = learnVault(table, matrix)
  return words && serialiseVaultWords(words)
}

/** The two halves of what is learned: neither needs the other. */
export function joinLearned(
  corpus: CorpusModel,
  bytes: Uint8Array | undefined,
  analysis: TermAnalysis,
  table: WordTable | undefined,
): LearnedModel {
  const words = bytes && parseVaultWords(bytes)
  return words && table
    ? openMixed(corpus, { words, bytes, table }, analysis)
    : openAlone(corpus, analysis)
}

/** Undefined when the bytes are damaged, of another version or made with another table. */
export function parseLearnedModel(
  bytes: Uint8Array,
  analysis: TermAnalysis,
  table: () => WordTable | undefined,
): LearnedModel | undefined {
  const parts = readParts(bytes)
  const corpus = parts && parseCorpusModel(parts.corpus)
  if (!corpus) return undefined
  if (parts.words.length === 0) return openAlone(corpus, analysis)
  const words = parseVaultWords(parts.words)
  const known = words && table()
  if (!known || words.table !== known.id) return undefined
  return openMixed(corpus, { words, bytes: parts.words, table: known }, analysis)
}

function openAlone(corpus: CorpusModel, analysis: TermAnalysis): LearnedModel {
  return {
    corpus,
    embedder: createCorpusEmbedder(corpus, analysis),
    ofMatrix: (matrix) => openMatrixEmbedder(matrix, [corpus]),
    serialise: () => writeParts(serialiseCorpusModel(corpus), new Uint8Array()),
  }
}

interface Vault {
  readonly words: VaultWords
  /** The same as it is kept. */
  readonly bytes: Uint8Array
  readonly table: WordTable
}

function openMixed(
  corpus: CorpusModel,
  { words, bytes, table }: Vault,
  analysis: TermAnalysis,
): LearnedModel {
  const general = openGeneralModel(table, words)
  const id = `corpus:${analysis.id}:${corpus.id}:${hash('sha256', bytes).slice(0, 16)}`
  return {
    corpus,
    embedder: createMixedEmbedder({ id, corpus, general }, analysis),
    ofMatrix: (matrix) => openMatrixEmbedder(matrix, partsFor({ corpus, general }, matrix)),
    serialise: () => writeParts(serialiseCorpusModel(corpus), bytes),
  }
}

/** Rises when the same bytes would mean other vectors; then a base learns again. */
export const MODEL_VERSION = 0x4d_00_00_04

function writeParts(corpus: Uint8Array, words: Uint8Array): Uint8Array {
  const writer = new ByteWriter()
  writer.uint32(MODEL_VERSION)
  writer.block(corpus)
  writer.block(words)
  return writer.finish()
}

function readParts(bytes: Uint8Array): { corpus: Uint8Array; words: Uint8Array } | undefined {
  const reader = new ByteReader(bytes)
  try {
    if (reader.uint32() !== MODEL_VERSION) return undefined
    const parts = { corpus: reader.block(), words: reader.block() }
    return reader.atEnd ? parts : undefined
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
