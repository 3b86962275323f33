/** Contract: what a server whose words we speak brings along. All of it is loaded when it is used. */
import type { Knowledge } from '../core/operations/view/knowledge.ts'
import type { View } from '../core/operations/view/view.ts'
import type { Command } from '../serve/cli/command.ts'
import type { Offering } from '../serve/wiring/start-serving.ts'
import type { OpenerOptions } from '../serve/wiring/surfaces.ts'

export interface Vocabulary {
  /** Its surface over a base, with the routes that it has besides MCP. */
  open(kb: Knowledge, options: OpenerOptions): Promise<Offering>
  /** Its commands: the one that is called as it is, or those that begin so. */
  commands(): Promise<readonly Command[]>
  /** What it sees of a base, for whoever looks whether every document has a name in it. */
  view?(kb: Knowledge): Promise<View>
}
