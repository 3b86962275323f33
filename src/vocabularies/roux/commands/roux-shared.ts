/** What the commands of `cairn roux` share: one folder, and what its `roux.yaml` says. */
import type { RouxConfig } from '../start/roux-config.ts'
import type { CliBase } from '../../../serve/cli/base.ts'
import { BASE_OPTIONS } from '../../../serve/cli/command.ts'
import type {
  CommandContext,
  ExitCode,
  OptionTable,
  PositionalRow,
} from '../../../serve/cli/command.ts'
import { showProgress } from '../../../serve/cli/progress.ts'

export const DIRECTORY: PositionalRow = {
  name: 'DIR',
  summary: 'The folder with roux.yaml (default: the current one)',
  required: false,
}

export const LOG_OPTION: OptionTable = { 'log-level': BASE_OPTIONS['log-level']! }

export async function rouxConfig({ configInput, terminal }: CommandContext): Promise<RouxConfig> {
  const { loadRouxConfig } = await import('../start/roux-config.ts')
  const loaded = await loadRouxConfig(configInput)
  for (const warning of loaded.warnings) {
    terminal.err(`${terminal.errStyle.yellow('warning:')} ${warning}\n`)
  }
  return loaded
}

/** Opens the base, brings its index up to date, runs, and closes it whatever happens. */
export async function withRouxBase(
  context: CommandContext,
  work: (base: CliBase, loaded: RouxConfig) => Promise<ExitCode | void>,
): Promise<ExitCode | void> {
  const loaded = await rouxConfig(context)
  const base = await context.app.openBase(loaded.config)
  try {
    const progress = showProgress(context.terminal, { announce: false })
    await base.index({ onProgress: progress.update })
    progress.finish()
    return await work(base, loaded)
  } finally {
    await base.close()
  }
}
