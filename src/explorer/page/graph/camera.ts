/** From the map to the screen and back. */

export interface Camera {
  /** The place on the map that is in the middle of the screen. */
  readonly x: number
  readonly y: number
  /** Pixels per unit of the map. */
  readonly scale: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

export const CLOSEST = 1
export const FARTHEST = 0.002

export function toScreen({ x, y, scale }: Camera, { width, height }: Size, place: Point): Point {
  return { x: (place.x - x) * scale + width / 2, y: (place.y - y) * scale + height / 2 }
}

export function toMap({ x, y, scale }: Camera, { width, height }: Size, point: Point): Point {
  return { x: (point.x - width / 2) / scale + x, y: (point.y - height / 2) / scale + y }
}

/** Zooms so that what is under the pointer stays there. */
export function zoomAt(camera: Camera, size: Size, point: Point, by: number): Camera {
  const scale = Math.max(FARTHEST, Math.min(CLOSEST, camera.scale * by))
  const under = toMap(camera, size, point)
  return {
    scale,
    x: under.x - (point.x - size.width / 2) / scale,
    y: under.y - (point.y - size.height / 2) / scale,
  }
}

export function moveBy({ x, y, scale }: Camera, dx: number, dy: number): Camera {
  return { scale, x: x - dx / scale, y: y - dy / scale }
}

const MARGIN = 40

/** Shows all of these places; `only` says which nodes count. */
export function fit(places: Int16Array, size: Size, only?: (node: number) => boolean): Camera {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
  for (let node = 0; 2 * node < places.length; node++) {
    if (only && !only(node)) continue
    left = Math.min(left, places[2 * node]!)
    right = Math.max(right, places[2 * node]!)
    top = Math.min(top, places[2 * node + 1]!)
    bottom = Math.max(bottom, places[2 * node + 1]!)
  }
  if (left > right) return { x: 0, y: 0, scale: 0.02 }
  const scale = Math.min(
    Math.max(50, size.width - 2 * MARGIN) / Math.max(1, right - left),
    Math.max(50, size.height - 2 * MARGIN) / Math.max(1, bottom - top),
    0.15,
  )
  return { x: (left + right) / 2, y: (top + bottom) / 2, scale: Math.max(FARTHEST, scale) }
}

/** The node nearest to a point, within so many pixels. */
export function nearest(
  places: Int16Array,
  camera: Camera,
  size: Size,
  point: Point,
  { within, hidden }: { readonly within: number; readonly hidden?: Uint8Array },
): number | undefined {
  const at = toMap(camera, size, point)
  let best: number | undefined
  let closest = (within / camera.scale) ** 2
  for (let node = 0; 2 * node < places.length; node++) {
    if (hidden && hidden[node] !== 0) continue
    const squared = (places[2 * node]! - at.x) ** 2 + (places[2 * node + 1]! - at.y) ** 2
    if (squared < closest) {
      closest = squared
      best = node
    }
  }
  return best
}
