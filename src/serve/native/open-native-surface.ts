/** Cairn in its own words. */
import { documentUriOf } from '../../core/operations/reading/document-url.ts'
import { firstLook, createBuilding } from '../../core/operations/view/await-index.ts'
import type { Knowledge } from '../../core/operations/view/knowledge.ts'
import { viewFor, withSecrets, wholeView } from '../../core/operations/view/view.ts'
import { serveRows } from '../door/serve-rows.ts'
import type { Door, DoorOptions } from '../door/serve-rows.ts'
import type { Surface, Who } from '../door/surface.ts'
import { isOffered, readArguments } from '../door/tool.ts'
import type { NativeRow } from '../door/tool.ts'
import { defineNative } from './define-native.ts'
import { presentError } from './errors.ts'
import { instructionsFor } from './instructions.ts'
import { paragraphs } from './lean-text.ts'
import { compact, indexingNote } from './present.ts'
import { nativePrompts } from './prompts.ts'
import { nativeResources } from './resources.ts'
import { nativeTools } from './tools.ts'

/** What the text of a reply is: JSON for clients that look for it there, plain for all others. */
export type TextForm = 'auto' | 'json' | 'plain'

export interface NativeSurfaceOptions extends DoorOptions {
  readonly version: string
  readonly text?: TextForm | undefined
  /** Rows of a wing, behind our own; they may call all of them. */
  readonly further?: (own: () => Pick<Surface, 'names' | 'call'>) => readonly NativeRow[]
}

/** Connectors of these clients read `search` and `fetch` from the text. */
const READS_JSON = /openai|chatgpt/i

function wantsJson(client: string | undefined, form: TextForm = 'auto'): boolean {
  return form === 'auto' ? READS_JSON.test(client ?? '') : form === 'json'
}

/**
 * A base that may only be read has no tool that writes. A tool that needs what a base has not is
 * not listed; whoever calls it by name is told what is missing.
 */
export function openNativeSurface(base: Knowledge, options: NativeSurfaceOptions): Surface {
  const whole = wholeView(base)
  // A part of a base is what somebody sees of it already.
  const see = ({ caller, showSecrets }: Who) => {
    const view = !caller || base.trunk ? whole : viewFor(base, caller)
    return showSecrets ? withSecrets(view) : view
  }
  const looked = firstLook(base)
  const door: Door<Readonly<Record<string, unknown>>> = serveRows(
    {
      surface: 'native',
      rows: [...nativeTools, ...(options.further?.(() => door) ?? [])],
      has: ({ access }) => access === 'read' || base.writing !== undefined,
      offers: (row) => isOffered(row, base),
      define: defineNative,
      // Every reply says how far the index is, so nobody has to wait for it.
      building: createBuilding(base, 0),
      tellsBuilding: true,
      subject: async (call) => {
        await looked()
        return see(call)
      },
      read: readArguments,
      show: (shown, { row, subject, call, text, saved, building }) => {
        // What was asked while files were still missing was answered without them, though they may
        // all be there by now.
        const behind = row.access === 'read' ? (indexingNote(subject) ?? building) : undefined
        const structured = behind === undefined ? shown : compact({ ...shown, indexing: behind })
        if (call.onlyData) return { texts: [], structured }
        // JSON repeats everything.
        if (!text || wantsJson(call.client, options.text)) return { structured }
        const texts = [paragraphs(text(), behind && `indexing: ${behind}`)]
        const spared = saved?.()
        return { texts, structured, ...(spared && { saved: spared }) }
      },
      // While the index is behind its files, a reply says so.
      differs: (subject, { client, onlyData = false }) =>
        indexingNote(subject) === undefined
          ? `${onlyData} ${wantsJson(client, options.text)}`
          : undefined,
      fail: presentError,
    },
    options,
  )
  return {
    name: 'native',
    narrows: true,
    serverInfo: { name: 'cairn', title: 'Cairn', version: options.version },
    instructions: instructionsFor({ writes: base.writing !== undefined }),
    ...door,
    resources: nativeResources(see),
    prompts: nativePrompts(see),
    subscribe: (listener, caller) =>
      see({ caller }).subscribe(({ put, listChanged }) => {
        if (listChanged) listener({ kind: 'resources_changed' })
        for (const id of put) listener({ kind: 'resource_updated', uri: documentUriOf(id) })
      }),
  }
}
