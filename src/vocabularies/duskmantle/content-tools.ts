/** Files and texts are taken into the repository, through the same guarded writes as every edit. */
import { join } from 'node:path'
import { z } from 'zod'
import { invalid, upstream } from '../../core/domain/error.ts'
import type { Properties } from '../../core/domain/text.ts'
import { readHostFile } from '../../keep/operations/read-host-file.ts'
import { storeFile, storeText } from '../../core/operations/writing/store-file.ts'
import type { StoredFile, StoreOptions } from '../../core/operations/writing/store-file.ts'
import type { CallContext } from '../../serve/door/surface.ts'
import { contentPath, expandHome, fileName, textFileName } from './content-place.ts'
import { flag, text } from './fields.ts'
import { ingestNow } from './ingest-now.ts'
import { presentRun } from './present.ts'
import { row } from './row.ts'
import type { Payload } from './row.ts'
import type { Duskmantle } from './subject.ts'

const destination = z
  .string({ error: 'destination must be a string' })
  .optional()
  .describe('File or folder below the content root; by default its docs')
const overwrite = flag('overwrite', 'Replaces a file that is there; default false')
const ingest = flag('ingest', 'Ingests afterwards; default false')

const upload = row({
  name: 'km-upload',
  title: 'Upload a file',
  description:
    'Copy a file of this machine into the content root. Example: {"source_path": "/tmp/design.md", "destination": "docs/uploads/"}',
  details:
    'Required: source_path. Optional: destination (default <docs>/<file name>; with an extension it is the file, otherwise a folder), overwrite (default KM_UPLOAD_DEFAULT_OVERWRITE), ingest (default KM_UPLOAD_DEFAULT_INGEST); needs a maintainer. Example: /sys mcp run duskmantle km-upload --source-path ./design.md --destination docs/uploads/',
  scope: 'maintainer',
  input: z.object({
    source_path: text('source_path', 'A file on the machine of this server'),
    content_base64: z
      .base64({ error: 'content_base64 must be base64' })
      .optional()
      .describe('The bytes themselves, from another machine; source_path then only names them'),
    destination,
    overwrite,
    ingest,
  }),
  async run(subject, input, call) {
    const { uploads } = subject.settings
    const from = expandHome(input.source_path.trim())
    const bytes =
      input.content_base64 === undefined
        ? readHostFile(from, uploads)
        : given(input.content_base64, uploads.maxBytes)
    const path = contentPath(input.destination, fileName(from), uploads, contentRoot(subject))
    const stored = await storeFile(
      subject.repository.view,
      placeOf(subject, path),
      bytes,
      optionsOf(subject, input.overwrite, call),
    )
    const done = await afterStoring(subject, stored, input.ingest, call)
    subject.keeping.actions.append({
      tool: 'km-upload',
      timestamp: new Date().toISOString(),
      source_path: from,
      destination: done.absolute,
      relative_path: done.relative,
      overwritten: stored.overwritten,
      ingest_triggered: done.ingested !== undefined,
    })
    return checked(done)
  },
  present: ({ stored, ...done }) => ({ ...presentStored(done), overwritten: stored.overwritten }),
})

const MOST_CHARACTERS = 10 * 1024 * 1024

const storetext = row({
  name: 'km-storetext',
  title: 'Store a text',
  description:
    'Write a text as a document with front matter. Example: {"title": "Release Notes", "content": "…", "destination": "docs/uploads/", "subsystem": "Deployment", "tags": ["release"]}',
  details:
    'Required: content. Optional: title, destination (default <docs>/<title>.md), subsystem, tags, metadata (object), overwrite, ingest; needs a maintainer. Example: /sys mcp run duskmantle km-storetext --title "Release Notes" --content "Details" --destination docs/uploads/',
  scope: 'maintainer',
  input: z.object({
    content: text('content', 'The text, in Markdown').max(MOST_CHARACTERS, {
      error: `content is longer than ${MOST_CHARACTERS} characters`,
    }),
    title: z.string({ error: 'title must be a string' }).optional(),
    destination,
    subsystem: z.string({ error: 'subsystem must be a string' }).optional(),
    tags: z.array(z.string(), { error: 'tags must be a list of strings' }).optional(),
    metadata: z
      .record(z.string(), z.json(), { error: 'metadata must be an object' })
      .optional()
      .describe('More for the front matter'),
    overwrite,
    ingest,
  }),
  async run(subject, input, call) {
    const { uploads } = subject.settings
    const title = input.title?.trim() || undefined
    const name = textFileName(title, new Date())
    const path = contentPath(input.destination, name, uploads, contentRoot(subject))
    const stored = await storeText(
      subject.repository.view,
      placeOf(subject, path),
      { body: input.content, properties: propertiesOf(title, input) },
      optionsOf(subject, input.overwrite, call),
    )
    const done = await afterStoring(subject, stored, input.ingest, call)
    subject.keeping.actions.append({
      tool: 'km-storetext',
      timestamp: new Date().toISOString(),
      relative_path: done.relative,
      title: title ?? null,
      destination: done.absolute,
      ingest_triggered: done.ingested !== undefined,
    })
    return checked(done)
  },
  present: presentStored,
})

