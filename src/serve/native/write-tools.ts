/** The native tools that change documents, and the one that shows and undoes changes. */
import { z } from 'zod'
import { cutText } from '../../core/kit/cut-text.ts'
import { invalid, KnowledgeError } from '../../core/domain/error.ts'
import type { Properties, PropertyValue } from '../../core/domain/text.ts'
import type {
  BrokenLink,
  WriteOptions,
  WriteResult,
} from '../../core/operations/writing/change-files.ts'
import { makeCursor, parseCursor } from '../../core/operations/reading/cursor.ts'
import { fitting } from '../../core/operations/reading/tokens.ts'
import { createDocument } from '../../core/operations/writing/create-document.ts'
import { deleteDocument } from '../../core/operations/writing/delete-document.ts'
import {
  appending,
  editDocument,
  linesReplacing,
  metadataSetting,
  prepending,
  replacing,
  sectionEditing,
  textReplacing,
} from '../../core/operations/writing/edit-document.ts'
import type { MetadataChange } from '../../core/operations/writing/edit-document.ts'
import type { Commit } from '../../core/sources/work-tree.ts'
import type { View } from '../../core/operations/view/view.ts'
import {
  getOperation,
  historyMoment,
  isOperationId,
  listHistory,
} from '../../core/operations/writing/list-history.ts'
import type { ListedOperation } from '../../core/operations/writing/list-history.ts'
import { moveDocument } from '../../core/operations/writing/move-document.ts'
import type { TextChange } from '../../core/operations/writing/plan-following.ts'
import { restoreDocument, undoChanges } from '../../core/operations/writing/undo-changes.ts'
import { writeTogether } from '../../core/operations/writing/write-together.ts'
import type { SentenceChange } from '../../core/operations/writing/past-versions.ts'
import type { TogetherEdit, TogetherResult } from '../../core/operations/writing/write-together.ts'
import type { CallContext } from '../door/surface.ts'
import { tool } from '../door/tool.ts'
import { cursorField, idField, limitField, rows } from './fields.ts'
import { lineOf, paragraphs, shortDigest } from './lean-text.ts'
import { compact, instant } from './present.ts'

const ACTIONS = [
  'create',
  'replace',
  'append',
  'prepend',
  'edit_section',
  'find_replace',
  'set_metadata',
  'move',
] as const

const digestField = z.string().optional().describe('Fail on another digest')
const dryRunField = z.boolean().optional().describe('Change nothing')
const planField = z.string().optional().describe('Only what this plan of a dry run says')

const editInput = z.strictObject({
  action: z.enum(ACTIONS).describe('replace: whole text'),
  id: z.string().describe('Document; for create its path'),
  content: z.string().optional().describe('Markdown text'),
  template: z.string().optional().describe('To create from, or "daily"'),
  section: z.string().optional().describe('Heading or "A > B"'),
  create_section: z.boolean().optional().describe('Make the section where it is missing'),
  lines: z.string().optional().describe('replace: only these, "10-40"; needs if_digest'),
  find: z.string().optional().describe('Exact text'),
  replace: z.string().optional().describe('New text'),
  count: limitField(1, 100_000, { what: 'Matches, ' }),
  metadata: z.looseObject({}).optional().describe('Front matter keys; null removes'),
  tags: z.array(z.string()).optional().describe('All tags, or "+new", "-old"'),
  to: z.string().optional().describe('New path'),
  merge: z
    .boolean()
    .optional()
    .describe('move: into the note that is there, which keeps its own text'),
  update_links: z.boolean().optional().describe('false: links to it stay as they are'),
  if_digest: digestField,
  dry_run: dryRunField,
})

const input = z.strictObject({
  ...editInput.shape,
  action: editInput.shape.action.optional(),
  id: editInput.shape.id.optional(),
  if_plan: planField,
  edits: z.array(z.looseObject({})).max(50).optional().describe('Several: [{action, id, …}]'),
})

type Input = z.output<typeof editInput>
type Action = (typeof ACTIONS)[number]

