/** What every tool of this surface is made of. */
import { z } from 'zod'
import { rowsOf } from '../../serve/door/tool.ts'
import type { ToolRow } from '../../serve/door/tool.ts'
import { requiredText } from './fields.ts'
import type { Answer } from './present.ts'
import type { View } from '../../core/operations/view/view.ts'

export type RouxRow = ToolRow<z.ZodObject, View, any, Answer>
export const tool = rowsOf<View, Answer>()

export const idField = requiredText('id', 'Node id: the path of the note, such as "notes/tea.md"')
export const warned = { _warnings: z.array(z.string()).optional() }
