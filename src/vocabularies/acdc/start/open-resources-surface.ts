/** The acdc surface over a base without a config file of its own: notes that say what they are. */
import { VERSION } from '../../../core/kit/version.ts'
import { awaitIndex } from '../../../core/operations/view/await-index.ts'
import type { Knowledge } from '../../../core/operations/view/knowledge.ts'
import { forCallers, surfacePerCaller } from '../../../serve/door/per-caller.ts'
import type { Offering } from '../../../serve/wiring/start-serving.ts'
import type { OpenerOptions } from '../../../serve/wiring/surfaces.ts'
import { openAcdcSurface } from '../open-acdc-surface.ts'
import { DEFAULT_SEARCH } from '../search-settings.ts'
import { BY_SOURCE } from '../uris.ts'

const SERVER = {
  name: 'cairn',
  version: VERSION,
  instructions:
    'Search the curated resources before you write or review something, and read what you find.',
}

export function openResourcesSurface(
  kb: Knowledge,
  { door, log, caughtUp }: OpenerOptions,
): Offering {
  const open = (part: Knowledge) =>
    openAcdcSurface(part, {
      server: SERVER,
      layout: 'notes',
      naming: BY_SOURCE,
      sources: [...part.sources.keys()].map((name) => ({ name, description: '' })),
      descriptions: new Map(),
      search: DEFAULT_SEARCH,
      // A list of resources has no words for what is missing from it.
      ready: caughtUp ?? awaitIndex(kb),
      warn: (message) => log('warn', message),
      ...door,
    })
  return { surface: surfacePerCaller(forCallers(kb, open)), speaksSse: true }
}
