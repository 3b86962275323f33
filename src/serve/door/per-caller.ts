/**
 * A vocabulary for callers who do not all see the same. For each set of rules it is opened once, on
 * the part of the base that they leave; what a surface says, counts, suggests or announces is then
 * about that part, and no surface has to think of it.
 */
import type { Caller } from '../../core/domain/caller.ts'
import { KnowledgeError } from '../../core/domain/error.ts'
import { onePer } from '../../core/kit/one-per.ts'
import type { Knowledge } from '../../core/operations/view/knowledge.ts'
import { narrowBase } from '../../core/operations/view/narrow-base.ts'
import { unknownTool } from './serve-rows.ts'
import type { Prompts, Resources, Surface } from './surface.ts'

/** Opens something for a caller: the same thing for the same rules. */
export function forCallers<Opened>(
  base: Knowledge,
  open: (base: Knowledge) => Opened,
): (caller?: Caller) => Opened {
  const opened = onePer(open)
  return (caller) => opened(narrowBase(base, caller))
}

export function surfacePerCaller(openFor: (caller?: Caller) => Surface): Surface {
  const whole = openFor()
  const empty = emptySurface(whole)
  const of = (caller: Caller | undefined): Surface => {
    if (!caller) return whole
    try {
      return openFor(caller)
    } catch (error) {
      // Nothing of what this surface needs is seen.
      if (error instanceof KnowledgeError) return empty
      throw error
    }
  }
  return {
    ...whole,
    narrows: true,
    tools: (caller, asked) => of(caller).tools(caller, asked),
    names: (caller) => of(caller).names(caller),
    call: (name, args, call) => of(call.caller).call(name, args, call),
    ...(whole.resources && {
      resources: {
        templates: whole.resources.templates,
        list: (cursor, caller) => of(caller).resources!.list(cursor, caller),
        read: (uri, call) => of(call.caller).resources!.read(uri, call),
        complete: (template, variable, value, others, caller) =>
          of(caller).resources!.complete(template, variable, value, others, caller),
      } satisfies Resources,
    }),
    ...(whole.prompts && {
      prompts: {
        list: (cursor, caller) => of(caller).prompts!.list(cursor, caller),
        get: (name, args, call) => of(call.caller).prompts!.get(name, args, call),
        complete: (name, argument, value, others, caller) =>
          of(caller).prompts!.complete(name, argument, value, others, caller),
      } satisfies Prompts,
    }),
    subscribe: (listener, caller) => of(caller).subscribe(listener, caller),
  }
}

const NONE = { values: [], total: 0 }

function emptySurface(whole: Surface): Surface {
  return {
    ...whole,
    tools: () => [],
    names: () => [],
    async call(name) {
      throw unknownTool(name, [])
    },
    ...(whole.resources && {
      resources: {
        templates: whole.resources.templates,
        list: async () => ({ items: [] }),
        read: async () => undefined,
        complete: async () => NONE,
      },
    }),
    ...(whole.prompts && {
      prompts: {
        list: async () => ({ items: [] }),
        async get(name) {
          throw new KnowledgeError('not_found', `unknown prompt: ${name}`, '')
        },
        complete: async () => NONE,
      },
    }),
    subscribe: () => () => {},
  }
}
