/** What a shell offers when Tab is pressed. The scripts only ask; the answers come from the tables. */
import { BASE_OPTIONS, COMMON_OPTIONS } from '../command.ts'
import type { Command, CommandContext, OptionRow, OptionTable } from '../command.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const

const SCRIPTS: Record<(typeof SHELLS)[number], string> = {
  bash: `_cairn() {
  local IFS=$'\\n'
  COMPREPLY=($(cairn __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  [[ \${#COMPREPLY[@]} -eq 0 ]] && compopt -o default
  COMPREPLY=("\${COMPREPLY[@]// /\\\\ }")
}
complete -F _cairn cairn cairn-kb
`,
  zsh: `#compdef cairn cairn-kb
_cairn() {
  local -a found
  found=("\${(@f)$(cairn __complete -- "\${words[@]:1:$((CURRENT-1))}" 2>/dev/null)}")
  if (( \${#found} )) && [[ -n "\${found[1]}" ]]; then compadd -Q -- "\${(@q)found}"; else _files; fi
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _cairn cairn cairn-kb
`,
  fish: `function __cairn_complete
  set -l words (commandline -opc) (commandline -ct | string trim --left --chars "'\\"")
  cairn __complete -- $words[2..-1] 2>/dev/null
end
complete -c cairn -f -a '(__cairn_complete)'
complete -c cairn-kb -f -a '(__cairn_complete)'
`,
}

export const completion: Command = {
  name: 'completion',
  group: 'care',
  summary: 'Print a script that teaches a shell to complete commands, options and note names.',
  example: 'cairn completion bash',
  positionals: [
    {
      name: 'SHELL',
      summary: 'bash (source <(cairn completion bash)), zsh or fish',
      required: true,
      choices: SHELLS,
    },
  ],
  options: {},
  async run({ args, terminal }) {
    terminal.out(SCRIPTS[args.positionals[0] as (typeof SHELLS)[number]])
  },
}

/** More would only scroll. */
const OFFERED = 200

export const complete: Command = {
  name: '__complete',
  group: 'care',
  hidden: true,
  summary: 'Print what may stand at the end of a command line, one per line.',
  example: 'cairn __complete -- sea',
  positionals: [
    {
      name: 'WORD',
      summary: 'The words so far, the last may be empty',
      required: false,
      many: true,
    },
  ],
  options: BASE_OPTIONS,
  async run(context) {
    const words = context.args.positionals.length > 0 ? context.args.positionals : ['']
    const found = await candidates(words, context)
    for (const each of [...new Set(found)].slice(0, OFFERED)) context.terminal.out(`${each}\n`)
  },
}

async function candidates(words: readonly string[], context: CommandContext): Promise<string[]> {
  const commands = (await context.commands()).filter(({ hidden }) => !hidden)
  const before = words.slice(0, -1)
  const last = words.at(-1)!
  const command = commands
    .toSorted((a, b) => b.name.length - a.name.length)
    .find(({ name }) => before.slice(0, name.split(' ').length).join(' ') === name)
  if (!command) {
    const names = commands.flatMap(({ name }) =>
      name.startsWith([...before, ''].join(' ')) ? [name.split(' ')[before.length]!] : [],
    )
    return startingWith(last, names)
  }
  const options = { ...command.options, ...COMMON_OPTIONS }
  const open = openOption(before.at(-1) ?? '', options)
  if (open) return startingWith(last, open.choices ?? [])
  if (last.startsWith('-')) return startingWith(last, flagsOf(options))
  const at = before.length - command.name.split(' ').length
  const row = command.positionals[Math.min(at, command.positionals.length - 1)]
  const choices = row?.choices ?? row?.suggestions
  if (choices) return startingWith(last, choices)
  if (row?.isDocument || command.name === 'open') return documentNames(last, context)
  return []
}

/** An option that still waits for its value. */
function openOption(word: string, options: OptionTable): OptionRow | undefined {
  const row = Object.entries(options).find(
    ([name, { short }]) => word === `--${name}` || (short !== undefined && word === `-${short}`),
  )?.[1]
  return row && ['text', 'json', 'integer', 'list'].includes(row.kind) ? row : undefined
}

function flagsOf(options: OptionTable): string[] {
  return Object.entries(options).flatMap(([name, { kind, hidden }]) =>
    hidden ? [] : kind === 'switch' ? [`--${name}`, `--no-${name}`] : [`--${name}`],
  )
}

/** Names from the index as it is: a shell that waits is worse than one that knows less. */
async function documentNames(prefix: string, context: CommandContext): Promise<string[]> {
  try {
    const places = await context.places()
    const found: string[] = []
    await context.withBase(async (base) => {
      for (const id of await base.ids()) {
        const path = places.shown(id)
        const name = path.startsWith(prefix) ? path : id
        if (name.startsWith(prefix)) found.push(name)
      }
      return 0
    })
    return found
  } catch {
    return []
  }
}

function startingWith(prefix: string, all: readonly string[]): string[] {
  return all.filter((each) => each.startsWith(prefix))
}
