/** The map as the page has it: the picture, its names, and who links to whom in both directions. */
import { decodeMap, type DrawnMap } from '../../../core/domain/map-format.ts'
import type { MapLabels } from '../../wire/wire.ts'
import { DoorError } from '../door.ts'
import { door } from '../state/app.ts'
import { incomingOf, type Walkable } from './walk.ts'

export interface Loaded extends Walkable {
  readonly map: DrawnMap
  readonly labels: MapLabels
  readonly nodeOf: ReadonlyMap<string, number>
  readonly folded: readonly string[]
}

/** Kept while the page is open: coming back to the map costs nothing. */
let kept: Loaded | undefined

export async function load(again = true): Promise<Loaded> {
  const [bytes, labels] = await Promise.all([
    door.bytes('graph'),
    door.read<MapLabels>('labels', {}),
  ])
  const map = decodeMap(bytes)
  if (!map || map.nodeCount !== labels.ids.length) {
    // The base changed between the two; once more, and they agree.
    if (again) return load(false)
    throw new DoorError(
      'conflict',
      'The map and its names do not belong together.',
      'Reload this page; the base changes faster than the map can be read.',
    )
  }
  kept = loadedOf(map, labels)
  return kept
}

export function loadedOf(map: DrawnMap, labels: MapLabels): Loaded {
  return {
    map,
    labels,
    incoming: incomingOf(map),
    nodeOf: new Map(labels.ids.map((id, node) => [id, node])),
    folded: labels.titles.map((title) => title.toLowerCase()),
  }
}

export function lastLoaded(): Loaded | undefined {
  return kept
}
