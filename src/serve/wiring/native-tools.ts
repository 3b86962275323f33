/** What the native tools are called and take, for whoever makes commands or documents of them. */
import { definitionOf, schemaOf } from '../door/tool.ts'
import { everyKeepingRow } from '../../keep/tools/native-rows.ts'
import { nativeTools } from '../native/tools.ts'

type Definition = ReturnType<typeof definitionOf>

/** What a server offers where nobody asks for more. */
export function nativeToolDefinitions(): readonly Definition[] {
  return nativeTools.map(definitionOf)
}

const all = () => [...nativeTools, ...everyKeepingRow()]

/** With those that are there for whoever asks for them. */
export function everyNativeTool(): readonly Definition[] {
  return all().map(definitionOf)
}

/** The same for commands, of which one is run: what a tool takes is worked out when it is asked. */
export function toolsForCommands() {
  return all().map(({ name, title, description, input }) => ({
    name,
    title,
    description,
    get inputSchema() {
      return schemaOf(input)
    },
  }))
}
