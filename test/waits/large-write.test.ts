/** A large note is indexed beside the thread that answers, and found by the next call all the same. */
import { expect, it } from 'vitest'
import { startVictim } from './start-victim.ts'

it.each([
  ['', []],
  [' where nothing is watched', ['--no-watch']],
])('finds what was appended to a large note%s', { timeout: 600_000 }, async (_, more) => {
  const files = { 'large.md': '[[tea]] and more.\n'.repeat(20_000) }
  const victim = await startVictim(files, ['native'], { more })
  try {
    const call = async (tool: string, args: object): Promise<any> => {
      const response = await fetch(`${victim.url}/web/call/${tool}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-cairn': '1' },
        body: JSON.stringify(args),
      })
      return ((await response.json()) as { structured: unknown }).structured
    }
    const { id, digest } = await call('write', {
      action: 'append',
      id: 'notes/large.md',
      content: 'A lyrebird sang.',
    })
    expect(id).toBe('notes/large.md')
    await expect
      .poll(
        async () => (await call('search', { query: 'lyrebird', mode: 'lexical' })).results.length,
        {
          timeout: 150_000,
        },
      )
      .toBe(1)
    const fetched = await call('fetch', { id, lines: '1-1' })
    expect(fetched.digest).toBe(digest)
  } finally {
    await victim.close()
  }
})
