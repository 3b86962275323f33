/** The table of links, resolved as far as their targets exist. */
import { compareIds } from '../../domain/document.ts'
import type { DocNo, LinkRecord } from '../../domain/document.ts'
import { Slices } from '../../kit/slices.ts'
import type { Among } from '../document-store.ts'
import { collectEdges, EDGE_KINDS, SAYING } from '../collect-edges.ts'
import type { LinkStore } from '../link-store.ts'
import { linkEnds } from '../plan-commit.ts'
import type { LinkPlan, PlannedLink, StoredLink } from '../plan-commit.ts'
import { IN_LISTED, listed } from './among.ts'
import type { Connection, Row } from './connection.ts'
import { reading } from './rows.ts'

export function linkTable(connection: Connection): LinkStore {
  return {
    linksFrom: (doc) => linksWhere(connection, 'doc = ?', WITHIN_ONE, doc),
    linksTo: (doc) => linksWhere(connection, 'to_doc = ?', ACROSS, doc),
    linksBetween: (from, to) =>
      linksWhere(connection, 'doc = ? AND to_doc = ?', WITHIN_ONE, from, to),

    async deadEnds(doc, limit) {
      const sql = `SELECT ordinal, target FROM links
        WHERE doc = ? AND ordinal > ? AND to_doc IS NULL AND attachment = 0
        ORDER BY ordinal LIMIT ${LINKS_AT_ONCE}`
      const slices = new Slices()
      const targets = new Set<string>()
      for (let after = -1; ;) {
        const rows = connection.all(sql, doc, after)
        for (const row of rows) if (targets.size < limit) targets.add(String(row['target']))
        if (targets.size >= limit || rows.length < LINKS_AT_ONCE) return [...targets]
        after = Number(rows.at(-1)!['ordinal'])
        if (slices.over) await slices.pause()
      }
    },

    async brokenLinks(page, among) {
      const { broken, values } = brokenAmong(among)
      const total = connection.count(`SELECT count(*) AS n FROM links WHERE ${broken}`, ...values)
      const rows = connection.all(
        `SELECT links.* FROM links JOIN documents ON documents.no = links.doc WHERE ${broken}
         ORDER BY source, path, ordinal LIMIT ? OFFSET ?`,
        ...values,
        page.limit,
        page.offset,
      )
      return { links: rows.map((row) => ({ ...reading.linkOf(row), to: undefined })), total }
    },

    async edges(among) {
      const collected = collectEdges()
      const kinds = EDGE_KINDS.map((kind, number) => `WHEN '${kind}' THEN ${number}`).join(' ')
      // A row per document: making one for every link takes four times as long.
      const targetsOf = (which: string): string =>
        `SELECT doc, group_concat(DISTINCT to_doc * ${EDGE_KINDS.length} + CASE kind ${kinds} END)
           AS targets
         FROM links WHERE to_doc IS NOT NULL AND kind NOT IN (${SAYING}) AND ${which} GROUP BY doc`
      const relations: { doc: DocNo; to: DocNo; label: string }[] = []
      const take = (which: string, ...values: (number | string)[]): void => {
        for (const row of connection.all(targetsOf(which), ...values)) {
          const doc = Number(row['doc'])
          for (const target of String(row['targets']).split(',')) {
            const packed = Number(target)
            const kind = packed % EDGE_KINDS.length
            collected.link(doc, (packed - kind) / EDGE_KINDS.length, kind)
          }
        }
        for (const row of connection.all(`${RELATIONS} AND ${which}`, ...values)) {
          const label = String(row['label'] ?? '')
          relations.push({ doc: Number(row['doc']), to: Number(row['to_doc']), label })
        }
      }
      if (among) {
        take(`doc ${IN_LISTED}`, listed(among))
      } else {
        const last = connection.count('SELECT max(doc) AS n FROM links')
        const slices = new Slices()
        for (let from = -1; from < last; from += DOCS_AT_ONCE) {
          if (slices.over) await slices.pause()
          take('doc > ? AND doc <= ?', from, from + DOCS_AT_ONCE)
        }
      }
      const inOrder = relations.toSorted(
        (a, b) => compareIds(a.label, b.label) || a.doc - b.doc || a.to - b.to,
      )
      for (const { doc, to, label } of inOrder) collected.relation(doc, to, label)
      return collected.edges()
    },

    async linkTargets(kinds) {
      const sql = `SELECT doc, ordinal, target FROM links
         WHERE ${ACROSS} AND kind IN (${kinds.map(() => '?').join(', ')})
         ORDER BY doc, ordinal LIMIT ${TARGETS_AT_ONCE}`
      const slices = new Slices()
      const targets: { from: DocNo; target: string }[] = []
      let after: readonly [doc: number, ordinal: number] = [-1, -1]
      for (;;) {
        const rows = connection.all(sql, ...after, ...kinds)
        for (const row of rows) {
          targets.push({ from: Number(row['doc']), target: String(row['target']) })
        }
        const last = rows.at(-1)
        if (!last || rows.length < TARGETS_AT_ONCE) return targets
        after = [Number(last['doc']), Number(last['ordinal'])]
        if (slices.over) await slices.pause()
      }
    },
  }
}

