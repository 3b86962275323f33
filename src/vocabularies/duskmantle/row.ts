/** A tool of this surface: a row that also says who may call it and what `km-help` tells of it. */
import { z } from 'zod'
import { rowsOf } from '../../serve/door/tool.ts'
import type { ToolRow } from '../../serve/door/tool.ts'
import type { Scope } from './settings.ts'
import type { Duskmantle } from './subject.ts'

export type Payload = Readonly<Record<string, unknown>>

export type DuskmantleRow = ToolRow<z.ZodObject, Duskmantle, any, Payload> & RowFacts

export interface RowFacts {
  readonly scope: Scope
  /** One line of `km-help`: arguments, defaults, limits, an example. */
  readonly details: string
}

const plain = rowsOf<Duskmantle, Payload>()

export function row<Input extends z.ZodObject, Result>(
  own: Omit<ToolRow<Input, Duskmantle, Result, Payload>, 'output' | 'access' | 'text'> & RowFacts,
): DuskmantleRow {
  const access = own.scope === 'maintainer' ? 'maintain' : 'read'
  return { ...own, ...plain({ ...own, access, output: ENVELOPE }) }
}

/** Every answer says how it went; the rest differs. */
const ENVELOPE = z.looseObject({ status: z.string() })
