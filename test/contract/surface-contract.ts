/** What every surface promises, whatever its words. A surface is done when this passes. */
import { describe, expect, it } from 'vitest'
import type { Caller } from '../../src/core/domain/caller.ts'
import { KnowledgeError } from '../../src/core/domain/error.ts'
import type { CallContext, Surface } from '../../src/serve/door/surface.ts'

export interface OpenedSurface {
  readonly surface: Surface
  /** What must never reach a client. */
  readonly bugs: unknown[]
}

export interface SurfaceOpeners {
  open(options?: { readonly readOnly?: boolean }): Promise<OpenedSurface>
  /** Over a store whose every answer is this error. */
  openBroken(error: Error): Promise<OpenedSurface>
}

const READER: Caller = { principal: 'reader', may: ['read'] }

function context(caller?: Caller): CallContext {
  const { signal } = new AbortController()
  return { signal, progress: () => {}, client: 'contract/1', ...(caller && { caller }) }
}

/** A result, or what was thrown for the client to see. */
async function said(surface: Surface, tool: string, args: unknown, caller?: Caller) {
  try {
    const result = await surface.call(tool, args, context(caller))
    return { isError: result.isError ?? false, text: result.texts.join('\n'), result }
  } catch (error) {
    if (!(error instanceof KnowledgeError)) throw error
    return { isError: true, text: `${error.code}: ${error.message}`, result: undefined }
  }
}

export function describeSurface(name: string, { open, openBroken }: SurfaceOpeners): void {
  describe(`the ${name} surface`, () => {
    it('introduces itself in less than 2 KB', async () => {
      const { surface } = await open()
      expect(surface.name).toBe(name)
      expect(surface.serverInfo.name).not.toBe('')
      expect(Buffer.byteLength(surface.instructions ?? '')).toBeLessThan(2_048)
    })

    it('lists the same tools in the same order, each with schema and annotations', async () => {
      const { surface } = await open()
      const again = (await open()).surface
      expect(JSON.stringify(surface.tools())).toBe(JSON.stringify(again.tools()))
      const names = surface.tools().map((tool) => tool.name)
      expect(new Set(names).size).toBe(names.length)
      for (const { title, description, inputSchema, annotations } of surface.tools()) {
        expect([title, description]).not.toContain('')
        expect(inputSchema.type).toBe('object')
        expect(annotations.openWorldHint).toBe(false)
      }
    })

    it('says that there is no such tool', async () => {
      const { surface, bugs } = await open()
      for (const tool of ['no_such_tool', '', '__proto__', 'constructor', 'x'.repeat(10_000)]) {
        const { isError, text } = await said(surface, tool, {})
        expect(isError).toBe(true)
        expect(text.length).toBeLessThan(2_000)
      }
      expect(bugs).toEqual([])
    })

    it('refuses arguments that are none, and breaks at nothing', async () => {
      const { surface, bugs } = await open()
      const odd: unknown[] = [null, 7, 'text', [], { query: {} }, { id: [] }, { limit: -1 }]
      for (const { name: tool } of surface.tools()) {
        for (const args of odd) await said(surface, tool, args)
      }
      expect(bugs).toEqual([])
    })

    it('has no tool that writes where nothing may be written', async () => {
      const { surface } = await open({ readOnly: true })
      // Whoever maintains an index changes no document.
      const keeper: Caller = { principal: 'keeper', may: ['read', 'maintain'] }
      expect(surface.tools()).toEqual(surface.tools(keeper))
    })

    it('shows a caller who may only read no other tools, and runs none for them', async () => {
      const { surface } = await open()
      const readable = new Set(surface.tools(READER).map((tool) => tool.name))
      for (const { name: tool, annotations } of surface.tools()) {
        if (readable.has(tool)) continue
        expect(annotations.readOnlyHint ?? false).toBe(false)
        expect((await said(surface, tool, {}, READER)).isError).toBe(true)
      }
    })

    it('keeps a bug to itself', async () => {
      const { surface, bugs } = await openBroken(new TypeError('secret path of the index'))
      const [tool] = surface.tools()
      const args = { query: 'tea', slug: 'tea', id: 'tea' }
      const { text } = await said(surface, tool!.name, args)
      expect(text).not.toContain('secret')
      for (const bug of bugs) expect(String(bug)).toContain('secret')
    })
  })
}
