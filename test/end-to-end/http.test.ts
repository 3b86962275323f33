/** The built program over HTTP: official clients, and how it begins and ends. */
import { describe, expect, it, vi } from 'vitest'
import {
  type CairnProcess,
  endCairn,
  handbookCopy,
  spawnCairn,
  startCairn,
} from '../support/cairn-process.ts'
import { SOON } from '../support/soon.ts'
import { describeConversations } from './conversation.ts'

/** The address it prints as JSON once it listens. */
async function announcedUrl(started: CairnProcess): Promise<URL> {
  const line = await vi.waitFor(() => {
    const [first = '', ...rest] = started.stdout().split('\n')
    if (rest.length === 0) throw new Error(`no address yet: ${started.stderr()}`)
    return first
  }, SOON)
  return new URL(JSON.parse(line).url)
}

describeConversations(async (folder) => {
  const started = spawnCairn(['serve', folder, '--http', '0', '--json'])
  const url = await announcedUrl(started)
  return { target: { kind: 'http', url }, stop: () => endCairn(started) }
})

describe('the process', () => {
  it('prints what to paste into a client, and listens on this machine only', async () => {
    const started = startCairn(['serve', handbookCopy(), '--http', '0', '--json'])
    const url = await announcedUrl(started)
    expect([url.hostname, url.pathname]).toEqual(['127.0.0.1', '/mcp'])
    // Another pipe, which may be read later.
    await expect.poll(started.stderr).toContain(`claude mcp add --transport http cairn ${url}`)
    expect((await fetch(new URL('/health', url))).status).toBe(200)
    const foreign = await fetch(url, {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
    })
    expect(foreign.status).toBe(403)
  })

  it.each(['SIGTERM', 'SIGINT'] as const)('ends with 0 on %s', async (signal) => {
    const started = startCairn(['serve', handbookCopy(), '--http', '0', '--json'], {
      detached: true,
    })
    await announcedUrl(started)
    started.child.kill(signal)
    expect(await started.ended).toEqual({ code: 0, signal: null })
    expect(() => process.kill(-started.pid, 0)).toThrow('ESRCH')
    expect(started.stderr()).not.toMatch(/error|warn/)
  })

  it('goes on when stdin is closed: it is a service, not a child of a client', async () => {
    const started = startCairn(['serve', handbookCopy(), '--http', '0', '--json'])
    started.child.stdin.end()
    const url = await announcedUrl(started)
    expect((await fetch(new URL('/health', url))).status).toBe(200)
  })
})