/** Asked for some documents at a time: for all, everybody would wait for the whole table. */
const RELATIONS = `SELECT DISTINCT doc, to_doc, label FROM links
  WHERE kind IN (${SAYING}) AND to_doc IS NOT NULL`

/** So many documents are looked at between two chances for others. */
const DOCS_AT_ONCE = 2_000
const LINKS_AT_ONCE = 1_000
const TARGETS_AT_ONCE = 5_000

/**
 * Keyset pagination: where the next page begins. Of one document the ordinal alone says it; with
 * both, SQLite would go through the document from its first link for every page.
 */
const WITHIN_ONE = 'ordinal > ?'
const ACROSS = '(doc, ordinal) > (?, ?)'

/** By document and ordinal, a page at a time: some notes have hundreds of thousands. */
async function linksWhere(
  connection: Connection,
  where: string,
  behind: typeof WITHIN_ONE | typeof ACROSS,
  ...values: number[]
): Promise<LinkRecord[]> {
  const sql = `SELECT * FROM links WHERE ${where} AND ${behind}
    ORDER BY doc, ordinal LIMIT ${LINKS_AT_ONCE}`
  const slices = new Slices()
  const links: LinkRecord[] = []
  let after: readonly [doc: number, ordinal: number] = [-1, -1]
  for (;;) {
    const place = behind === WITHIN_ONE ? after.slice(1) : after
    const rows = connection.all(sql, ...values, ...place)
    for (const row of rows) links.push(reading.linkOf(row))
    const last = rows.at(-1)
    if (!last || rows.length < LINKS_AT_ONCE) return links
    after = [Number(last['doc']), Number(last['ordinal'])]
    if (slices.over) await slices.pause()
  }
}

/** Which links lead nowhere; among some documents also those that lead to any other. */
export function brokenAmong(among: Among | undefined): {
  readonly broken: string
  readonly values: readonly string[]
} {
  if (!among) return { broken: 'to_doc IS NULL AND attachment = 0', values: [] }
  const ends = `(to_doc IS NULL OR to_doc NOT ${IN_LISTED})`
  const numbers = listed(among)
  return { broken: `attachment = 0 AND doc ${IN_LISTED} AND ${ends}`, values: [numbers, numbers] }
}

export function insertLink(connection: Connection, link: PlannedLink): void {
  connection.run(
    `INSERT INTO links (doc, ordinal, kind, target, fragment, label, line, key, attachment, to_doc)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    link.doc,
    link.ordinal,
    link.kind,
    link.target,
    link.fragment ?? null,
    link.label ?? null,
    link.line,
    link.key,
    link.attachment ? 1 : 0,
    link.to ?? null,
  )
}

export function healLink(
  connection: Connection,
  { doc, ordinal, to }: LinkPlan['healed'][number],
): void {
  connection.run(
    'UPDATE links SET to_doc = ? WHERE doc = ? AND ordinal = ?',
    to ?? null,
    doc,
    ordinal,
  )
}

/** For more keys one pass over all links is faster than a look for each. */
const MANY_KEYS = 1_000

/** Links with one of the keys, but of documents of another generation than this one. */
export function linksWithKeys(
  connection: Connection,
  keys: ReadonlySet<string>,
  generation: number,
): StoredLink[] {
  const select = 'SELECT links.doc, ordinal, kind, target, key, to_doc, source, path'
  if (keys.size < MANY_KEYS) {
    const withKey = connection.prepare(
      `${select} FROM links JOIN documents ON documents.no = links.doc
       WHERE key = ? AND documents.generation <> ?`,
    )
    return [...keys].flatMap((key) =>
      (withKey.all(key, generation) as Row[]).map(reading.storedLinkOf),
    )
  }
  const all = connection.iterate(
    `${select} FROM documents JOIN links ON links.doc = documents.no
     WHERE documents.generation <> ?`,
    generation,
  )
  const found: StoredLink[] = []
  for (const row of all) if (keys.has(String(row['key']))) found.push(reading.storedLinkOf(row))
  return found
}

/** Where the links of each document lead now. */
export function linkEndsOf(connection: Connection, nos: Iterable<DocNo>): Map<DocNo, string> {
  const select = connection.prepare(
    `SELECT DISTINCT kind, to_doc, CASE WHEN kind IN (${SAYING}) THEN label END AS label
     FROM links WHERE doc = ? AND to_doc IS NOT NULL`,
  )
  const ends = (no: DocNo): string => linkEnds((select.all(no) as Row[]).map(reading.linkEndOf))
  return new Map([...nos].map((no) => [no, ends(no)]))
}
