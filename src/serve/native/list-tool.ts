/** The tool that browses: documents, their headings, their tasks, or a table of their properties. */
import { z } from 'zod'
import { documentId } from '../../core/domain/document.ts'
import type { DocumentRecord } from '../../core/domain/document.ts'
import { cutText } from '../../core/kit/cut-text.ts'
import type { PropertyValue } from '../../core/domain/text.ts'
import { makeCursor, pageOf, parseCursor } from '../../core/operations/reading/cursor.ts'
import { findTasks, taskBox } from '../../core/operations/reading/find-tasks.ts'
import type { Task } from '../../core/operations/reading/find-tasks.ts'
import { checkKeys } from '../../core/operations/reading/hold-condition.ts'
import { listDocuments } from '../../core/operations/reading/list-documents.ts'
import { propertyText } from '../../core/operations/reading/property-text.ts'
import { outlineDocuments } from '../../core/operations/reading/outline-documents.ts'
import type { Outline } from '../../core/operations/reading/outline-documents.ts'
import { fieldsOf } from '../../core/operations/reading/parse-condition.ts'
import { selectRecords } from '../../core/operations/reading/select-documents.ts'
import { fitting } from '../../core/operations/reading/tokens.ts'
import type { View } from '../../core/operations/view/view.ts'
import { tool } from '../door/tool.ts'
import {
  RARE_SELECTION,
  cursorField,
  limitField,
  maxTokensField,
  pathField,
  rows,
  selectionFields,
  selectionOf,
  whereField,
} from './fields.ts'
import { day, lineOf, paragraphs, rowsText } from './lean-text.ts'
import { compact, instant } from './present.ts'

/** A page of a list never takes more of a client's context than this. */
const LIST_TOKENS = 6_000
/** Of one heading, one task, one property. */
const VALUE_LENGTH = 300

const input = z.strictObject({
  ...selectionFields,
  path: pathField,
  where: whereField,
  of: z
    .enum(['documents', 'outline', 'tasks', 'templates'])
    .optional()
    .describe('outline: headings'),
  columns: z.array(z.string()).max(20).optional().describe('Properties to show: a table'),
  sort: z.enum(['path', 'title', 'updated', 'created']).optional().describe('Dates: newest first'),
  limit: limitField(50, 500),
  cursor: cursorField,
  max_tokens: maxTokensField,
})

type Input = z.output<typeof input>

interface Listed {
  readonly items: readonly Readonly<Record<string, unknown>>[]
  readonly total: number
  readonly nextCursor: string | undefined
  readonly text: string
}

export const listTool = tool({
  name: 'list',
  title: 'List',
  description:
    'Browse documents, their headings, tasks (where: done, due) or a table of properties. Example: {"of": "tasks", "where": "due < 2026-12-01"}',
  access: 'read',
  rare: [...RARE_SELECTION, 'max_tokens'],
  input,
  output: z.object({
    items: rows,
    total: z.int(),
  }),
  run: (kb, args): Promise<Listed> => kinds[args.of ?? 'documents'](kb, args),
  present: ({ items, total, nextCursor }) => compact({ items, total, next_cursor: nextCursor }),
  text: ({ text, total, nextCursor }) =>
    paragraphs(text || 'Nothing was found.', lineOf({ total, cursor: nextCursor })),
})