/** Arguments that only one action has a use for: sent with another, they would be lost in silence. */
const MEANT_FOR: Readonly<Record<string, readonly Action[]>> = {
  content: ['create', 'replace', 'append', 'prepend', 'edit_section'],
  template: ['create'],
  section: ['append', 'prepend', 'edit_section'],
  create_section: ['append', 'prepend', 'edit_section'],
  lines: ['replace'],
  find: ['find_replace'],
  replace: ['find_replace'],
  count: ['find_replace'],
  metadata: ['create', 'set_metadata'],
  tags: ['create', 'set_metadata'],
  to: ['move'],
  merge: ['move'],
  update_links: ['move', 'replace', 'edit_section', 'find_replace'],
}

export const writeTool = tool({
  name: 'write',
  title: 'Write',
  destroys: true,
  description:
    'Create or change a document; may write over its text; links elsewhere follow moves and renamed headings. history undoes it. Example: {"action": "append", "id": "log.md", "content": "- Ada"}',
  access: 'write',
  rare: ['create_section', 'lines', 'count', 'merge', 'update_links', 'if_plan'],
  input,
  output: z.object({
    id: z.string().optional(),
    digest: z.string().optional(),
    diff: z.string(),
  }),
  run: async (kb, args, call) => {
    if (args.edits) return changeTogether(kb, args, call)
    const { edits: _, if_plan: ifPlan, ...one } = args
    const { edit, warnings } = await filledIn(kb, parseEdit(one, 'write'))
    const result = await writeOne(kb, edit, {
      by: authorOf(call),
      ifDigest: edit.if_digest,
      dryRun: edit.dry_run,
      ifPlan,
    })
    return { ...result, warnings: [...warnings, ...result.warnings] }
  },
  present: (result) => ('documents' in result ? presentTogether(result) : presentWrite(result)),
  text: (result, { dry_run: dryRun = false }) =>
    'documents' in result ? togetherText(result, dryRun) : writeText(result, dryRun),
})

/** One edit, with everything its action needs and nothing it has no use for. */
function parseEdit(given: Readonly<Record<string, unknown>>, where: string): Input {
  // Some templates know the path themselves.
  const { success, data, error } = editInput.safeParse(
    given['template'] === undefined ? given : { id: '', ...given },
  )
  if (!success) {
    const [issue] = error.issues
    throw invalid(
      `${where}${issue && issue.path.length > 0 ? ` ${issue.path.join('.')}` : ''}: ${issue?.message ?? 'cannot be read'}.`,
      `Write {"action": "append", "id": "notes/log.md", "content": "..."}; actions are ${ACTIONS.join(', ')}.`,
    )
  }
  const stray = Object.entries(MEANT_FOR).find(
    ([name, actions]) => data[name as keyof Input] !== undefined && !actions.includes(data.action),
  )
  if (!stray) return data
  throw invalid(
    `${where} with action ${data.action} takes no ${stray[0]}.`,
    `${stray[0]} goes with: ${stray[1].join(', ')}.`,
  )
}

/** What a template makes of it is written like any other text. */
async function filledIn(
  kb: View,
  edit: Input,
): Promise<{ readonly edit: Input; readonly warnings: WriteResult['warnings'] }> {
  const { template, ...rest } = edit
  if (template === undefined) return { edit, warnings: [] }
  const { makeFromTemplate } = await import('../../core/operations/writing/from-template.ts')
  const { id, content, warnings } = await makeFromTemplate(kb, { ...rest, template })
  return { edit: { ...rest, id, content }, warnings }
}

async function changeTogether(
  kb: View,
  args: z.output<typeof input>,
  call: CallContext,
): Promise<TogetherResult> {
  const { edits = [], dry_run: dryRun, if_plan: ifPlan, ...rest } = args
  const [stray] = Object.keys(rest)
  if (stray !== undefined) {
    throw invalid(`edits and ${stray} do not go together.`, `Put ${stray} into each edit.`)
  }
  const filled = await Promise.all(
    edits.map((edit, index) => filledIn(kb, parseEdit(edit, `edits[${index}]`))),
  )
  const merged = filled.findIndex(({ edit }) => edit.merge)
  if (merged >= 0) {
    throw invalid(`edits[${merged}]: notes are merged by themselves.`, 'Make it a call of its own.')
  }
  const parts = filled.map(({ edit }) => partOf(edit))
  const result = await writeTogether(kb, parts, { by: authorOf(call), dryRun, ifPlan })
  return {
    ...result,
    warnings: [...filled.flatMap(({ warnings }) => warnings), ...result.warnings],
  }
}

