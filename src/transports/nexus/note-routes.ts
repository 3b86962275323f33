/** `/api/notes`, `/api/search`, `/api/import` and `/api/export`: the notes as plain HTTP. */
import { NexusError } from '../../surfaces/nexus/errors.ts'
import type { Nexus } from '../../surfaces/nexus/open-nexus.ts'
import type { ImportedFile } from '../../surfaces/nexus/note-files.ts'
import type { Need } from './password-gate.ts'
import { jsonList, readJson, readJsonOnly, streamed } from './respond.ts'
import { zip } from './zip.ts'

export interface RouteCall {
  readonly request: Request
  /** The part of the path behind the route, decoded. */
  readonly rest: string
  readonly principal: string | undefined
  readonly onBug: (error: unknown) => void
}

export interface Route {
  readonly method: string
  readonly need: Need
  /** Its answer is as long as the base, or it takes as long. */
  readonly heavy?: boolean
  readonly run: (nexus: Nexus, call: RouteCall) => Promise<Response>
}

/** By path; routes with `*` have something behind it. */
export const noteRoutes: Readonly<Record<string, readonly Route[]>> = {
  '/api/notes': [
    {
      method: 'GET',
      need: 'read',
      heavy: true,
      run: async ({ notes }, { onBug }) => streamed(jsonList(await notes.list()), JSON_TYPE, onBug),
    },
    {
      method: 'POST',
      need: 'write',
      run: async ({ notes }, call) => {
        const data = await notes.create(await readJsonOnly(call.request), authorOf(call))
        return Response.json({ data }, { status: 201 })
      },
    },
  ],
  '/api/notes/*': [
    {
      method: 'GET',
      need: 'read',
      run: async ({ notes }, { rest }) => Response.json({ data: await notes.get(rest) }),
    },
    {
      method: 'PUT',
      need: 'write',
      run: async ({ notes }, call) => {
        const body = await readJsonOnly(call.request)
        return Response.json({ data: await notes.update(call.rest, body, authorOf(call)) })
      },
    },
    {
      method: 'DELETE',
      need: 'write',
      run: async ({ notes }, call) => Response.json(await notes.remove(call.rest, authorOf(call))),
    },
  ],
  '/api/search': [
    {
      method: 'POST',
      need: 'read',
      run: async ({ notes }, { request }) =>
        Response.json(await notes.search(await readJson(request), request.signal)),
    },
  ],
  '/api/import': [
    {
      method: 'POST',
      need: 'write',
      heavy: true,
      run: async ({ notes }, call) => {
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
      run: async ({ notes }, { request, onBug }) => {
        const asked = new URL(request.url).searchParams.get('includeBacklinks')
        const files = await notes.exportFiles({ backlinks: asked === 'true' })
        return streamed(zip(files), ZIP_TYPE, onBug)
      },
    },
  ],
}

const JSON_TYPE = { 'content-type': 'application/json' }
const ZIP_TYPE = {
  'content-type': 'application/zip',
  'content-disposition': 'attachment; filename="nexus-export.zip"',
}

/** How changes made over these routes are signed. */
function authorOf({ principal }: RouteCall) {
  return { client: 'nexus-http', ...(principal !== undefined && { principal }) }
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
