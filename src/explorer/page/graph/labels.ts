/** Which names can be written on the map without one covering another. */
import type { NamedRegion } from '../../wire/wire.ts'
import { toScreen, type Camera, type Size } from './camera.ts'

export interface Label {
  readonly node: number
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width: number
}

export const LABEL_HEIGHT = 16
const MOST = 50
const LONGEST = 34
const GAP = 4

export interface LabelOptions {
  readonly camera: Camera
  readonly size: Size
  readonly places: Int16Array
  /** Nodes by importance; those that do not fit are left out. */
  readonly order: Iterable<number>
  readonly nameOf: (node: number) => string
  readonly measure: (text: string) => number
  /** What stands there already. */
  readonly taken?: readonly Placed[]
}

type Placed = Omit<Label, 'node' | 'text'>

export function placeLabels(options: LabelOptions): readonly Label[] {
  const { camera, size, places, order, nameOf, measure, taken = [] } = options
  const labels: Label[] = []
  let tried = 0
  for (const node of order) {
    if (labels.length >= MOST || tried++ > 40 * MOST) break
    const place = { x: places[2 * node]!, y: places[2 * node + 1]! }
    const { x, y } = toScreen(camera, size, place)
    if (x < 0 || y < LABEL_HEIGHT || x > size.width || y > size.height - LABEL_HEIGHT) continue
    const name = nameOf(node)
    const text = name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name
    if (text === '') continue
    const width = measure(text)
    // To the right of its point, or to the left where there is no room.
    const left = x + 8 + width > size.width ? x - 8 - width : x + 8
    const label = { node, text, x: left, y, width }
    if (left < 0 || [...taken, ...labels].some((other) => overlaps(label, other))) continue
    labels.push(label)
  }
  return labels
}

export interface RegionsOptions extends Pick<LabelOptions, 'camera' | 'size' | 'measure'> {
  readonly regions: readonly NamedRegion[]
}

/** A region is named while one sees it as a whole, and more of it than a few points. */
const LEAST_RADIUS = 18
const MOST_OF_VIEW = 0.6

/** Names of regions in their middle, the largest first. */
export function placeRegions({ camera, size, regions, measure }: RegionsOptions) {
  const labels: (Omit<Label, 'node'> & { readonly size: number })[] = []
  // On a phone a long name would cover the whole map.
  const longest = Math.min(LONGEST, Math.max(12, Math.round(size.width / 22)))
  for (const { name, x: middle, y: height, radius, size: count } of regions) {
    const wide = radius * camera.scale
    if (wide < LEAST_RADIUS || wide > MOST_OF_VIEW * Math.min(size.width, size.height)) continue
    const { x, y } = toScreen(camera, size, { x: middle, y: height })
    const text = name.length > longest ? `${name.slice(0, longest - 1).trimEnd()}…` : name
    const width = measure(text)
    const label = { text, x: x - width / 2, y, width, size: count }
    if (label.x < 0 || label.x + width > size.width) continue
    if (y < LABEL_HEIGHT || y > size.height - LABEL_HEIGHT) continue
    if (text !== '' && !labels.some((other) => overlaps(label, other))) labels.push(label)
  }
  return labels
}

export function overlaps(a: Placed, b: Placed): boolean {
  return (
    a.x < b.x + b.width + GAP &&
    b.x < a.x + a.width + GAP &&
    Math.abs(a.y - b.y) < LABEL_HEIGHT + GAP
  )
}
