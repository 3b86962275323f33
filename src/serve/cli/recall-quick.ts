/**
 * The short way of a hook to a server that runs: without the command line and everything behind it,
 * because a prompt waits for it. Whatever is not plain goes the long way.
 */
import { HOOK_CLIENTS, HOOK_MOMENTS } from '../../keep/clients/hooks.ts'
import { askServer } from '../../keep/recall/recall-door.ts'
import { promptIn } from './hook-input.ts'

/** What is left to do; undefined where the client has its answer. */
export async function quickRecall(
  words: readonly string[],
): Promise<{ readonly piped: string | undefined } | undefined> {
  const valueOf = (flag: string): string | undefined => {
    const at = words.indexOf(flag)
    return at < 0 ? undefined : words[at + 1]
  }
  const client = HOOK_CLIENTS.find(({ id }) => id === valueOf('--hook'))
  const moment = HOOK_MOMENTS.find((each) => each === valueOf('--moment'))
  const [state, tokens] = [valueOf('--at'), Number(valueOf('--max-tokens'))]
  const isPlain = client && state !== undefined && Number.isSafeInteger(tokens)
  if (!isPlain || (moment !== 'start' && moment !== 'prompt')) return { piped: undefined }
  const piped = await standardInput()
  const request = { moment, prompt: promptIn(piped).prompt, tokens } as const
  // Whoever says how long to wait waits so long for a server as well.
  const text = await askServer(state, request, Number(valueOf('--wait')) || undefined)
  if (text === undefined) return { piped }
  const answer =
    text === '' ? '' : `${JSON.stringify(client.answer(client.events[moment] ?? '', text))}\n`
  await new Promise<void>((done) => process.stdout.write(answer, () => done()))
  return undefined
}

async function standardInput(): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of process.stdin) parts.push(Buffer.from(part as Buffer))
  return Buffer.concat(parts).toString('utf8')
}
