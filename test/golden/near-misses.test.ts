/** A search says whether it found an answer, or only what stands nearest. */
import { join } from 'node:path'
import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { searchDocuments } from '../../src/core/operations/searching/search-documents.ts'
import { openTestBase } from '../support/open-test-base.ts'
import type { TestBase } from '../support/open-test-base.ts'

const HANDBOOK = join(import.meta.dirname, '../../examples/handbook')

let base: TestBase
beforeAll(async () => {
  const files = readdirSync(HANDBOOK, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.md'),
  )
  const cleanups: (() => void | Promise<void>)[] = []
  base = await openTestBase(
    Object.fromEntries(files.map((path) => [path, readFileSync(join(HANDBOOK, path), 'utf8')])),
    { learns: true, onFinished: (clean) => void cleanups.unshift(clean) },
  )
  return async () => {
    for (const clean of cleanups) await clean()
  }
})

it.each([
  // Words of it stand in notes about other things.
  ['How many people work in the office?', false],
  ['When was the company founded?', false],
  // Names that no note has.
  ['What does Zamunda deploy?', false],
  ['Which Kubernetes version runs in production at Contoso?', false],
  ['How do we roll back a release?', true],
  ['Who is on call at night?', true],
  ['How long do we keep backups?', true],
  ['how do I revert to the previous version after a bad upgrade', true],
])('%s → %s', async (question, relevant) => {
  expect((await searchDocuments(base.kb, question)).relevant).toBe(relevant)
})
