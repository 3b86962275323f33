/** Errors of tools speak of arguments and calls; a person at a shell has options and commands. */
import { KnowledgeError } from '../domain/error.ts'
import type { OptionTable } from './command.ts'
import { shellWord } from './shell-words.ts'

export function inWordsOfTheShell(
  error: KnowledgeError,
  tool: string,
  options: OptionTable,
): KnowledgeError {
  const flags = new Map(
    Object.entries(options).flatMap(([flag, { argument }]) =>
      argument === undefined ? [] : [[argument, `--${flag}`] as const],
    ),
  )
  const said = (text: string): string =>
    text
      // fetch(id="notes/a.md", lines="2-3"): a call that a command can make as well.
      .replace(/\b([a-z]+)\(((?:\w+="[^"]*"(?:, )?)+)\)/g, (_, name: string, given: string) =>
        commandLine(name, given),
      )
      .replace(/ cannot be called like this:/, ' cannot be run like this:')
      .replace(/^(\w+)(?= (needs|cannot be run)\b)/, (name) =>
        name === tool ? `cairn ${name}` : name,
      )
      .replace(/Its arguments are: .*/, `See "cairn ${tool} --help".`)
      .replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (word) => flags.get(word) ?? word)
      .replace(/\b(Pass|Leave|Give|Drop|without|with|both|either) (\w+)\b/g, (whole, verb, word) =>
        flags.has(word) ? `${verb} ${flags.get(word)}` : whole,
      )
  return new KnowledgeError(error.code, said(error.message), said(error.hint))
}

function commandLine(name: string, given: string): string {
  const words = [...given.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', value = '']) =>
    key === 'id' ? shellWord(value) : `--${key.replaceAll('_', '-')} ${shellWord(value)}`,
  )
  return ['cairn', name, ...words].join(' ')
}
