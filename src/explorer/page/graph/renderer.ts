/**
 * Draws the map. Two ways, one contract: a graphics card draws faster, and not every machine has
 * one.
 */
import type { DrawnMap } from '../../../core/domain/map-format.ts'
import type { Camera, Size } from './camera.ts'

export interface Scene {
  readonly map: DrawnMap
  readonly camera: Camera
  readonly size: Size
  /** Colour of every node, an index into the palette. */
  readonly colour: Uint8Array
  readonly palette: readonly Rgb[]
  readonly edge: Rgb
  readonly ground: Rgb
  /** 1 for nodes that stay lit while the others fade; undefined when nothing fades. */
  readonly lit: Uint8Array | undefined
  /** 1 for nodes that are not drawn. */
  readonly hidden: Uint8Array
  /** Only links of this type are drawn; all where it is undefined. */
  readonly type: number | undefined
  /** While the camera moves, less is drawn. */
  readonly moving: boolean
}

export type Rgb = readonly [red: number, green: number, blue: number]

export interface Renderer {
  readonly kind: 'webgl' | 'canvas'
  draw(scene: Scene): void
  /** Waits until it is drawn: commands for a card return before that. */
  finish(): void
  dispose(): void
}

/** Links drawn while the map moves; more would make it stutter without a graphics card. */
export const MOVING_LINKS = 6_000
/** Above this many, small nodes are left out while it moves. */
export const MOVING_NODES = 30_000

/** Larger for whoever has many links, smaller where many share the room. */
export function radiusOf(degree: number, scale: number, nodeCount: number): number {
  const room = (scale * 48_000) / Math.sqrt(Math.max(1, nodeCount))
  const crowd = Math.max(0.42, Math.min(1.5, room / 12))
  return Math.max(0.9, Math.min(9, (1.2 + Math.sqrt(degree) * 0.75) * crowd))
}

export function edgeAlpha(links: number, lit: boolean): number {
  const crowd = links > 20_000 ? 0.1 : links > 3_000 ? 0.18 : 0.35
  return lit ? Math.min(0.8, crowd * 3) : crowd
}