const kinds = {
  documents: async (kb, args) => {
    const { sort, limit, cursor, columns } = args
    if (columns) await checkKeys(kb, columns, [])
    const show = (document: DocumentRecord) => presentListed(document, columns)
    const page = await listDocuments(kb, {
      ...selectionOf(args),
      sort,
      cursor,
      limit,
      fit: (documents) => fitting(documents.map(show), budgetOf(args)),
    })
    return {
      items: page.documents.map(show),
      total: page.total,
      nextCursor: page.nextCursor,
      text: columns ? tableText(page.documents, columns) : linesText(page.documents),
    }
  },
  outline: async (kb, args) => {
    const { sort, limit, cursor } = args
    const page = await listDocuments(kb, { ...selectionOf(args), sort, cursor, limit: limit ?? 20 })
    const outlines = await outlineDocuments(kb, page.documents)
    const fits = fitting(outlines, budgetOf(args))
    const shown = outlines.slice(0, fits)
    const rest = fits < outlines.length
    return {
      items: shown.map((each) => ({
        ...each,
        headings: each.headings.map((heading) => ({ ...heading })),
      })),
      total: page.total,
      // What did not fit is asked for by its own path.
      nextCursor: rest ? undefined : page.nextCursor,
      text: paragraphs(
        ...shown.map(outlineText),
        rest
          ? `Did not fit: ${outlines
              .slice(fits)
              .map(({ id }) => id)
              .join(', ')}`
          : undefined,
      ),
    }
  },
  tasks: async (kb, args) => {
    const { limit = 50, cursor, where, ...selection } = args
    const question = ['tasks', where, selectionOf(selection)]
    const offset = parseCursor(question, cursor)
    const records = await selectRecords(kb, selectionOf(selection))
    const all = await findTasks(kb, records, where)
    const page = all.slice(offset, offset + limit)
    const tasks = page.slice(0, fitting(page, budgetOf(args)))
    const end = offset + tasks.length
    return {
      items: tasks.map((task) => ({ ...task })),
      total: all.length,
      nextCursor: end < all.length && tasks.length > 0 ? makeCursor(question, end) : undefined,
      text: tasks.map(taskText).join('\n'),
    }
  },
  templates: async (kb, { limit = 100, cursor }) => {
    const { listTemplates } = await import('../../core/operations/writing/list-templates.ts')
    const all = listTemplates(kb).map(({ name, ...place }) => ({ name, id: documentId(place) }))
    const { items, nextCursor } = pageOf('templates', all, { cursor, limit })
    return { items, total: all.length, nextCursor, text: rowsText(items) }
  },
} satisfies Record<NonNullable<Input['of']>, (kb: View, args: Input) => Promise<Listed>>

function budgetOf({ max_tokens: maxTokens = LIST_TOKENS }: Input): number {
  return Math.min(maxTokens, LIST_TOKENS)
}

function presentListed(document: DocumentRecord, columns: readonly string[] | undefined) {
  return compact({
    id: documentId(document),
    title: document.title,
    updated: instant(document.updatedAt),
    properties: columns && valuesOf(document, columns),
  })
}

function valuesOf(document: DocumentRecord, columns: readonly string[]) {
  const fields = fieldsOf(document)
  return compact(Object.fromEntries(columns.map((key) => [key, fields(key)])))
}

function linesText(documents: readonly DocumentRecord[]): string {
  return rowsText(
    documents.map((each) => ({
      id: documentId(each),
      title: each.title,
      day: day(each.updatedAt),
    })),
  )
}

/** `id | draft | 2026-12-01`, below the names of the columns. */
function tableText(documents: readonly DocumentRecord[], columns: readonly string[]): string {
  const lines = documents.map((document) => {
    const fields = fieldsOf(document)
    return [documentId(document), ...columns.map((key) => cellOf(fields(key)))].join(' | ')
  })
  return lines.length === 0 ? '' : [['id', ...columns].join(' | '), ...lines].join('\n')
}

function cellOf(value: PropertyValue | undefined): string {
  return propertyText(value, VALUE_LENGTH).replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')
}

function outlineText({ id, title, lines, headings }: Outline): string {
  const rows = headings.map(
    ({ level, text, line }) => `${line} ${'#'.repeat(level)} ${cutText(text, VALUE_LENGTH)}`,
  )
  return [`${id} ${title} (${lines} lines)`, ...rows].join('\n')
}

function taskText(task: Task): string {
  return `${taskBox(task)} ${cutText(task.text, VALUE_LENGTH)} (${task.id}:${task.line})`
}
