/** The table of links, resolved as far as their targets exist. */
import type { DocNo, LinkRecord } from '../../core/domain/document.ts'
import { inSlices, Slices } from '../../core/kit/slices.ts'
import { collectEdges, EDGE_KINDS, SAYING } from '../../core/store/collect-edges.ts'
import type { Among } from '../../core/store/document-store.ts'
import type { LinkStore } from '../../core/store/link-store.ts'
import { linkEnds } from '../../core/store/plan-commit.ts'
import type { LinkPlan, PlannedLink, StoredLink } from '../../core/store/plan-commit.ts'
import type { BaseRows } from './base-rows.ts'
import type { Value } from './database.ts'
import { isLong, isLongKey, isShortKey } from './keys.ts'
import { reading } from './rows.ts'
import { kept, numberArray, restored, textArray } from './values.ts'

/** So much is asked for at once, so that others are served in between. */
const DOCS_AT_ONCE = 20_000
const LINKS_AT_ONCE = 10_000

const COLUMNS = 'doc, ordinal, kind, target, fragment, label, line, to_doc'

export function linkTable(base: BaseRows): LinkStore {
  return {
    // Of one document the ordinal alone says where a page begins, which an index can use.
    linksFrom: (doc) => linksWhere(base, 'doc = $4 AND ordinal > $3', doc),
    linksTo: (doc) => linksWhere(base, 'to_doc = $4', doc),
    linksBetween: (from, to) =>
      linksWhere(base, 'doc = $4 AND to_doc = $5 AND ordinal > $3', from, to),

    async deadEnds(doc, limit) {
      const rows = await base.rows(
        `SELECT target FROM cairn.links
         WHERE base = $1 AND doc = $2 AND to_doc IS NULL AND NOT attachment
         GROUP BY target ORDER BY min(ordinal) LIMIT $3`,
        doc,
        limit,
      )
      return rows.map((row) => restored(String(row['target'])))
    },

    async brokenLinks(page, among) {
      const where = `WHERE links.base = $1 AND ${brokenAmong(among)}`
      const values: Value[] = among ? [numberArray(among)] : []
      const count = await base.row(`SELECT count(*) AS n FROM cairn.links ${where}`, ...values)
      const rows = await base.rows(
        `SELECT ${COLUMNS} FROM cairn.links
           JOIN cairn.documents ON documents.base = $1 AND documents.no = links.doc ${where}
         ORDER BY source, path, ordinal LIMIT $${values.length + 2} OFFSET $${values.length + 3}`,
        ...values,
        page.limit < 0 ? null : page.limit,
        page.offset,
      )
      const links = rows.map((row) => ({ ...reading.linkOf(row), to: undefined }))
      return { links, total: Number(count?.['n'] ?? 0) }
    },

    async edges(among) {
      const collected = collectEdges()
      const kinds = EDGE_KINDS.map((kind, number) => `WHEN '${kind}' THEN ${number}`).join(' ')
      // One text for many documents: a row for every link takes many times as long.
      const which = among ? 'doc = ANY ($2::integer[])' : 'doc > $2 AND doc <= $3'
      const sql = `SELECT string_agg(doc || ':' || targets, ';' ORDER BY doc) AS edges,
          EXISTS (SELECT 1 FROM cairn.links
            WHERE base = $1 AND to_doc IS NOT NULL AND kind IN (${SAYING}) AND ${which})::integer AS related,
          (SELECT max(no) FROM cairn.documents WHERE base = $1) AS last
        FROM (SELECT doc, string_agg(DISTINCT
            (to_doc::bigint * ${EDGE_KINDS.length} + CASE kind ${kinds} END)::text, ',') AS targets
          FROM cairn.links
          WHERE base = $1 AND to_doc IS NOT NULL AND kind NOT IN (${SAYING}) AND ${which}
          GROUP BY doc) AS grouped`
      let related = false
      // Some documents are one step; all of them as many as it takes.
      let last = 0
      const slices = new Slices()
      for (let from = -1; from < last; from += DOCS_AT_ONCE) {
        const values = among ? [numberArray(among)] : [from, from + DOCS_AT_ONCE]
        const row = await base.row(sql, ...values)
        related ||= row?.['related'] === 1
        if (!among) last = Number(row?.['last'] ?? -1)
        for (const group of String(row?.['edges'] ?? '').split(';')) {
          const colon = group.indexOf(':')
          if (colon < 0) continue
          if (slices.over) await slices.pause()
          const doc = Number(group.slice(0, colon))
          for (const target of group.slice(colon + 1).split(',')) {
            const packed = Number(target)
            const kind = packed % EDGE_KINDS.length
            collected.link(doc, (packed - kind) / EDGE_KINDS.length, kind)
          }
        }
      }
      if (!related) return collected.edges()
      const relations = await base.rows(
        `SELECT DISTINCT doc, to_doc, label FROM cairn.links
         WHERE base = $1 AND kind IN (${SAYING}) AND to_doc IS NOT NULL
           ${among ? `AND ${which}` : ''}
         ORDER BY label NULLS FIRST, doc, to_doc`,
        ...(among ? [numberArray(among)] : []),
      )
      for (const row of relations) {
        const label = reading.optional(row['label']) ?? ''
        collected.relation(Number(row['doc']), Number(row['to_doc']), label)
      }
      return collected.edges()
    },

    async linkTargets(kinds) {
      const last = await lastDocument(base)
      const targets: { from: DocNo; target: string }[] = []
      for (let from = -1; from < last; from += DOCS_AT_ONCE) {
        const rows = await base.rows(
          `SELECT doc, target FROM cairn.links
           WHERE base = $1 AND doc > $2 AND doc <= $3 AND kind = ANY ($4::text[])
           ORDER BY doc, ordinal`,
          from,
          from + DOCS_AT_ONCE,
          textArray(kinds),
        )
        for (const row of rows) {
          targets.push({ from: Number(row['doc']), target: restored(String(row['target'])) })
        }
      }
      return targets
    },
  }
}

