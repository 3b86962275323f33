/** How much code, how many tests and documents does each subsystem have? */
import type { Artifact } from './model.ts'

export interface SubsystemCounts {
  readonly subsystem: string
  readonly sourceFiles: number
  readonly tests: number
  readonly documents: number
}

/** Of those that have files at all. */
export function countSubsystems(artifacts: readonly Artifact[]): SubsystemCounts[] {
  const named = artifacts.filter(({ subsystem }) => subsystem !== undefined)
  return [...Map.groupBy(named, ({ subsystem }) => subsystem!)].map(([subsystem, own]) => ({
    subsystem,
    sourceFiles: own.filter(({ type }) => type === 'code' || type === 'proto').length,
    tests: own.filter(({ type }) => type === 'test').length,
    documents: own.filter(({ type }) => type === 'doc').length,
  }))
}
