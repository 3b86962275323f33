/** What the native tools are called and take, for whoever makes commands or documents of them. */
import { definitionOf } from '../surfaces/tool.ts'
import { nativeTools } from '../surfaces/native/tools.ts'

export function nativeToolDefinitions(): readonly ReturnType<typeof definitionOf>[] {
  return nativeTools.map(definitionOf)
}
