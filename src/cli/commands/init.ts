/** From a folder of notes to a base that answers: one command, and nobody's notes are touched. */
import { existsSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join, relative, resolve, sep } from 'node:path'
import { KnowledgeError } from '../../domain/error.ts'
import { registerBase } from '../../config/find-base.ts'
import { trustFile } from '../../config/trust.ts'
import { knownVaults, proposeSources } from '../../config/propose-sources.ts'
import type { Proposal } from '../../config/propose-sources.ts'
import { CONFIG_FILE } from '../../config/settings.ts'
import type { IndexReport } from '../base.ts'
import type { Command, CommandContext, ExitCode } from '../command.ts'
import { agrees } from '../input.ts'
import { showProgress } from '../progress.ts'
import { asRun, shellWord } from '../shell-words.ts'
import { cleanLine, columns, toJson } from '../terminal.ts'
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
    const { root, proposals } = existsSync(join(start, CONFIG_FILE))
      ? { root: start, proposals: undefined }
      : whatThereIs(start, asked === undefined, context)
    const file = join(root, CONFIG_FILE)
    if (!proposals) terminal.err(`${file} is there already and stays as it is.\n`)
    else {
      if (!json) for (const line of proposalLines(proposals)) terminal.err(`${line}\n`)
      if (!(await mayBegin(context, file))) return 1
      writeFileSync(file, configText(root, proposals), { flag: 'wx' })
      // Who writes it stands behind it.
      trustFile(configInput, file)
      terminal.err(`Wrote ${file}\n`)
    }
    registerBase(configInput, file)
    const { report, config } = await buildFirstIndex(context, file)
    if (json) terminal.out(toJson({ config: file, sources: config.sources, ...report }))
    else terminal.out(`${summaryLine(report)}\n`)
    const code = await offerClients(context, file)
    if (!json) terminal.err(nextSteps(root, configInput.cwd))
    return code
  },
}

/** Here, or where nothing was named and nothing is here, the vault that was opened last. */
function whatThereIs(
  start: string,
  mayLookElsewhere: boolean,
  { configInput: { home, env } }: CommandContext,
): { root: string; proposals: readonly Proposal[] } {
  if (!existsSync(start)) {
    throw new KnowledgeError('not_found', `There is no folder ${start}.`, 'Check the spelling.')
  }
  // A whole home folder is nobody's notes.
  const here = resolve(start) === resolve(home) ? [] : proposeSources(start)
  if (here.length > 0) return { root: start, proposals: here }
  const configFolder = env['XDG_CONFIG_HOME'] || join(home, '.config')
  const [vault] = mayLookElsewhere ? knownVaults(home, configFolder) : []
  if (vault) return { root: vault.path, proposals: [vault] }
  throw new KnowledgeError(
    'not_found',
    `There are no notes in ${start}.`,
    'Say where they are: cairn init ~/notes',
  )
}

function proposalLines(proposals: readonly Proposal[]): string[] {
  const rows = proposals.map(({ what, path, documents, exclude }) => [
    `  ${what}`,
    cleanLine(path),
    `${documents} ${documents === 1 ? 'document' : 'documents'}`,
    exclude.length > 0 ? cleanLine(`without ${exclude.join(', ')}`) : '',
  ])
  return ['Found:', ...columns(rows)]
}

async function mayBegin({ args, input, terminal }: CommandContext, file: string): Promise<boolean> {
  if (args.options['yes'] === true) return true
  if (await agrees(input, `Write ${file} and build the index?`)) return true
  terminal.err('Nothing was written. Add --yes to set up without asking.\n')
  return false
}

/** Paths relative to the file, so that the folder can move. */
export function configText(root: string, proposals: readonly Proposal[]): string {
  const lines = proposals.flatMap(({ what, path, include, exclude }) => {
    const below = relative(root, path).split(sep).join('/')
    const list = (values: readonly string[]) =>
      `[${values.map((text) => JSON.stringify(text)).join(', ')}]`
    return [
      `  - path: ${JSON.stringify(below === '' ? '.' : `./${below}`)} # ${what}`,
      ...(include.length > 0 ? [`    include: ${list(include)}`] : []),
      ...(exclude.length > 0 ? [`    exclude: ${list(exclude)}`] : []),
    ]
  })
  return ['# What Cairn reads; paths are relative to this file.', 'sources:', ...lines, ''].join(
    '\n',
  )
}

async function buildFirstIndex(context: CommandContext, file: string) {
  const { loadConfig } = await import('../../config/config.ts')
  const { config } = await loadConfig({ ...context.configInput, folders: [], foundFile: file })
  const base = await context.app.openBase(config)
  try {
    const progress = showProgress(context.terminal, { announce: true })
    const report: IndexReport = await base.index({
      onProgress: progress.update,
      waitForMeaning: true,
    })
    progress.finish()
    return { report, config }
  } finally {
    await base.close()
  }
}

async function offerClients(context: CommandContext, file: string): Promise<ExitCode> {
  const { args, input, json } = context
  const found = foundClients(placesOf(context))
  if (found.length === 0 || args.options['connect'] === false || json) return 0
  const names = found.map(({ title }) => title).join(', ')
  const wanted =
    args.options['connect'] === true ||
    (args.options['yes'] !== true && (await agrees(input, `Connect ${names}?`)))
  if (!wanted) return 0
  return connect.run({
    ...context,
    command: connect,
    args: { positionals: [], options: { yes: args.options['connect'] === true } },
    loadConfig: async () => {
      const { loadConfig } = await import('../../config/config.ts')
      return loadConfig({ ...context.configInput, folders: [], foundFile: file })
    },
  })
}

function nextSteps(root: string, cwd: string): string {
  const there = relative(cwd, root)
  const go =
    there === '' || there === '.'
      ? ''
      : `cd ${shellWord(there.startsWith('..') ? root : there)} && `
  const question = shellWord(`what is in ${basename(root) || homedir()}`)
  return asRun(
    [
      '',
      'Next:',
      `  ${go}cairn search ${question}`,
      `  ${go}cairn connect`,
      `  ${go}cairn status`,
      '',
    ].join('\n'),
  )
}