const MERGE_HINT =
  'Choose another path. If the two are about one thing, add merge: true, and dry_run: true to see it first.'

/** The same edit as an operation of its own. */
async function writeOne(kb: View, args: Input, options: WriteOptions): Promise<WriteResult> {
  const part = partOf(args)
  const { action, id } = args
  if (part.kind === 'create') {
    return createDocument(kb, id, part.content, { ...options, metadata: part.metadata ?? {} })
  }
  if (args.merge) {
    if (args.update_links === false) {
      throw invalid(
        'Links follow a merge: there would be nothing where they lead.',
        'Leave update_links out, and see with dry_run: true which ones.',
      )
    }
    const { mergeDocuments } = await import('../../core/operations/writing/merge-documents.ts')
    return mergeDocuments(kb, id, needed(args, 'to'), options)
  }
  if (part.kind === 'move') {
    const moving = { ...options, updateLinks: part.updateLinks }
    return moveDocument(kb, id, part.to, moving).catch((error: unknown) => {
      throw error instanceof KnowledgeError && error.code === 'exists'
        ? new KnowledgeError('exists', error.message, MERGE_HINT)
        : error
    })
  }
  const links = MEANT_FOR['update_links']!.includes(action) ? linksOf(args) : {}
  return editDocument(kb, action, id, part.change, { ...options, ...links })
}

/** What an edit asks for, alone or among several. */
function partOf(args: Input): TogetherEdit {
  const { id, if_digest: ifDigest } = args
  const changing = (change: TextChange): TogetherEdit => ({ kind: 'change', id, ifDigest, change })
  switch (args.action) {
    case 'create': {
      const { set, tags, addTags } = metadataOf(args)
      const metadata = { set, tags: tags ?? addTags }
      return { kind: 'create', id, content: needed(args, 'content'), metadata }
    }
    case 'replace':
      return changing(replacingIn(args))
    case 'append':
      return changing(appending(needed(args, 'content'), sectionOf(args)))
    case 'prepend':
      return changing(prepending(needed(args, 'content'), sectionOf(args)))
    case 'edit_section': {
      const change = { section: needed(args, 'section'), content: needed(args, 'content') }
      return changing(sectionEditing({ ...change, createSection: args.create_section }))
    }
    case 'find_replace': {
      const change = { find: needed(args, 'find'), replace: needed(args, 'replace') }
      return changing(textReplacing({ ...change, expected: args.count }))
    }
    case 'set_metadata':
      if (args.metadata === undefined && args.tags === undefined) needed(args, 'metadata')
      return changing(metadataSetting(metadataOf(args)))
    case 'move':
      return { kind: 'move', id, ifDigest, to: needed(args, 'to'), updateLinks: args.update_links }
    default:
      return args.action satisfies never
  }
}

function replacingIn({ lines, ...args }: Input): TextChange {
  const content = needed(args, 'content')
  if (lines === undefined) return replacing(content)
  if (args.if_digest !== undefined) return linesReplacing({ lines, content })
  throw invalid(
    'Lines are replaced only in the text that they were counted in.',
    'Pass the digest of that text as if_digest, or replace by section or by find.',
  )
}

function presentTogether(result: TogetherResult) {
  const { documents, diff, operation, plan, linksRewritten, brokenLinks, warnings } = result
  return compact({
    documents: documents.map(compact),
    diff,
    operation,
    plan,
    links_rewritten: linksRewritten > 0 ? linksRewritten : undefined,
    broken_links: brokenLinks.length > 0 ? presentBroken(brokenLinks) : undefined,
    warnings:
      warnings.length > 0 ? warnings.map(({ message }) => message).slice(0, LISTED) : undefined,
  })
}

function togetherText(result: TogetherResult, withDiff: boolean) {
  const { documents, diff, operation, plan, linksRewritten, brokenLinks, warnings } = result
  return paragraphs(
    lineOf({ operation, plan, ...(linksRewritten > 0 && { links_rewritten: linksRewritten }) }),
    documents.map(({ id, digest = '' }) => lineOf({ id, digest: shortDigest(digest) })).join('\n'),
    withDiff ? diff : undefined,
    brokenLinks.length > 0 ? `Now lead nowhere:\n${brokenText(brokenLinks)}` : undefined,
    warnings
      .slice(0, LISTED)
      .map(({ message }) => message)
      .join('\n'),
  )
}

