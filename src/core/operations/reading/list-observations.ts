/** What is observed of a note's or an entity's subject, one by one. */
import type { DocumentRecord } from '../../domain/document.ts'
import { entityIdOf, isEntityPath } from '../../domain/entity-document.ts'
import { cutText } from '../../kit/cut-text.ts'
import { isNotePath } from '../../kit/paths.ts'
import { stepsInSlices } from '../../kit/slices.ts'
import { lineAt, lineStartsOf } from '../../parsing/lines.ts'
import {
  LONGEST_OBSERVATION,
  MOST_OBSERVATIONS,
  observing,
} from '../../parsing/markdown/observations.ts'
import type { Observation } from '../../parsing/markdown/observations.ts'
import type { View } from '../view/view.ts'
import { findLive } from './read-document.ts'

/** As the file is now, without its secrets; in its order. */
export async function listObservations(
  kb: View,
  record: DocumentRecord,
): Promise<readonly Observation[]> {
  const isEntity = isEntityPath(record.path)
  if (!isEntity && !isNotePath(record.path)) return []
  const live = await findLive(kb, record)
  if (!live) return []
  if (!isEntity) return stepsInSlices(observing(live.text))
  const graph = kb.sources.get(record.source)?.graph?.()
  const entity = graph?.findEntity(entityIdOf(record.path))
  return entity ? placed(live.text, graph!.observationsOf(entity)) : []
}

/** With the lines on which they begin in the entity's document. */
function placed(text: string, observations: readonly string[]): Observation[] {
  const starts = lineStartsOf(text)
  let from = text.indexOf('\n', text.indexOf('\n# ') + 1)
  return observations.slice(0, MOST_OBSERVATIONS).map((observation) => {
    const at = from < 0 ? -1 : text.indexOf(`\n${observation.trim()}`, from)
    // One that is not found ends the search: a long list is not looked through for each.
    from = at < 0 ? -1 : at + 1
    const said = { text: cutText(observation, LONGEST_OBSERVATION) }
    return at < 0 ? said : { ...said, line: lineAt(starts, at + 1) }
  })
}
