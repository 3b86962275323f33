/** Shows any plain answer to a person: names and values, tables for lists of things. */
import { cleanLine, columns } from './terminal.ts'
import { isAnswer } from './tool-command.ts'
import type { Answer } from './tool-command.ts'

/** Lines for reports whose shape is theirs to choose: `status`, `insights`. */
export function factLines(answer: Answer, indent = ''): string[] {
  const plain = Object.entries(answer).filter(([, value]) => !isNested(value))
  const nested = Object.entries(answer).filter(([, value]) => isNested(value))
  return [
    ...columns(plain.map(([key, value]) => [`${indent}${label(key)}:`, shown(value)])),
    ...nested.flatMap(([key, value]) => [
      `${indent}${label(key)}:`,
      ...nestedLines(value, `${indent}  `),
    ]),
  ]
}

function nestedLines(value: unknown, indent: string): string[] {
  if (isAnswer(value)) return factLines(value, indent)
  const rows = (value as unknown[]).filter(isAnswer)
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const header = keys.map((key) => label(key))
  return columns([header, ...rows.map((row) => keys.map((key) => shown(row[key])))]).map(
    (line) => indent + line,
  )
}

function isNested(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isAnswer)
  return isAnswer(value) && Object.keys(value).length > 0
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return '-'
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(shown).join(', ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return formatNumber(value)
  return cleanLine(typeof value === 'string' ? value : JSON.stringify(value))
}

/** Whole numbers as they are; fractions short. */
function formatNumber(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)))
}

/** `broken_links` and `durationMs` become `broken links` and `duration ms`. */
function label(key: string): string {
  return cleanLine(
    key
      .replace(/_/g, ' ')
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase(),
  )
}
