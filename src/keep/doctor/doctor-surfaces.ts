/** What each vocabulary sees of a base, and which documents have no name in it. */
import type { SurfaceName } from '../../serve/config/config.ts'
import { documentId } from '../../core/domain/document.ts'
import type { Knowledge } from '../../core/operations/view/knowledge.ts'
import { wholeView } from '../../core/operations/view/view.ts'
import { VOCABULARIES } from '../../vocabularies/vocabularies.ts'
import type { Finding } from './doctor.ts'

export async function examineSurfaces(
  kb: Knowledge,
  surfaces: readonly SurfaceName[],
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const name of surfaces) {
    const view = name === 'native' ? wholeView(kb) : await VOCABULARIES[name].view?.(kb)
    if (!view) continue
    const { all, unnamed } = await view.names.now()
    const clashes = unnamed.filter(({ by }) => by !== undefined)
    findings.push({ level: 'ok', what: `${name} sees ${all.length} documents.` })
    const [first] = clashes
    if (!first) continue
    findings.push({
      level: 'warning',
      what: `${name}: ${clashes.length} documents have a name that another one has, such as ${documentId(first)} and ${documentId(first.by!)}.`,
      fix: `cairn write move "${documentId(first)}" --to another-name.md`,
    })
  }
  return findings
}
