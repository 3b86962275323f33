/** What the native tools are called and take, for whoever makes commands or documents of them. */
import { definitionOf } from '../surfaces/tool.ts'
import { adminTool, feedbackTool } from '../surfaces/native/keeping-tools.ts'
import { nativeTools } from '../surfaces/native/tools.ts'

/** It is described, not called. */
const NO_BOX = { surfaces: async () => [] }

type Definition = ReturnType<typeof definitionOf>

/** What a server offers where nobody asks for more. */
export function nativeToolDefinitions(): readonly Definition[] {
  return nativeTools.map(definitionOf)
}

/** With those that are there for who asks for them. */
export function everyNativeTool(): readonly Definition[] {
  return [...nativeToolDefinitions(), ...[feedbackTool, adminTool(NO_BOX)].map(definitionOf)]
}
