/** `/api/notes`, `/api/search`, `/api/import` and `/api/export`: the notes as plain HTTP. */
import { isMasked } from '../../../core/domain/secrets.ts'
import { NexusError } from '../errors.ts'
import type { ImportedFile } from '../note-files.ts'
import type { ListPart, NexusNotes } from '../notes.ts'
import { safeValue } from '../../../serve/door/safe-result.ts'
import type { Need } from './password-gate.ts'
import { jsonList, readJson, readJsonOnly, streamed } from './respond.ts'
import { zip } from './zip.ts'

export interface RouteCall {
  readonly request: Request
  /** The part of the path behind the route, decoded. */
  readonly rest: string
  readonly principal: string | undefined
  /** Texts as this caller may be shown them. */
  readonly safely: (text: string) => string
  readonly onBug: (error: unknown) => void
}

export interface Route {
  readonly method: string
  readonly need: Need
  /** Its answer is as long as the base, or it takes as long. */
  readonly heavy?: boolean
  readonly run: (notes: NexusNotes, call: RouteCall) => Promise<Response>
}

/** By path; routes with `*` have something behind it. */
export const noteRoutes: Readonly<Record<string, readonly Route[]>> = {
  '/api/notes': [
    {
      method: 'GET',
      need: 'read',
      heavy: true,
      run: async (notes, { request, safely, onBug }) => {
        const listed = await notes.list(partOf(new URL(request.url).searchParams))
        return streamed(jsonList(shown(listed, safely)), JSON_TYPE, onBug)
      },
    },
    {
      method: 'POST',
      need: 'write',
      run: async (notes, call) => {
        const data = await notes.create(await readUnmasked(call.request), authorOf(call))
        return Response.json({ data: safeValue(data, call.safely) }, { status: 201 })
      },
    },
  ],
  '/api/notes/*': [
    {
      method: 'GET',
      need: 'read',
      run: async (notes, { rest, safely }) =>
        Response.json({ data: safeValue(await notes.get(rest), safely) }),
    },
    {
      method: 'PUT',
      need: 'write',
      run: async (notes, call) => {
        const body = await readUnmasked(call.request)
        const data = await notes.update(call.rest, body, authorOf(call))
        return Response.json({ data: safeValue(data, call.safely) })
      },
    },
    {
      method: 'DELETE',
      need: 'write',
      run: async (notes, call) => Response.json(await notes.remove(call.rest, authorOf(call))),
    },
  ],
  '/api/search': [
    {
      method: 'POST',
      need: 'read',
      run: async (notes, { request, safely }) =>
        Response.json(
          safeValue(await notes.search(await readJson(request), request.signal), safely),
        ),
    },
  ],
  '/api/import': [
    {
      method: 'POST',
      need: 'write',
      heavy: true,
      run: async (notes, call) => {
        const files = await readFiles(call.request)
        return Response.json(await notes.importFiles(files, authorOf(call)))
      },
    },
  ],
  '/api/export': [
    {
      method: 'GET',
      need: 'read',
      heavy: true,
      run: async (notes, { request, safely, onBug }) => {
        const asked = new URL(request.url).searchParams.get('includeBacklinks')
        const files = await notes.exportFiles({ backlinks: asked === 'true' })
        return streamed(zip(shown(files, safely)), ZIP_TYPE, onBug)
      },
    },
  ],
}

/** `?limit=100&offset=200` of a long list; without them, all of it. */
function partOf(asked: URLSearchParams): ListPart {
  const whole = (name: string): number | undefined => {
    const text = asked.get(name)
    if (text === null) return undefined
    if (/^\d{1,9}$/.test(text)) return Number(text)
    throw new NexusError(400, `${name} must be a whole number`)
  }
  return { offset: whole('offset'), limit: whole('limit') }
}

async function* shown<Item>(
  items: AsyncIterable<Item>,
  safely: (text: string) => string,
): AsyncIterable<Item> {
  for await (const item of items) yield safeValue(item, safely) as Item
}

/** A masked text that is written back would take the place of the secret. */
async function readUnmasked(request: Request): Promise<unknown> {
  const body = await readJsonOnly(request)
  if (!isMasked(JSON.stringify(body ?? null))) return body
  throw new NexusError(400, 'The note holds a masked secret; saving it would lose the secret')
}

const JSON_TYPE = { 'content-type': 'application/json' }
const ZIP_TYPE = {
  'content-type': 'application/zip',
  'content-disposition': 'attachment; filename="nexus-export.zip"',
}

/** How changes made over these routes are signed. */
export const HTTP_CLIENT = 'nexus-http'

function authorOf({ principal }: RouteCall) {
  return { client: HTTP_CLIENT, ...(principal !== undefined && { principal }) }
}

const MOST_FILES = 1_000

async function readFiles(request: Request): Promise<readonly ImportedFile[]> {
  if (!/^multipart\/form-data\b/i.test(request.headers.get('content-type') ?? '')) {
    throw new NexusError(415, 'Content-Type must be multipart/form-data')
  }
  const form = await request.formData().catch(() => {
    throw new NexusError(400, 'Invalid form data')
  })
  const files = form.getAll('files').filter((entry) => typeof entry !== 'string')
  if (files.length === 0) throw new NexusError(400, 'No files provided')
  if (files.length > MOST_FILES) {
    throw new NexusError(400, `No more than ${MOST_FILES} files at once`)
  }
  return Promise.all(files.map(async (file) => ({ filename: file.name, text: await textOf(file) })))
}

async function textOf(file: Blob): Promise<string | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
  } catch {
    return undefined
  }
}
