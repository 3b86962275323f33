/** Recall on judged prompts: a page that is named is heard, and what nobody means says nothing. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Place } from '../../src/core/domain/document.ts'
import { estimateTokens } from '../../src/core/operations/reading/tokens.ts'
import { viewFor } from '../../src/core/operations/view/view.ts'
import { recallFor } from '../../src/keep/recall/recall.ts'
import { openSmallBase } from '../support/open-small-base.ts'
import { LANGUAGES } from './languages.ts'
import { HANDBOOK_PROMPTS, LANGUAGES_PROMPTS, STUDIO_PROMPTS } from './prompts.ts'
import { STUDIO } from './studio.ts'

const HANDBOOK = resolve(import.meta.dirname, '../../examples/handbook')
const TOKENS = 400

function readHandbook(): Record<string, string> {
  const files = readdirSync(HANDBOOK, { recursive: true, encoding: 'utf8' })
  const notes = files.filter((path) => path.endsWith('.md'))
  return Object.fromEntries(
    notes.map((path) => [path.replaceAll('\\', '/'), readFileSync(join(HANDBOOK, path), 'utf8')]),
  )
}

const BASES = [
  { files: readHandbook(), prompts: HANDBOOK_PROMPTS },
  { files: STUDIO, prompts: STUDIO_PROMPTS },
  { files: LANGUAGES, prompts: LANGUAGES_PROMPTS },
]
const all = BASES.flatMap(({ prompts }) => prompts)
const named = all.filter(({ page }) => page !== undefined)

/** What went wrong, a line each. */
async function failures() {
  const [unheard, spoken]: [string[], string[]] = [[], []]
  for (const { files, prompts } of BASES) {
    const { kb, state } = await openSmallBase(files, { learns: true })
    for (const { prompt, page } of prompts) {
      const text = await recallFor(kb, state, { moment: 'prompt', prompt, tokens: TOKENS })
      if (page !== undefined && !text.includes(page)) unheard.push(`${prompt} -> ${page}`)
      if (page === undefined && text !== '') spoken.push(`${prompt}: ${text.split('\n')[2]}`)
    }
  }
  return { unheard, spoken }
}

describe('recall on judged prompts', () => {
  it('is asked enough, half of it in vain', () => {
    expect(all.length).toBeGreaterThanOrEqual(200)
    expect(Math.abs(named.length / all.length - 0.5)).toBeLessThanOrEqual(0.05)
  })

  it('hears the page that a prompt names, and is silent on what nothing answers', async () => {
    const { unheard, spoken } = await failures()
    expect(unheard.length / named.length, unheard.join('\n')).toBeLessThanOrEqual(0.05)
    expect(spoken.length / (all.length - named.length), spoken.join('\n')).toBeLessThanOrEqual(0.01)
  })
})

describe('recall by name', () => {
  it('shows several that are named, within the budget', async () => {
    const { kb, state } = await openSmallBase(STUDIO)
    const recalled = (prompt: string, tokens: number) =>
      recallFor(kb, state, { moment: 'prompt', prompt, tokens })
    const text = await recalled('compare Tidepool, Kestrel, Bluefin and the Meridian rollout', 400)
    for (const page of ['Tidepool', 'Kestrel', 'Bluefin', 'Meridian rollout']) {
      expect(text).toContain(`projects/${page}.md`)
    }
    const short = await recalled('compare Tidepool, Kestrel, Bluefin and the Meridian rollout', 160)
    expect(estimateTokens(short)).toBeLessThan(200)
  })

  it('names only what the caller sees', async () => {
    const { base, state } = await openSmallBase(STUDIO)
    const request = { moment: 'prompt', prompt: 'how is kestrel doing?', tokens: 400 } as const
    const recalledBy = (sees: (place: Place) => boolean) =>
      recallFor(viewFor(base, { principal: 'reader', may: ['read'], sees }), state, request)
    expect(await recalledBy(({ path }) => !path.startsWith('projects/'))).toBe('')
    expect(await recalledBy(() => true)).toContain('projects/Kestrel.md')
  })

  it('looks at the beginning of a prompt of very many names', async () => {
    const files = Array.from({ length: 2_000 }, (_, no) => [`n${no}.md`, `# Zorblatt${no}\n`])
    const { kb, state } = await openSmallBase(Object.fromEntries(files))
    const prompt = Array.from({ length: 10_000 }, (_, no) => `Zorblatt${no % 2_000}`).join(' ')
    const text = await recallFor(kb, state, { moment: 'prompt', prompt, tokens: 400 })
    expect(text).toContain('n0.md')
    expect(estimateTokens(text)).toBeLessThan(450)
  })
})
