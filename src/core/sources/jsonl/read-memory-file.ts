/** Reads one file of the reference memory server, wherever it is, to be brought into a graph. */
import { closeSync, openSync, readSync } from 'node:fs'
import type { MemoryFile } from '../../domain/entity-graph.ts'
import { KnowledgeError, quoted } from '../../domain/error.ts'
import { codeOf, isGone, reasonOf } from '../folder/reasons.ts'
import { LineFile } from './line-file.ts'

const CHUNK_BYTES = 1024 * 1024

export function readMemoryFile(file: string): MemoryFile {
  const lines = new LineFile({ kind: 'entities', file, category: '' })
  try {
    const descriptor = openSync(file, 'r')
    try {
      const chunk = Buffer.alloc(CHUNK_BYTES)
      for (let length; (length = readSync(descriptor, chunk)) > 0;) {
        lines.add(chunk.subarray(0, length))
      }
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    throw unreadable(file, error)
  }
  lines.finish()
  const { relations, warnings } = lines
  const last = new Map(lines.entities.map((entity) => [entity.id, entity]))
  return { entities: [...last.values()], relations, warnings }
}

function unreadable(file: string, error: unknown): unknown {
  if (codeOf(error) === '') return error
  return new KnowledgeError(
    isGone(error) ? 'not_found' : 'unavailable',
    `The file ${quoted(file)} cannot be read: ${reasonOf(error)}.`,
    'Name the file that the memory server keeps, such as memory.jsonl.',
  )
}