function linksOf({ update_links: update = true }: Input) {
  return { links: update ? ('follow' as const) : ('report' as const) }
}

function sectionOf({ section, create_section: createSection }: Input) {
  return { section, createSection }
}

function metadataOf({ metadata = {}, tags }: Input): MetadataChange {
  const entries = Object.entries(metadata as Record<string, PropertyValue>)
  const set: Properties = Object.fromEntries(entries.filter(([, value]) => value !== null))
  const remove = entries.filter(([, value]) => value === null).map(([key]) => key)
  if (!tags) return { set, remove }
  const marked = (mark: string) =>
    tags.filter((tag) => tag.startsWith(mark)).map((tag) => tag.slice(1))
  const plain = tags.filter((tag) => !/^[+-]/.test(tag))
  const changes = { set, remove, addTags: marked('+'), removeTags: marked('-') }
  return plain.length > 0 || tags.length === 0 ? { ...changes, tags: plain } : changes
}

function needed(args: Input, name: 'content' | 'section' | 'find' | 'replace' | 'metadata' | 'to') {
  const value = args[name]
  if (typeof value === 'string') return value
  throw invalid(
    `write with action ${args.action} needs ${name}.`,
    `Call it again with ${name} filled in.`,
  )
}

function authorOf({ client, principal }: CallContext): WriteOptions['by'] {
  return compact({ client, principal })
}

const LISTED = 50

function presentWrite(result: WriteResult) {
  const { warnings, brokenLinks, rewrittenIn } = result
  return compact({
    id: result.id,
    digest: result.digest ?? '',
    diff: result.diff,
    operation: result.operation,
    plan: result.plan,
    renamed: renamedText(result),
    ...(result.linksRewritten > 0 && {
      links_rewritten: result.linksRewritten,
      rewritten_in: rewrittenIn.slice(0, LISTED),
    }),
    broken_links: brokenLinks.length > 0 ? presentBroken(brokenLinks) : undefined,
    warnings:
      warnings.length > 0 ? warnings.map(({ message }) => message).slice(0, LISTED) : undefined,
  })
}

/** What the caller has sent is not sent back; a dry run is asked for to see it. */
function writeText(result: WriteResult, withDiff: boolean): string {
  const { id, digest = '', operation, plan, linksRewritten, rewrittenIn } = result
  const { brokenLinks, warnings } = result
  return paragraphs(
    lineOf({
      id,
      digest: shortDigest(digest),
      operation,
      plan,
      renamed: renamedText(result),
      ...(linksRewritten > 0 && {
        links_rewritten: linksRewritten,
        rewritten_in: rewrittenIn.slice(0, LISTED),
      }),
    }),
    withDiff ? result.diff : undefined,
    brokenLinks.length > 0 ? `Now lead nowhere:\n${brokenText(brokenLinks)}` : undefined,
    warnings
      .slice(0, LISTED)
      .map(({ message }) => message)
      .join('\n'),
  )
}

/** Only where links were looked for: a caller who reads it knows why other files changed. */
function renamedText({ renamedHeadings }: WriteResult): readonly string[] | undefined {
  if (renamedHeadings.length === 0) return undefined
  return renamedHeadings.slice(0, LISTED).map(({ from, to }) => `#${from} → #${to}`)
}

function brokenText(links: readonly BrokenLink[]): string {
  return links
    .slice(0, LISTED)
    .map(({ id, target }) => `${id} → ${target}`)
    .join('\n')
}

function presentBroken(links: readonly BrokenLink[]) {
  return links.slice(0, LISTED).map(({ id, target }) => ({ id, target }))
}