async function lastDocument(base: BaseRows): Promise<number> {
  const row = await base.row('SELECT max(no) AS n FROM cairn.documents WHERE base = $1')
  return Number(row?.['n'] ?? -1)
}

/** By document and ordinal, a page at a time: some notes have hundreds of thousands. */
async function linksWhere(
  base: BaseRows,
  where: string,
  ...values: number[]
): Promise<LinkRecord[]> {
  const sql = `SELECT ${COLUMNS} FROM cairn.links
    WHERE base = $1 AND ${where} AND (doc, ordinal) > ($2, $3)
    ORDER BY doc, ordinal LIMIT ${LINKS_AT_ONCE}`
  const links: LinkRecord[] = []
  let after: readonly [number, number] = [-1, -1]
  for (;;) {
    const rows = await base.rows(sql, ...after, ...values)
    for (const link of await inSlices(rows, reading.linkOf)) links.push(link)
    const last = rows.at(-1)
    if (!last || rows.length < LINKS_AT_ONCE) return links
    after = [Number(last['doc']), Number(last['ordinal'])]
  }
}

/** Which links lead nowhere; among some documents (`$2`) also those that lead to any other. */
export function brokenAmong(among: Among | undefined): string {
  if (!among) return 'to_doc IS NULL AND NOT attachment'
  return `NOT attachment AND doc = ANY ($2::integer[])
    AND (to_doc IS NULL OR NOT to_doc = ANY ($2::integer[]))`
}

/** A statement of this many links at most: what a message may hold has an end. */
const INSERTED_AT_ONCE = 50_000

export async function insertLinks(base: BaseRows, all: readonly PlannedLink[]): Promise<void> {
  for (let from = 0; from < all.length; from += INSERTED_AT_ONCE) {
    const links = all.slice(from, from + INSERTED_AT_ONCE)
    const slices = new Slices()
    const column = async (make: () => string): Promise<string> => {
      if (slices.over) await slices.pause()
      return make()
    }
    await base.rows(
      `INSERT INTO cairn.links (base, doc, ordinal, to_doc, line, attachment, kind, target,
         fragment, label, key)
       SELECT $1, * FROM unnest($2::integer[], $3::integer[], $4::integer[], $5::integer[],
         $6::boolean[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[])`,
      await column(() => numberArray(links.map(({ doc }) => doc))),
      await column(() => numberArray(links.map(({ ordinal }) => ordinal))),
      await column(() => numberArray(links.map(({ to }) => to))),
      await column(() => numberArray(links.map(({ line }) => line))),
      `{${links.map(({ attachment }) => (attachment ? 't' : 'f')).join(',')}}`,
      await column(() => textArray(links.map(({ kind }) => kind))),
      await column(() => textArray(links.map(({ target }) => target))),
      await column(() => textArray(links.map(({ fragment }) => fragment))),
      await column(() => textArray(links.map(({ label }) => label))),
      await column(() => textArray(links.map(({ key }) => key))),
    )
  }
}

export async function healLinks(base: BaseRows, healed: LinkPlan['healed']): Promise<void> {
  if (healed.length === 0) return
  await base.rows(
    `UPDATE cairn.links AS l SET to_doc = h.to_doc
     FROM unnest($2::integer[], $3::integer[], $4::integer[]) AS h (doc, ordinal, to_doc)
     WHERE l.base = $1 AND l.doc = h.doc AND l.ordinal = h.ordinal`,
    numberArray(healed.map(({ doc }) => doc)),
    numberArray(healed.map(({ ordinal }) => ordinal)),
    numberArray(healed.map(({ to }) => to)),
  )
}

/** Links with one of the keys, but of documents of another generation than this one. */
export async function linksWithKeys(
  base: BaseRows,
  keys: ReadonlySet<string>,
  generation: number,
): Promise<StoredLink[]> {
  if (keys.size === 0) return []
  const having = (isSame: string): string =>
    `SELECT l.doc, l.ordinal, l.kind, l.target, l.key, l.to_doc, d.source, d.path
     FROM (SELECT DISTINCT key FROM unnest($2::text[]) AS k (key)) AS k
     JOIN cairn.links AS l ON l.base = $1 AND ${isSame}
     JOIN cairn.documents AS d ON d.base = $1 AND d.no = l.doc
     WHERE d.generation <> $3`
  const hasLong = [...keys].some((key) => isLong(kept(key)))
  const rows = await base.rows(
    [
      having(isShortKey('l.key', 'k.key')),
      ...(hasLong ? [having(isLongKey('l.key', 'k.key'))] : []),
    ].join(' UNION ALL '),
    textArray(keys),
    generation,
  )
  return inSlices(rows, reading.storedLinkOf)
}

/** Where the links of each document lead now. */
export async function linkEndsOf(
  base: BaseRows,
  nos: readonly DocNo[],
): Promise<Map<DocNo, string>> {
  const rows = await base.rows(
    `SELECT DISTINCT doc, kind, to_doc, CASE WHEN kind IN (${SAYING}) THEN label END AS label
     FROM cairn.links WHERE base = $1 AND doc = ANY ($2::integer[]) AND to_doc IS NOT NULL`,
    numberArray(nos),
  )
  const grouped = Map.groupBy(rows, (row) => Number(row['doc']))
  const ends = (no: DocNo): string => linkEnds((grouped.get(no) ?? []).map(reading.linkEndOf))
  return new Map(nos.map((no) => [no, ends(no)]))
}
