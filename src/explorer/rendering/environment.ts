/** What one rendering carries along. */
import type { Surroundings } from './targets.ts'

export interface Environment extends Record<PropertyKey, unknown> {
  readonly around: Surroundings
  /** Lines of the document before the text that is being rendered. */
  lineOffset: number
  readonly headings: RenderedHeading[]
  readonly anchors: Set<string>
  readonly footnotes: Footnotes
}

export interface RenderedHeading {
  readonly level: number
  readonly text: string
  readonly anchor: string
  readonly line: number
}

export interface Footnotes {
  /** What is written behind `[^label]:`, and on which line. */
  readonly texts: Map<string, { readonly text: string; readonly line: number }>
  /** In the order in which they are first referred to, with how often. */
  readonly used: Map<string, number>
}

export function newEnvironment(around: Surroundings, lineOffset: number): Environment {
  return {
    around,
    lineOffset,
    headings: [],
    anchors: new Set(),
    footnotes: { texts: new Map(), used: new Map() },
  }
}

export function environmentOf(env: unknown): Environment {
  return env as Environment
}

export function surroundingsOf(env: unknown): Surroundings {
  return environmentOf(env).around
}