export const deleteTool = tool({
  name: 'delete',
  title: 'Delete',
  description: 'Delete a document; history restores it. Says which links break.',
  access: 'delete',
  rare: ['dry_run', 'if_plan'],
  input: z.strictObject({
    id: idField,
    if_digest: digestField,
    if_plan: planField,
    dry_run: dryRunField,
  }),
  output: z.object({ deleted: z.string() }),
  run: (kb, { id, if_digest: ifDigest, if_plan: ifPlan, dry_run: dryRun }, call) =>
    deleteDocument(kb, id, { by: authorOf(call), ifDigest, ifPlan, dryRun }),
  present: ({ id, brokenLinks, operation, plan }) =>
    compact({
      deleted: id,
      operation,
      plan,
      restore: operation && `history(action="restore", id="${operation}")`,
      broken_links: brokenLinks.length > 0 ? presentBroken(brokenLinks) : undefined,
    }),
})

const historyInput = z.strictObject({
  action: z.enum(['list', 'diff', 'undo', 'restore']).optional().describe('Default list'),
  id: z.string().optional().describe('Document or operation'),
  since: z.string().optional().describe('"1 hour ago"'),
  by: z.string().optional().describe('Client or user'),
  sentence: z.string().optional().describe('Who wrote or cut this'),
  limit: limitField(20, 100),
  cursor: cursorField,
  if_plan: z.string().optional().describe('undo: only what this plan of a dry run says'),
  dry_run: dryRunField,
})

type HistoryInput = z.output<typeof historyInput>

/** A move may have changed a thousand documents; the diffs of some are shown at a time. */
const DIFF_TOKENS = 8_000
const DIFFS_AT_ONCE = 500
const LONGEST_DIFF = 20_000

const histories = {
  list: async (kb, { id, since, by, sentence, limit, cursor }) => {
    if (sentence !== undefined) return changesOf(kb, sentence, { id, limit })
    const filter = {
      id,
      since: since === undefined ? undefined : await historyMoment(kb, since),
      by,
    }
    const page = await listHistory(kb, filter, { limit, cursor })
    return compact({
      operations: page.operations.map(presentOperation),
      commits: page.commits.length > 0 ? page.commits.map(presentCommit) : undefined,
      next_cursor: page.nextCursor,
      warnings: page.warnings.length > 0 ? page.warnings.map(({ message }) => message) : undefined,
    })
  },
  diff: async (kb, { id, cursor }) => {
    const operation = await getOperation(kb, id)
    const question = ['diff', operation.id]
    const offset = parseCursor(question, cursor)
    const diffs = operation.changes.slice(offset, offset + DIFFS_AT_ONCE).map(({ diff }) => diff)
    const shown = diffs.slice(0, fitting(diffs, DIFF_TOKENS))
    const end = offset + shown.length
    return compact({
      operations: [presentOperation(operation)],
      diff: shown.map((diff) => cutText(diff, LONGEST_DIFF)).join(''),
      next_cursor: end < operation.changes.length ? makeCursor(question, end) : undefined,
    })
  },
  undo: async (kb, { id, since, by, if_plan: ifPlan, dry_run: dryRun }, call) => {
    const request = {
      ...(id !== undefined && (isOperationId(id) ? { operation: id } : { id })),
      since: since === undefined ? undefined : await historyMoment(kb, since),
      by,
    }
    const options = { by: authorOf(call), dryRun, ifPlan }
    const { undone, conflicts, ...result } = await undoChanges(kb, request, options)
    const documents = [result.id, ...result.rewrittenIn]
    return compact({
      undone,
      ...(dryRun && {
        documents: documents.slice(0, LISTED),
        more: documents.length > LISTED ? documents.length - LISTED : undefined,
      }),
      conflicts: conflicts.length > 0 ? conflicts.slice(0, LISTED) : undefined,
      ...presentWrite(result),
    })
  },
  restore: async (kb, { id, dry_run: dryRun }, call) => {
    if (id === undefined)
      throw invalid('restore needs id.', 'Pass the deleted document or the operation.')
    return presentWrite(await restoreDocument(kb, id, { by: authorOf(call), dryRun }))
  },
} satisfies Record<
  NonNullable<HistoryInput['action']>,
  (kb: View, args: HistoryInput, call: CallContext) => Promise<object>
>

