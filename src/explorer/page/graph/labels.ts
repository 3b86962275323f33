/** Which names can be written on the map without one covering another. */
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
}

export function placeLabels(options: LabelOptions): readonly Label[] {
  const { camera, size, places, order, nameOf, measure } = options
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
    if (left < 0 || labels.some((other) => overlaps(label, other))) continue
    labels.push(label)
  }
  return labels
}

export function overlaps(
  a: Omit<Label, 'node' | 'text'>,
  b: Omit<Label, 'node' | 'text'>,
): boolean {
  return (
    a.x < b.x + b.width + GAP &&
    b.x < a.x + a.width + GAP &&
    Math.abs(a.y - b.y) < LABEL_HEIGHT + GAP
  )
}
