/** What every official client can do with the sample handbook, whichever wire and era it uses. */
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { copyHandbook } from '../support/cairn-process.ts'
import { removeFolder } from '../support/remove-folder.ts'
import { SOON } from '../support/soon.ts'
import { DRIVERS, type Driver, type Target } from '../transports/drivers.ts'

export interface Serving {
  readonly target: Target
  stop(): Promise<void>
}

/** `serve` starts the built program on a folder. */
export function describeConversations(serve: (folder: string) => Promise<Serving>): void {
  describe.each(DRIVERS)('$name', ({ open, protocol }) => {
    let folder: string
    let serving: Serving
    let driver: Driver

    beforeAll(async () => {
      folder = join(realpathSync(mkdtempSync(join(tmpdir(), 'cairn-test-'))), 'handbook')
      copyHandbook(folder)
      serving = await serve(folder)
      driver = await open(serving.target)
    })
    afterAll(async () => {
      await driver.close()
      await serving.stop()
      // A client does not wait for a server that it had to kill.
      removeFolder(resolve(folder, '..'))
    })

    /** The structured answer; the client has checked it against the tool's output schema. */
    const call = async (name: string, args: Record<string, unknown>): Promise<any> => {
      const result = await driver.client.callTool({ name, arguments: args })
      const [item, ...rest] = result.content as { text: string }[]
      expect(rest).toEqual([])
      // A model reads plain text, programs the structured result.
      expect(item!.text).not.toMatch(/^[[{]/)
      return result.structuredContent
    }
    const caughtUp = () =>
      vi.waitFor(async () => expect((await call('list', {})).indexing).toBeUndefined(), SOON)

    it('introduces itself', async () => {
      const { client } = driver
      expect(client.getServerVersion()).toMatchObject({ name: 'cairn', title: 'Cairn' })
      expect(client.getNegotiatedProtocolVersion?.() ?? protocol).toBe(protocol)
      const instructions = client.getInstructions() ?? ''
      expect(instructions).toContain('search with the user')
      expect(Buffer.byteLength(instructions)).toBeLessThan(2048)
      expect(client.getServerCapabilities()).toEqual({
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        completions: {},
      })
      const { prompts } = await client.listPrompts()
      expect(prompts.map(({ name }) => name)).toContain('weekly-review')
      await expect(client.getPrompt({ name: 'nope' })).rejects.toThrow()
    })

    it('lists the tools, each with schemas and with what it may do', async () => {
      const { tools } = await driver.client.listTools()
      expect(tools.map(({ name }) => name)).toEqual([
        'search',
        'fetch',
        'list',
        'neighbors',
        'path',
        'insights',
        'ask',
        'write',
        'delete',
        'history',
      ])
      for (const tool of tools) {
        const writes = ['write', 'delete', 'history'].includes(tool.name)
        expect(tool).toMatchObject({
          inputSchema: { type: 'object' },
          outputSchema: { type: 'object' },
          // What is left out is what the protocol takes for granted.
          annotations: writes
            ? { destructiveHint: true, openWorldHint: false }
            : { readOnlyHint: true, openWorldHint: false },
        })
      }
      expect(JSON.stringify(tools).length).toBeLessThan(10_000)
    })

    it('searches, and reads what was found', async () => {
      await caughtUp()
      const { results, relevant } = await call('search', { query: 'how do we roll back a release' })
      expect(relevant).toBe(true)
      expect(results[0]).toMatchObject({
        id: 'handbook/runbooks/roll-back-a-release.md',
        title: 'Roll back a release',
        url: 'kb://handbook/runbooks/roll-back-a-release.md',
        snippet: expect.stringContaining('release'),
        lines: expect.stringMatching(/^\d+-\d+$/),
      })
      const document = await call('fetch', { id: results[0].id })
      expect(document).toMatchObject({
        id: results[0].id,
        title: results[0].title,
        url: results[0].url,
        text: expect.stringContaining('Rolling back is never a failure'),
        metadata: { type: 'runbook', tags: ['runbook', 'release'] },
      })
      const section = await call('fetch', { id: 'Rollback', section: 'With a schema change' })
      expect(section.text).toMatch(/^## With a schema change\n/)
      expect(section.text).not.toContain('## After')
      // What means something like it is shown as soon as meaning is learned, and said to be beside it.
      const nothing = await call('search', { query: 'xylophone concerto' })
      expect(nothing).toMatchObject({ relevant: false })
    })

    it('lists, walks and reports', async () => {
      const runbooks = await call('list', { path: 'runbooks/', tags: ['runbook'] })
      expect(runbooks.total).toBe(runbooks.items.length)
      expect(idsOf(runbooks.items)).toContain('handbook/runbooks/release.md')

      const { neighbors } = await call('neighbors', { id: 'handbook/index.md', direction: 'out' })
      expect(idsOf(neighbors)).toContain('handbook/glossary.md')
      const { found, path } = await call('path', { from: 'Start here', to: 'ines-vidal' })
      expect(found).toBe(true)
      expect(path[0].id).toBe('handbook/index.md')
      expect(path.at(-1).id).toBe('handbook/people/ines-vidal.md')

      const answer = await call('ask', { question: 'What makes a release worse?' })
      expect(answer).toMatchObject({ mode: 'extractive', relevant: true })
      expect(answer.claims[0].citations[0]).toMatchObject({
        id: expect.stringMatching(/^handbook\//),
        lines: expect.stringMatching(/^\d+-\d+$/),
      })

      const overview = await call('insights', {})
      expect(overview.summary).toMatchObject({ documents: 33, skippedFiles: 0, failedFiles: 0 })
      const broken = await call('insights', { report: 'broken_links' })
      expect(broken.total).toBeGreaterThan(0)
      const coverage = await call('insights', { report: 'coverage' })
      expect(coverage.summary).toEqual({ indexed: 33, skipped: 0, failed: 0 })
    })

    it('tells mistakes to the model, with a way out', async () => {
      const result = await driver.client.callTool({ name: 'fetch', arguments: { id: 'roll bakc' } })
      expect(result.isError).toBe(true)
      const [item] = result.content as { text: string }[]
      expect(JSON.parse(item!.text).error).toMatchObject({
        code: 'not_found',
        hint: expect.any(String),
      })
      const bad = await driver.client.callTool({
        name: 'search',
        arguments: { query: 'tide', limit: -1 },
      })
      expect(bad.isError).toBe(true)
      await expect(driver.client.callTool({ name: 'nope' })).rejects.toMatchObject({ code: -32602 })
    })

    it('offers documents as resources', async () => {
      const { client } = driver
      const { resources } = await client.listResources()
      expect(resources).toHaveLength(33)
      const uri = 'kb://handbook/glossary.md'
      expect(resources.find((each) => each.uri === uri)).toMatchObject({
        title: 'Glossary',
        mimeType: 'text/markdown',
      })
      const { resourceTemplates } = await client.listResourceTemplates()
      const uriTemplate = resourceTemplates[0]!.uriTemplate
      expect(uriTemplate).toBe('kb://{source}/{+path}')
      const { contents } = await client.readResource({ uri })
      expect(contents).toMatchObject([{ uri, text: expect.stringContaining('Chart datum') }])
      await expect(client.readResource({ uri: 'kb://handbook/nope.md' })).rejects.toThrow()
      await expect(client.readResource({ uri: 'kb://handbook/../x.md' })).rejects.toThrow()
      const { completion } = await client.complete({
        ref: { type: 'ref/resource', uri: uriTemplate },
        argument: { name: 'path', value: 'runbooks/r' },
        context: { arguments: { source: 'handbook' } },
      })
      expect(completion.values).toContain('runbooks/roll-back-a-release.md')
      expect(completion.values.every((value) => value.startsWith('runbooks/r'))).toBe(true)
    })

    it('hears that a file was changed or added, and answers from it', async () => {
      const uri = 'kb://handbook/people/mara-lind.md'
      await driver.follow([uri])
      const file = join(folder, 'people/mara-lind.md')
      // Over HTTP the stream of an old client may open after the first edit, so it is repeated.
      await vi.waitFor(async () => {
        appendFileSync(file, '\nPlays the quokkaphone on Thursdays.\n')
        await vi.waitFor(() => expect(driver.told).toContain(`updated ${uri}`), 3_000)
      }, SOON)
      expect(idsOf((await call('search', { query: 'quokkaphone' })).results)).toEqual([
        'handbook/people/mara-lind.md',
      ])
      const { contents } = await driver.client.readResource({ uri })
      expect(contents).toMatchObject([{ text: expect.stringContaining('quokkaphone') }])

      const before = driver.told.filter((change) => change === 'resources').length
      mkdirSync(join(folder, 'harbours'))
      writeFileSync(join(folder, 'harbours/zanzibar.md'), '# Zanzibar\n\nA farther harbour.\n')
      await vi.waitFor(() => {
        const after = driver.told.filter((change) => change === 'resources').length
        expect(after).toBeGreaterThan(before)
      }, SOON)
      const { resources } = await driver.client.listResources()
      expect(resources.map((each) => each.uri)).toContain('kb://handbook/harbours/zanzibar.md')
      expect(driver.told.filter((change) => change.startsWith('updated'))).toEqual(
        expect.arrayContaining([`updated ${uri}`]),
      )
      expect(new Set(driver.told)).toEqual(new Set([`updated ${uri}`, 'resources']))
    })
  })
}

function idsOf(items: readonly { readonly id: string }[]): string[] {
  return items.map(({ id }) => id)
}
