import { BASE_OPTIONS } from '../command.ts'
import type { Command } from '../command.ts'
import { cleanLine, columns, toJson } from '../terminal.ts'
import type { ToolPresentation } from '../tool-command.ts'

export const vote: ToolPresentation = {
  tool: 'feedback',
  group: 'care',
  summary: 'Say how good a document was as an answer to a question: 1 right, -1 wrong.',
  example:
    'cairn feedback "roll back a release" handbook/index.md --vote=1 --folder examples/handbook',
  words: [
    { name: 'QUESTION', argument: 'query', summary: 'The question, in quotes', required: true },
    {
      name: 'ID',
      argument: 'id',
      summary: 'The document: path, id, title or alias',
      required: true,
      isDocument: true,
    },
  ],
  spellings: {
    vote: { placeholder: 'N', summary: 'From -1 (wrong) to 1 (right)' },
    note: { summary: 'Why' },
  },
}

export const admin: ToolPresentation = {
  tool: 'admin',
  group: 'care',
  summary: 'Run the base as agents do: status, ingest, backup, restore_plan, recipe or help.',
  example: 'cairn admin status --folder examples/handbook',
  words: [
    {
      name: 'ACTION',
      argument: 'action',
      summary: 'status, ingest, backup, restore_plan, recipe or help',
      required: true,
    },
  ],
  spellings: {
    name: { placeholder: 'RECIPE', summary: 'For recipe: which; lists them without' },
    vars: { summary: 'For recipe: its variables' },
    dry_run: { summary: 'For recipe: show the steps only' },
    archive: { placeholder: 'FILE', summary: 'For restore_plan: the archive' },
    destination: { placeholder: 'DIR', summary: 'For backup: folder below the state folder' },
  },
}

export const feedbackReport: Command = {
  name: 'feedback report',
  group: 'care',
  summary: 'Show what people found wrong, the worst questions first.',
  example: 'cairn feedback report --folder examples/handbook',
  positionals: [],
  options: { ...BASE_OPTIONS },
  run: (context) =>
    context.withBase(async (base) => {
      const { terminal, json } = context
      const report = await base.feedbackReport()
      if (json) return terminal.out(toJson(report))
      const { votes, positive, negative, active, needed, questions } = report
      terminal.out(
        `${votes} votes: ${positive} right, ${negative} wrong. ${
          active
            ? 'They change the order of results.'
            : `${needed} more are needed before they change anything.`
        }\n`,
      )
      const rows = questions.map(({ query, votes: count, mean, wrong, right }) => [
        mean.toFixed(2),
        `${count}`,
        cleanLine(query),
        cleanLine(
          [...wrong.map((id) => `wrong: ${id}`), ...right.map((id) => `right: ${id}`)].join(', '),
        ),
      ])
      for (const line of columns(rows)) terminal.out(`${line}\n`)
    }),
}
