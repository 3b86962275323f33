/** Options that several tools share, each with the tool argument it fills. */
import type { OptionTable } from '../command.ts'

export const SELECTION_OPTIONS = {
  source: {
    kind: 'list',
    placeholder: 'NAME',
    argument: 'sources',
    summary: 'Only this source; may be repeated',
  },
  path: {
    kind: 'text',
    placeholder: 'GLOB',
    argument: 'path',
    summary: 'Only this folder, or paths that match',
  },
  tag: {
    kind: 'list',
    placeholder: 'TAG',
    argument: 'tags',
    summary: 'Only documents with this tag; may be repeated',
  },
  'tag-mode': {
    kind: 'text',
    placeholder: 'MODE',
    choices: ['any', 'all'],
    argument: 'tag_mode',
    summary: 'How several tags combine',
  },
  type: {
    kind: 'list',
    placeholder: 'TYPE',
    argument: 'types',
    summary: 'Only documents of this type; may be repeated',
  },
  'updated-after': {
    kind: 'text',
    placeholder: 'DATE',
    argument: 'updated_after',
    summary: 'Only documents changed since, as 2026-01-31',
  },
  'updated-before': {
    kind: 'text',
    placeholder: 'DATE',
    argument: 'updated_before',
    summary: 'Only documents not changed since',
  },
} as const satisfies OptionTable

export const CURSOR_OPTION = {
  cursor: {
    kind: 'text',
    placeholder: 'CURSOR',
    argument: 'cursor',
    summary: 'Continue where an earlier answer stopped',
  },
} as const satisfies OptionTable

export function limitOption(usual: number): OptionTable {
  return {
    limit: {
      kind: 'integer',
      short: 'n',
      min: 1,
      placeholder: 'N',
      argument: 'limit',
      summary: `How many (default: ${usual})`,
    },
  }
}
