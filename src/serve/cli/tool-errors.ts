/** Errors of tools speak of arguments and calls; a person at a shell has options and commands. */
import { KnowledgeError } from '../../core/domain/error.ts'
import type { OptionTable } from './command.ts'
import { shellWord } from './shell-words.ts'

/** What is said to everybody, and how a shell says it. */
const PHRASES: readonly (readonly [pattern: RegExp, said: string])[] = [
  [
    /Find the document with search or list, and pass the id they return\./,
    'Find it with "cairn search WORDS" or "cairn list".',
  ],
  [
    /Pass (an id|one of these ids|the URI)( in full)? as (search or list returned it|it was returned|it is spelled)(, such as ("[^"]*"))?\./,
    'Name it by its path, id, title or alias; "cairn list" shows them.',
  ],
  [/Pass one of these ids in full\./, 'Write one of them in full.'],
  [
    /Pass next_cursor exactly as the previous reply gave it[^.]*\./,
    'Run the line that was printed behind "More:", or leave --cursor out to begin again.',
  ],
  [/Use history with action list to see ([^.]*)\./, 'See "cairn history" for $1.'],
  [/, or look at history with action diff and edit by hand\./, ', or edit by hand.'],
  [/Call it again with ([\w-]+) filled in\./, 'Add $1.'],
  [/^(\w+) with action (\w+) needs ([\w-]+)\./, 'cairn $1 $2 needs $3.'],
  [/Fetch the document again, repeat/, 'Read the document again ("cairn fetch"), repeat'],
  [/Fetch the document and pass the text/, 'Read the document ("cairn fetch") and give the text'],
  [/, and pass the new digest\./, '.'],
  [/or use a tool that needs no embedding/, 'or search with --mode lexical'],
  [/Pass the text to be replaced in "find"\./, 'Give the text to be replaced with --find.'],
]

/** For errors of every command. */
export function inShellPhrases(text: string): string {
  return PHRASES.reduce((said, [pattern, phrase]) => said.replace(pattern, phrase), text)
}

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
  // What is no option is a word of the line, and help writes those in capitals.
  const labelOf = (argument: string): string => flags.get(argument) ?? argument.toUpperCase()
  const said = (text: string): string =>
    inShellPhrases(
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
        .replace(
          /(?<=: |; )(\w+): (?:Invalid option: expected one of ("[^.]*")|(?=must ))/g,
          (_, argument: string, choices?: string) =>
            choices === undefined
              ? `${labelOf(argument)} `
              : `${labelOf(argument)} must be one of ${choices.replaceAll('"', '').replaceAll('|', ', ')}`,
        )
        .replace(/(?<=^\w+ with action \w+ needs )(\w+)/, labelOf)
        .replace(/(?<=^Call it again with )(\w+)/, labelOf)
        .replace(
          /^It needs ([\w, ]+)\./,
          (_, all: string) => `It needs ${all.split(', ').map(labelOf).join(', ')}.`,
        )
        .replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (word) => flags.get(word) ?? word)
        .replace(
          /\b(Pass|Leave|Give|Drop|without|with|both|either|Both|and) (\w+)\b/g,
          (whole, verb, word) => (flags.has(word) ? `${verb} ${flags.get(word)}` : whole),
        ),
    )
  return new KnowledgeError(error.code, said(error.message), said(error.hint))
}

function commandLine(name: string, given: string): string {
  const words = [...given.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', value = '']) =>
    key === 'id' ? shellWord(value) : `--${key.replaceAll('_', '-')} ${shellWord(value)}`,
  )
  return ['cairn', name, ...words].join(' ')
}