/** When did this change? Both lists say of each change what became of the sentence. */
async function changesOf(
  kb: View,
  sentence: string,
  { id, limit = 20 }: Pick<HistoryInput, 'id' | 'limit'>,
): Promise<object> {
  if (id === undefined || sentence.trim() === '' || sentence.length > LONGEST_SENTENCE) {
    throw invalid(
      `sentence needs id and has 1 to ${LONGEST_SENTENCE} characters.`,
      'Pass the document, and a sentence as it stands or stood in it.',
    )
  }
  const { changesOfText } = await import('../../core/operations/writing/past-versions.ts')
  const changes = await changesOfText(kb, id, sentence, limit)
  const became = ({ brought }: SentenceChange) => (brought ? 'brought' : 'removed')
  const commits = changes.flatMap((change) =>
    change.commit ? [{ ...presentCommit(change.commit), sentence: became(change) }] : [],
  )
  return compact({
    operations: changes.flatMap((change) =>
      change.operation ? [{ ...presentOperation(change.operation), sentence: became(change) }] : [],
    ),
    commits: commits.length > 0 ? commits : undefined,
  })
}

const LONGEST_SENTENCE = 1_000

export const historyTool = tool({
  name: 'history',
  rare: ['limit', 'cursor', 'if_plan', 'dry_run'],
  title: 'History',
  destroys: true,
  description:
    'Who changed what when; undo the last change, one by id, all since a moment or by a client.',
  access: 'write',
  input: historyInput,
  output: z.object({ operations: rows.optional() }),
  run: async (kb, args, call): Promise<object> => {
    const { action = 'list', sentence, since, by, cursor } = args
    if (sentence !== undefined && ((action !== 'list' || since) ?? by ?? cursor)) {
      throw invalid('sentence goes with id and limit alone.', 'Leave the other arguments out.')
    }
    return histories[action](kb, args, call)
  },
  present: (history) => ({ ...history }),
  text: historyText,
})

/** One line for a change, and what was done or would be; a diff where one was asked for. */
function historyText(
  history: object,
  { action = 'list', sentence, dry_run: dryRun }: HistoryInput,
): string {
  const { operations = [], commits = [], diff, warnings = [], ...done } = history as HistoryReply
  const { next_cursor: cursor, broken_links: broken = [], digest, ...facts } = done
  const lines = operations.map(({ at, state, undone_by: undoneBy, documents, ...operation }) =>
    lineOf({
      at: at.slice(0, 19).replace('T', ' '),
      ...operation,
      documents,
      state: undoneBy ? 'undone' : state,
    }),
  )
  for (const { commit, at, ...more } of commits) {
    lines.push(lineOf({ at: at.slice(0, 19).replace('T', ' '), commit, ...more }))
  }
  const isEmpty = action === 'list' && lines.length === 0
  const none =
    sentence === undefined
      ? 'Nothing was changed.'
      : 'No change that is known brought or removed it.'
  return paragraphs(
    isEmpty ? none : lines.join('\n'),
    lineOf({ ...facts, ...(digest && { digest: shortDigest(digest) }) }) || undefined,
    action === 'diff' || dryRun ? diff : undefined,
    broken.length > 0 ? `Now lead nowhere:\n${broken.map(lineOf).join('\n')}` : undefined,
    warnings.join('\n'),
    cursor === undefined ? undefined : lineOf({ cursor }),
  )
}

interface HistoryReply extends Readonly<Record<string, unknown>> {
  readonly operations?: readonly ReturnType<typeof presentOperation>[]
  readonly commits?: readonly ReturnType<typeof presentCommit>[]
  readonly diff?: string
  readonly digest?: string
  readonly warnings?: readonly string[]
  readonly broken_links?: readonly Readonly<Record<string, unknown>>[]
  readonly next_cursor?: string
}

function presentCommit({ id, at, author, message }: Commit) {
  return { commit: id.slice(0, 10), at: instant(at), author, message }
}

function presentOperation(operation: ListedOperation) {
  const { client, principal } = operation.by
  return compact({
    id: operation.id,
    at: instant(operation.at),
    action: operation.kind,
    client,
    principal,
    documents: operation.changes.slice(0, LISTED).map(({ source, path }) => `${source}/${path}`),
    more: operation.changes.length > LISTED ? operation.changes.length - LISTED : undefined,
    state: operation.state === 'done' ? undefined : operation.state,
    undone_by: operation.undoneBy,
    undoes: operation.undoes,
  })
}
