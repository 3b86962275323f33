/** The nexus surface over a base. Its routes over HTTP look at the same pages as its tools. */
import type { Knowledge } from '../../../core/operations/view/knowledge.ts'
import { forCallers, surfacePerCaller } from '../../../serve/door/per-caller.ts'
import type { Offering } from '../../../serve/wiring/start-serving.ts'
import type { OpenerOptions } from '../../../serve/wiring/surfaces.ts'
import { openNexus } from '../open-nexus.ts'

export function openWikiSurface(
  kb: Knowledge,
  { door, answerer, nexus: config }: OpenerOptions,
): Offering {
  const answer = answerer?.answer.bind(answerer)
  const nexusFor = forCallers(kb, (part) =>
    openNexus(part, { ...door, settings: config?.settings, answer }),
  )
  const surface = surfacePerCaller((caller) => nexusFor(caller).surface)
  return {
    surface,
    async routes() {
      const { nexusMount } = await import('../routes/nexus-mount.ts')
      const mount = { nexusFor, surface, password: config?.password, onBug: door.log }
      return [nexusMount(nexusFor(), mount)]
    },
  }
}
