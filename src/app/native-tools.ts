/** What the native tools are called and take, for whoever makes commands or documents of them. */
import { definitionOf } from '../surfaces/tool.ts'
import { adminTool, feedbackTool } from '../surfaces/native/keeping-tools.ts'
import { nativeTools } from '../surfaces/native/tools.ts'

/** It is described, not called. */
const NO_BOX = { surfaces: async () => [] }

export function nativeToolDefinitions(): readonly ReturnType<typeof definitionOf>[] {
  return [...nativeTools, feedbackTool, adminTool(NO_BOX)].map(definitionOf)
}
