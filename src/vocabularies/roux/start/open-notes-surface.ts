/** The roux surface over a base; whoever sees a part of it is answered from that part alone. */
import type { Knowledge } from '../../../core/operations/view/knowledge.ts'
import { forCallers, surfacePerCaller } from '../../../serve/door/per-caller.ts'
import type { Offering } from '../../../serve/wiring/start-serving.ts'
import type { OpenerOptions } from '../../../serve/wiring/surfaces.ts'
import { openRouxSurface } from '../open-roux-surface.ts'

export function openNotesSurface(kb: Knowledge, { door }: OpenerOptions): Offering {
  const open = (part: Knowledge) => openRouxSurface(part, door)
  return { surface: surfacePerCaller(forCallers(kb, open)) }
}
