/**
 * Resources and prompts pass the door too: who may read them, how long that takes, and every text of
 * theirs made safe on its way out.
 */
import { mayRead } from '../../core/domain/caller.ts'
import { KnowledgeError } from '../../core/domain/error.ts'
import { safely, safeValue } from './safe-result.ts'
import { withinTime } from './steps.ts'
import type { CallContext, ResourceContents, Surface } from './surface.ts'

const READ_MS = 120_000

export type Reading = ReturnType<typeof openReading>

/** For the parts that the surface has; whoever offers them has looked. */
export function openReading({ resources, prompts }: Surface) {
  return {
    templates: (call: CallContext) => enter(call, () => resources!.templates),
    async list(cursor: string | undefined, call: CallContext) {
      const page = await enter(call, () => resources!.list(cursor, call.caller))
      return { ...page, items: safeIn(call, page.items) }
    },
    async read(uri: string, call: CallContext) {
      const contents = await enter(call, () => resources!.read(uri, call))
      return contents?.map((each) => safeContents(each, call))
    },
    async prompts(cursor: string | undefined, call: CallContext) {
      const page = await enter(call, () => prompts!.list(cursor, call.caller))
      return { ...page, items: safeIn(call, page.items) }
    },
    async prompt(name: string, args: Readonly<Record<string, string>>, call: CallContext) {
      return safeIn(call, await enter(call, () => prompts!.get(name, args, call)))
    },
    /** Values for one argument of a prompt, or for one variable of a template. */
    async complete(of: 'resources' | 'prompts', args: Completing, call: CallContext) {
      const completes = of === 'prompts' ? prompts! : resources!
      return safeIn(call, await enter(call, () => completes.complete(...args, call.caller)))
    },
  }
}

type Completing = [
  name: string,
  argument: string,
  value: string,
  others: Readonly<Record<string, string>>,
]

async function enter<Result>(
  { caller, signal }: CallContext,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  if (mayRead(caller)) return withinTime(READ_MS, signal, work)
  throw new KnowledgeError(
    'forbidden',
    `${caller!.principal} may not read: it needs the permission "read".`,
    'Ask whoever runs this server for a token that has it.',
  )
}

function safeIn<Value>(call: CallContext, value: Value): Value {
  return safeValue(value, safely(call)) as Value
}

/** Bytes are no text, and nothing in a program of ours is shown as anything else than it is. */
function safeContents(content: ResourceContents, call: CallContext): ResourceContents {
  const { text, blob, isProgram = false } = content
  const uri = safeIn(call, content.uri)
  if (text === undefined || blob !== undefined || isProgram) return { ...content, uri }
  return { ...content, uri, text: safeIn(call, text) }
}
