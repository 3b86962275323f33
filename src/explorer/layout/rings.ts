/** Puts discs one after the other on rings around a middle, each ring outside the one before. */

export interface Rings {
  /** Where the next ring begins. */
  inner: number
  /** How wide the ring is on which discs are being put, and how far around it they are. */
  width: number
  turned: number
  /** The outermost border of everything that was put. */
  outer: number
}

export function ringsFrom(inner: number): Rings {
  return { inner, width: 0, turned: 0, outer: inner }
}

/** The middle of the next free place for a disc of this radius. Discs should come largest first. */
export function placeRing(
  rings: Rings,
  radius: number,
): { readonly x: number; readonly y: number } {
  const fits = (): boolean => {
    const angle = angleOf(rings.inner + rings.width / 2, radius)
    return rings.width > 0 && rings.turned + angle <= 2 * Math.PI && 2 * radius <= rings.width
  }
  if (!fits()) {
    rings.inner += rings.width
    rings.width = 2 * radius
    rings.turned = 0
  }
  const distance = rings.inner + rings.width / 2
  const angle = angleOf(distance, radius)
  const at = rings.turned + angle / 2
  rings.turned += angle
  rings.outer = Math.max(rings.outer, rings.inner + rings.width)
  // The very middle holds one disc, without an angle.
  if (rings.inner === 0 && distance <= radius) {
    rings.turned = 2 * Math.PI
    return { x: 0, y: 0 }
  }
  return { x: distance * Math.cos(at), y: distance * Math.sin(at) }
}

/** How far around a disc reaches, seen from the middle. */
function angleOf(distance: number, radius: number): number {
  return distance <= radius ? 2 * Math.PI : 2 * Math.asin(radius / distance)
}
