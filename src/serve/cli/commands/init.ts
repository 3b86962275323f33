/** From a folder of notes to a base that answers: one command, and nobody's notes are touched. */
import { existsSync, writeFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { registerBase } from '../../config/find-base.ts'
import { trustFile } from '../../config/trust.ts'
import type { Proposal } from '../../config/propose-sources.ts'
import { CONFIG_FILE } from '../../config/settings.ts'
import type { CliBase } from '../base.ts'
import type { Command, CommandContext, ExitCode } from '../command.ts'
import { counted, findNotes, leftOutWords } from '../find-notes.ts'
import type { FoundNotes, FoundSource, NotesQuestion } from '../find-notes.ts'
import { doesNotRefuse } from '../input.ts'
import { showProgress } from '../progress.ts'
import { asRun, shellWord } from '../shell-words.ts'
import { cleanLine, columns, toJson } from '../terminal.ts'
import type { Terminal } from '../terminal.ts'
import { summaryLine } from './build-index.ts'
import { connect, foundClients, placesOf } from './connect.ts'

export const init: Command = {
  group: 'start',
  name: 'init',
  summary: 'Set up a base: find your notes, write cairn.yaml, build the index.',
  example: 'cairn init examples/handbook --yes',
  positionals: [
    { name: 'FOLDER', summary: 'Where to look (default: the current folder)', required: false },
  ],
  options: {
    yes: { kind: 'flag', short: 'y', summary: 'Set up without asking' },
    connect: { kind: 'switch', summary: 'Connect the MCP clients found (default: ask)' },
  },
  async run(context) {
    const { terminal, json, args, configInput } = context
    const asked = args.positionals[0]
    const start = resolve(configInput.cwd, asked ?? '.')
    const mayBeElsewhere = asked === undefined
    const { root, sources } = existsSync(join(start, CONFIG_FILE))
      ? { root: start, sources: undefined }
      : await lookAround({ start, mayBeElsewhere, around: configInput, app: context.app }, terminal)
    const file = join(root, CONFIG_FILE)
    if (!sources) terminal.err(`${file} is there already and stays as it is.\n`)
    else {
      if (!json) for (const line of foundLines(sources)) terminal.err(`${line}\n`)
      if (!(await mayBegin(context, file))) return 1
      writeFileSync(file, configText(root, sources), { flag: 'wx' })
      // Who writes it stands behind it.
      trustFile(configInput, file)
      terminal.err(`Wrote ${file}\n`)
    }
    registerBase(configInput, file)
    const expected = (sources ?? []).reduce((sum, { documents }) => sum + documents, 0)
    const { report, config, title } = await buildFirstIndex(context, file, expected)
    if (json) terminal.out(toJson({ config: file, sources: config.sources, ...report }))
    else terminal.out(`${summaryLine(report)}\n`)
    const code = await offerClients(context, file)
    if (!json) terminal.err(nextSteps(root, configInput.cwd, title))
    return code
  },
}

/** Looking through a large folder takes a moment, too. */
async function lookAround(question: NotesQuestion, terminal: Terminal): Promise<FoundNotes> {
  const progress = terminal.errIsTerminal ? showProgress(terminal, { announce: true }) : undefined
  try {
    return await findNotes(question)
  } finally {
    progress?.finish()
  }
}

function foundLines(sources: readonly FoundSource[]): string[] {
  const rows = sources.map(({ what, path, documents, exclude }) => [
    `  ${what}`,
    cleanLine(path),
    counted(documents),
    exclude.length > 0 ? cleanLine(`without ${exclude.join(', ')}`) : '',
  ])
  const left = leftOutWords(sources)
  return [
    'Found:',
    ...columns(rows),
    ...(left.length > 0 ? [`  Left out: ${cleanLine(left.join(', '))}`] : []),
  ]
}

async function mayBegin({ args, input, terminal }: CommandContext, file: string): Promise<boolean> {
  if (args.options['yes'] === true) return true
  if (await doesNotRefuse(input, `Write ${file} and build the index?`)) return true
  terminal.err('Nothing was written. Add --yes to set up without asking.\n')
  return false
}

/** Paths relative to the file, so that the folder can move. */
export function configText(root: string, proposals: readonly Proposal[]): string {
  const lines = proposals.flatMap(({ what, path, exclude }) => {
    const below = relative(root, path).split(sep).join('/')
    const list = (values: readonly string[]) =>
      `[${values.map((text) => JSON.stringify(text)).join(', ')}]`
    return [
      `  - path: ${JSON.stringify(below === '' ? '.' : `./${below}`)} # ${what}`,
      ...(exclude.length > 0 ? [`    exclude: ${list(exclude)}`] : []),
    ]
  })
  return ['# What Cairn reads; paths are relative to this file.', 'sources:', ...lines, ''].join(
    '\n',
  )
}

async function buildFirstIndex(context: CommandContext, file: string, expected: number) {
  const progress = showProgress(context.terminal, { announce: true, expected })
  const { loadConfig } = await import('../../config/load-config.ts')
  const { config } = await loadConfig({ ...context.configInput, folders: [], foundFile: file })
  const base = await context.app.openBase(config)
  try {
    const report = await base.index({ onProgress: progress.update, waitForMeaning: true })
    progress.finish()
    return { report, config, title: await tellingTitle(base) }
  } finally {
    await base.close()
  }
}

async function offerClients(context: CommandContext, file: string): Promise<ExitCode | void> {
  const { args, input, json } = context
  const found = foundClients(placesOf(context))
  if (found.length === 0 || args.options['connect'] === false || json) return 0
  const names = found.map(({ title }) => title).join(', ')
  const wanted =
    args.options['connect'] === true ||
    (args.options['yes'] !== true && (await doesNotRefuse(input, `Connect ${names}?`)))
  if (!wanted) return 0
  return connect.run({
    ...context,
    command: connect,
    args: { positionals: [], options: { yes: args.options['connect'] === true } },
    loadConfig: async () => {
      const { loadConfig } = await import('../../config/load-config.ts')
      return loadConfig({ ...context.configInput, folders: [], foundFile: file })
    },
  })
}

const TITLES_SEEN = 50

/** Something that is surely found: the first title of several words, else the first there is. */
async function tellingTitle(base: CliBase): Promise<string | undefined> {
  const { structured, isError } = await base.call('list', { limit: TITLES_SEEN })
  if (isError) return undefined
  const items = structured['items'] as readonly { readonly title?: unknown }[]
  const titles = items.flatMap(({ title }) =>
    typeof title === 'string' && isPlain(title) ? [title] : [],
  )
  return titles.find((title) => /\p{L}\s+\p{L}/u.test(title)) ?? titles[0]
}

/** A command line of today: no title that would be cut, or read as an option. */
function isPlain(title: string): boolean {
  return title.length <= 60 && title === cleanLine(title) && !title.startsWith('-')
}

function nextSteps(root: string, cwd: string, title: string | undefined): string {
  const there = relative(cwd, root)
  const go =
    there === '' || there === '.'
      ? ''
      : `cd ${shellWord(there.startsWith('..') ? root : there)} && `
  const steps = [
    ...(title === undefined ? [] : [`cairn search ${shellWord(title)}`]),
    'cairn connect',
    'cairn status',
  ]
  return asRun(['', 'Next:', ...steps.map((step) => `  ${go}${step}`), ''].join('\n'))
}
