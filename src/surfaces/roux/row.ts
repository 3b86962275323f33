/** What every tool of this surface is made of. */
import { z } from 'zod'
import type { ToolRow } from '../tool.ts'
import { requiredText } from './fields.ts'
import type { Answer } from './present.ts'
import type { RouxView } from './view.ts'

export type RouxRow<Input extends z.ZodObject = z.ZodObject> = ToolRow<Input, RouxView, Answer>

/** Lets each row keep the type of its own input. */
export function tool<Input extends z.ZodObject>(row: RouxRow<Input>): RouxRow {
  return row as unknown as RouxRow
}

export const idField = requiredText('id', 'Node id: the path of the note, such as "notes/tea.md"')
export const warned = { _warnings: z.array(z.string()).optional() }