interface Described {
  readonly subsystem?: string | undefined
  readonly tags?: readonly string[] | undefined
  readonly metadata?: Properties | undefined
}

/** What was said by name comes before what metadata says of the same. */
function propertiesOf(
  title: string | undefined,
  { subsystem, tags = [], metadata = {} }: Described,
): Properties {
  const group = subsystem?.trim() || undefined
  const named = {
    ...(title !== undefined && { title }),
    ...(group !== undefined && { subsystem: group }),
    ...(tags.length > 0 && { tags }),
  }
  const more = Object.entries(metadata).filter(
    ([key, value]) => value !== null && !Object.hasOwn(named, key),
  )
  return { ...named, ...Object.fromEntries(more) }
}

function contentRoot({ repository, settings }: Duskmantle): string {
  return join(repository.root, settings.uploads.contentFolder)
}

/** The content root may be a folder of the repository. */
function placeOf({ repository, settings }: Duskmantle, path: string) {
  const { contentFolder } = settings.uploads
  return {
    source: repository.source,
    path: contentFolder === '' ? path : `${contentFolder}/${path}`,
  }
}

function optionsOf(
  { settings }: Duskmantle,
  overwriting: boolean | undefined,
  { client, principal, caller }: CallContext,
): StoreOptions {
  const name = principal ?? caller?.principal
  return {
    overwrite: overwriting ?? settings.uploads.overwrite,
    by: { ...(client !== undefined && { client }), ...(name !== undefined && { principal: name }) },
  }
}

/** What a caller on another machine sent along. */
function given(base64: string, maxBytes: number): Buffer {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length <= maxBytes) return bytes
  throw invalid(`The file has ${bytes.length} bytes, and ${maxBytes} are allowed.`, 'Split it.')
}

interface Done {
  readonly stored: StoredFile
  readonly absolute: string
  readonly relative: string
  /** Undefined where nobody asked for it. */
  readonly ingested: Awaited<ReturnType<typeof ingestNow>> | undefined
}

async function afterStoring(
  subject: Duskmantle,
  stored: StoredFile,
  ingesting: boolean | undefined,
  call: CallContext,
): Promise<Done> {
  const { contentFolder, ingest: usually } = subject.settings.uploads
  const ingested = (ingesting ?? usually) ? await ingestNow(subject, {}, call) : undefined
  const prefix = contentFolder === '' ? '' : `${contentFolder}/`
  return {
    stored,
    absolute: join(subject.repository.root, ...stored.path.split('/')),
    relative: stored.path.slice(prefix.length),
    ingested,
  }
}

/** The file is there in any case; that nobody could look at it is said. */
function checked(done: Done): Done {
  const { ingested, relative } = done
  if (!ingested || ingested.run.success) return done
  throw upstream(
    `${relative} is stored, and the ingestion failed: ${ingested.run.error ?? 'for no known reason'}`,
    'Run km-ingest-trigger again.',
  )
}

function presentStored({ absolute, relative, ingested }: Omit<Done, 'stored'>): Payload {
  return {
    status: 'success',
    stored_path: absolute,
    relative_path: relative,
    ingest_triggered: ingested !== undefined,
    ingest_run: ingested ? presentRun(ingested.run) : null,
  }
}

export const contentTools = [upload, storetext]
