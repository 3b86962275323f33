/** The built program over stdio: official clients, and how it begins and ends. */
import { describe, expect, it, vi } from 'vitest'
import { CAIRN, cleanEnvironment, handbookCopy, startCairn } from '../support/cairn-process.ts'
import { SOON } from '../support/soon.ts'
import { converse, openSession } from '../support/stdio-session.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { describeConversations } from './conversation.ts'
import { generatedNotes } from './generated-notes.ts'

// More than the usual minute, for a machine that has much else to do.
vi.setConfig({ testTimeout: 300_000 })

describeConversations(async (folder) => ({
  target: {
    kind: 'stdio',
    command: {
      command: process.execPath,
      args: [CAIRN, 'serve', folder],
      env: cleanEnvironment(),
    },
  },
  // The client ends the process it started.
  stop: async () => {},
}))

describe('the process', () => {
  it('answers while the index is being built, and says so', async () => {
    // So many that they are not all read when the first question comes; it waits for nobody.
    const folder = temporaryFolder(generatedNotes(6_000))
    const started = startCairn(['serve', folder])
    const session = converse(started)
    const [, first] = await Promise.all([
      session.request('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'hasty', version: '1' },
      }),
      session.call('search', { query: 'harbour lantern' }),
    ])
    started.child.stdin.write(
      `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`,
    )
    expect(first.indexing).toEqual(expect.any(String))
    expect(first.error).toBeUndefined()
    await session.caughtUp()
    const later = await session.call('search', { query: 'harbour lantern' })
    expect(later).toMatchObject({ relevant: true })
    expect(later.indexing).toBeUndefined()
    const { summary } = await session.call('insights')
    expect(summary.documents).toBe(6_000)
  })

  it('ends with 0 and leaves nothing behind when stdin closes', async () => {
    const session = await openSession([handbookCopy()], { detached: true })
    await session.caughtUp()
    session.child.stdin.end()
    expect(await session.ended).toEqual({ code: 0, signal: null })
    // Nothing is left of its process group, so nobody is left to hold the base.
    expect(() => process.kill(-session.pid, 0)).toThrow('ESRCH')
    for (const message of session.messages()) expect(message).toMatchObject({ jsonrpc: '2.0' })
    expect(session.stdout().endsWith('\n')).toBe(true)
    expect(session.stderr()).toBe('')
  })

  it('ends at once when stdin closes before the index is built', async () => {
    const folder = temporaryFolder(generatedNotes(2_000))
    const session = await openSession([folder], { detached: true })
    session.child.stdin.end()
    expect(await session.ended).toEqual({ code: 0, signal: null })
    expect(() => process.kill(-session.pid, 0)).toThrow('ESRCH')
    expect(session.stderr()).toBe('')
  })

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('ends cleanly on %s', async (signal) => {
    const session = await openSession([handbookCopy()])
    await session.call('search', { query: 'tide' })
    session.child.kill(signal)
    expect(await session.ended).toEqual({ code: 0, signal: null })
    expect(session.stderr()).toBe('')
  })

  it('says nothing on stdout unless it is asked', async () => {
    const started = startCairn(['serve', handbookCopy()])
    const session = converse(started)
    started.child.stdin.write('this is no protocol\n')
    await vi.waitFor(() => expect(session.messages()).toHaveLength(1), SOON)
    expect(session.messages()[0]).toMatchObject({ jsonrpc: '2.0', error: { code: -32700 } })
    started.child.stdin.end()
    expect(await started.ended).toEqual({ code: 0, signal: null })
    expect(session.messages()).toHaveLength(1)
  })
})
