/** Turns a parsed file into the record the store keeps. */
import type { DocNo } from '../domain/document.ts'
import type { Parsed, Properties } from '../domain/text.ts'
import { hasLostBytes } from '../domain/format.ts'
import type { Warning } from '../domain/warning.ts'
import { parseStoredTime } from '../domain/stored-time.ts'
import { cutText } from '../kit/cut-text.ts'
import { ownText } from '../kit/own-text.ts'
import { named, withoutSecrets } from '../domain/secrets.ts'
import { isEntityPath } from '../domain/entity-document.ts'
import { findMentions } from '../parsing/code/find-mentions.ts'
import { titleFromPath } from '../parsing/names.ts'
import type { DescribedDocument, NewLink } from '../store/store.ts'
import { documentNames, isAttachment, linkKey, nameKey, noteNames } from './link-names.ts'
import type { Nameable } from './link-names.ts'
import type { RedactedFile } from './redact-file.ts'

/** A title names a document in every list; a paragraph that was taken for a heading does not. */
const TITLE_LIMIT = 300

/** No path is longer, so nothing can ever stand at the other end of such a link. */
const TARGET_LIMIT = 1_000

/** A link's text is kept for people to recognise it, not as a copy of the note. */
const LABEL_LIMIT = 200

export interface DescribeOptions {
  /** Whether the base has entities that a note may be about. */
  readonly joined?: boolean
  /** Whether the source has code that a note may name. */
  readonly holdsCode?: boolean
}

export function describeDocument(
  no: DocNo,
  source: string,
  file: RedactedFile,
  format: string,
  { document, warnings }: Parsed,
  { joined = false, holdsCode = false }: DescribeOptions = {},
): DescribedDocument {
  const title = cutText(document.title ?? titleFromPath(withoutSecrets(file.path)), TITLE_LIMIT)
  const { properties } = document
  const aliases = document.aliases.map(ownText)
  const ref = `${source}/${file.path}`
  const { symbols } = document
  const named = { path: file.path, title, aliases, properties, ...(symbols && { symbols }) }
  const describes = joined && !isEntityPath(file.path) ? describedNames(named) : []
  const mentioned = holdsCode && !symbols ? findMentions(file.text, document) : []
  return {
    no,
    source,
    path: file.path,
    digest: file.digest,
    size: file.size,
    modifiedAt: file.modifiedAt,
    ...(file.stamp !== undefined && { stamp: file.stamp }),
    createdAt: dateOf(properties, ['created', 'date', 'created_at', 'publishDate']),
    updatedAt:
      dateOf(properties, ['updated', 'modified', 'lastmod', 'updated_at', 'last_updated']) ??
      // What the author says of a note counts before what the disk says of its file.
      dateOf(properties, ['date', 'created']) ??
      // The time of an entity's entry tells versions apart, and not when anybody touched it.
      (isEntityPath(file.path) ? undefined : file.modifiedAt),
    title,
    type: typeOf(properties) ?? format,
    aliases,
    tags: document.tags,
    inlineTags: document.inlineTags.map(ownText),
    description: document.description,
    properties,
    ...(symbols && { symbols }),
    ...(file.secrets.length > 0 && { secrets: file.secrets }),
    chunks: document.chunks,
    links: [...document.links, ...mentioned].flatMap(keptLink).concat(describes),
    names: documentNames(named),
    warnings: [...lostBytes(file), ...warnings].map((warning) => ({ ...warning, ref })),
  }
}

function lostBytes({ text, size, secrets }: RedactedFile): readonly Warning[] {
  // What stands for a secret is longer than the secret was.
  const measured = secrets.length > 0 ? named(text) : text
  if (!hasLostBytes(measured, size)) return []
  return [{ kind: 'encoding', message: 'not UTF-8; what cannot be read is shown as U+FFFD' }]
}

/** One for each name that an entity might share. Those that lead nowhere are nobody's mistake. */
function describedNames(named: Nameable): NewLink[] {
  const byKey = new Map(noteNames(named).map((name) => [nameKey(name), name]))
  byKey.delete('')
  return [...byKey].map(([key, name]) => ({
    kind: 'describes',
    target: name.slice(0, TARGET_LIMIT),
    fragment: undefined,
    label: undefined,
    line: 1,
    key,
    attachment: true,
  }))
}

function keptLink(link: Parsed['document']['links'][number]): NewLink[] {
  if (link.kind === 'url' || link.target.length > TARGET_LIMIT) return []
  const key = linkKey(link)
  if (key === undefined) return []
  const { kind, target, fragment, label, predicate, line } = link
  const kept: NewLink = {
    kind,
    target: ownText(target),
    fragment: fragment && ownText(fragment),
    label: label && ownText(label.slice(0, LABEL_LIMIT)),
    line,
    key: ownText(key),
    attachment: isAttachment(link),
  }
  if (predicate === undefined) return [kept]
  const said = { kind: 'typed', fragment: undefined, label: predicate, attachment: true } as const
  return [kept, { ...kept, ...said }]
}

function typeOf(properties: Properties): string | undefined {
  const type = properties['type']
  return typeof type === 'string' && type !== '' ? type : undefined
}

function dateOf(properties: Properties, keys: readonly string[]): number | undefined {
  for (const key of keys) {
    const value = properties[key]
    if (typeof value !== 'string' || !/^\d{4}-\d{2}(-\d{2})?/.test(value)) continue
    const time = parseStoredTime(value) ?? Date.parse(value)
    if (Number.isFinite(time)) return time
  }
  return undefined
}
