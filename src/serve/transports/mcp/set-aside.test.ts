import { expect, it } from 'vitest'
import { createKeptReplies } from '../../door/kept-replies.ts'
import type { ToolResult } from '../../door/surface.ts'
import { type SetAside, setAside, settingAside, withSetAside } from './set-aside.ts'

const NEW: ToolResult = { texts: ['"Tea"\nand 🫖'], structured: { results: [{ id: 'tea.md' }] } }
const LONG: ToolResult = { texts: ['"🫖'.repeat(200_000)], structured: { results: ['é'] } }

async function kept(answer: ToolResult): Promise<ToolResult> {
  const replies = createKeptReplies()
  const question = { key: 'tea', subject: {} }
  replies.keep(question, { again: async () => true }, answer)
  const call = { signal: new AbortController().signal, progress: () => {} }
  return (await replies.find(question, call))!
}

/** What the message says, and what is sent. */
function sent(result: ToolResult) {
  const aside: SetAside = new Map()
  const message = settingAside(aside, () => JSON.stringify({ id: 1, result: setAside(result) }))
  const parts = [...withSetAside(Buffer.from(message), aside)]
  return { message, bytes: Buffer.concat(parts).toString(), parts, left: aside.size }
}

it.each<[string, () => ToolResult | Promise<ToolResult>, boolean]>([
  ['a short one inside', () => NEW, false],
  ['a long one beside', () => LONG, true],
  ['one that is given again beside', () => kept(NEW), true],
  ['one without a value', () => kept({ texts: ['é'] }), true],
  ['one without texts', () => kept({ texts: [], structured: { a: 1 } }), true],
])('sends %s its message, the same to the byte', async (_, make, isBeside) => {
  const result = await make()
  const whole = JSON.stringify({ id: 1, result })
  for (const { message, bytes, left } of [sent(result), sent(result)]) {
    expect(message === whole).toBe(!isBeside)
    expect(bytes === whole).toBe(true)
    expect(left).toBe(0)
  }
})

it('sends what is short in one part, and what is long in several', async () => {
  expect(sent(await kept(NEW)).parts).toHaveLength(1)
  expect(sent(LONG).parts.length).toBeGreaterThan(5)
})

it('gives a result as it is where nobody takes what is beside it', async () => {
  const again = await kept(NEW)
  expect(setAside(again)).toBe(again)
})

it('sends the same twice where it is asked twice in one exchange', async () => {
  const again = await kept(NEW)
  const aside: SetAside = new Map()
  const message = settingAside(aside, () => JSON.stringify([setAside(again), setAside(again)]))
  const bytes = Buffer.concat([...withSetAside(Buffer.from(message), aside)])
  expect(bytes.toString()).toBe(JSON.stringify([again, again]))
})
