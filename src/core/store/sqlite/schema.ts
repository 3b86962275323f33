/** The tables of the SQLite store, as steps from one version to the next. */

/** Says that an SQLite file is ours ("CRN1"). */
export const APPLICATION_ID = 0x43524e31

/**
 * Each entry brings the file from the version of its index to the next one. Entries are never
 * changed once released; a new version is a new entry.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

  CREATE TABLE documents (
    no INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    path TEXT NOT NULL,
    path_folded TEXT NOT NULL,
    digest TEXT NOT NULL,
    size INTEGER NOT NULL,
    modified_at REAL NOT NULL,
    checked_at REAL NOT NULL,
    generation INTEGER NOT NULL,
    created_at REAL,
    updated_at REAL NOT NULL,
    title TEXT NOT NULL,
    type TEXT NOT NULL,
    page_name TEXT,
    aliases TEXT NOT NULL,
    segment INTEGER,
    details TEXT NOT NULL,
    chunks TEXT NOT NULL,
    chunk_count INTEGER NOT NULL,
    warnings TEXT
  );
  CREATE UNIQUE INDEX documents_path ON documents (source, path);
  CREATE INDEX documents_path_folded ON documents (path_folded);
  CREATE INDEX documents_updated ON documents (updated_at);

  -- What links may call a document. A document's own keys also stand in its details.
  CREATE TABLE names (key TEXT NOT NULL, doc INTEGER NOT NULL, PRIMARY KEY (key, doc)) WITHOUT ROWID;
  CREATE TABLE tags (tag TEXT NOT NULL, doc INTEGER NOT NULL, PRIMARY KEY (tag, doc)) WITHOUT ROWID;

  CREATE TABLE links (
    doc INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    kind TEXT NOT NULL,
    target TEXT NOT NULL,
    fragment TEXT,
    label TEXT,
    line INTEGER NOT NULL,
    key TEXT NOT NULL,
    attachment INTEGER NOT NULL,
    to_doc INTEGER,
    PRIMARY KEY (doc, ordinal)
  ) WITHOUT ROWID;
  CREATE INDEX links_key ON links (key);
  CREATE INDEX links_to ON links (to_doc) WHERE to_doc IS NOT NULL;

  -- Files that did not become documents, and why.
  CREATE TABLE files (
    source TEXT NOT NULL,
    path TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT,
    size INTEGER NOT NULL,
    modified_at REAL NOT NULL,
    checked_at REAL NOT NULL,
    PRIMARY KEY (source, path)
  ) WITHOUT ROWID;

  -- What embedders learned, and their vectors. Rows of one embedder are complete or still growing;
  -- which embedder serves is said in meta.
  CREATE TABLE models (embedder TEXT PRIMARY KEY, data BLOB NOT NULL);
  CREATE TABLE vectors (
    embedder TEXT NOT NULL,
    doc INTEGER NOT NULL,
    stamp INTEGER NOT NULL,
    data BLOB NOT NULL
  );
  CREATE UNIQUE INDEX vectors_place ON vectors (embedder, doc);
  CREATE INDEX vectors_doc ON vectors (doc);

  -- The last few batches by name, for those who want to be told what changed.
  CREATE TABLE changes (
    generation INTEGER NOT NULL,
    kind TEXT NOT NULL,
    source TEXT NOT NULL,
    path TEXT NOT NULL
  );
  CREATE INDEX changes_generation ON changes (generation);

  CREATE TABLE segments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    docs INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    deleted BLOB NOT NULL
  );
  -- SQLite does not notice damage inside a blob; the checksum does.
  CREATE TABLE segment_pages (
    segment INTEGER NOT NULL,
    stream TEXT NOT NULL,
    page INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    data BLOB NOT NULL
  );
  CREATE UNIQUE INDEX segment_pages_place ON segment_pages (segment, stream, page);
  `,
  `
  -- A single edit asks which documents a segment holds and which vectors are new.
  CREATE INDEX documents_segment ON documents (segment);
  CREATE INDEX vectors_stamp ON vectors (embedder, stamp);
  `,
  `
  -- Changes by number, so that what was derived can be patched. Nobody knows those from before.
  ALTER TABLE changes ADD COLUMN no INTEGER NOT NULL DEFAULT -1;
  DELETE FROM changes;
  INSERT INTO changes (generation, kind, source, path)
    SELECT CAST(value AS INTEGER), 'many', '', '' FROM meta WHERE key = 'generation';
  `,
  `
  -- Size and time can be put back after an edit; this cannot.
  ALTER TABLE documents ADD COLUMN stamp TEXT;
  ALTER TABLE files ADD COLUMN stamp TEXT;
  -- What answers are made of has a checksum: see checksums.ts.
  ALTER TABLE documents ADD COLUMN sum INTEGER;
  ALTER TABLE documents ADD COLUMN chunks_sum INTEGER;
  ALTER TABLE vectors ADD COLUMN sum INTEGER;
  ALTER TABLE models ADD COLUMN sum INTEGER;
  ALTER TABLE segments ADD COLUMN sum INTEGER;
  `,
  `
  -- What nobody dated has no date: a column that may be empty takes the place of one that may not.
  DROP INDEX documents_updated;
  ALTER TABLE documents ADD COLUMN dated_at REAL;
  UPDATE documents SET dated_at = updated_at;
  ALTER TABLE documents DROP COLUMN updated_at;
  ALTER TABLE documents RENAME COLUMN dated_at TO updated_at;
  CREATE INDEX documents_updated ON documents (updated_at);
  `,
  `
  -- Readers may still hold on to a segment that a merge has replaced.
  ALTER TABLE segments ADD COLUMN replaced_at REAL;
  `,
  `
  -- Columns that were added later stood behind the passages, and SQLite reads through the whole of
  -- a long text to reach what follows it. What is long goes last.
  CREATE TABLE documents_in_order (
    no INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    path TEXT NOT NULL,
    path_folded TEXT NOT NULL,
    digest TEXT NOT NULL,
    size INTEGER NOT NULL,
    modified_at REAL NOT NULL,
    checked_at REAL NOT NULL,
    generation INTEGER NOT NULL,
    created_at REAL,
    updated_at REAL,
    title TEXT NOT NULL,
    type TEXT NOT NULL,
    page_name TEXT,
    aliases TEXT NOT NULL,
    segment INTEGER,
    chunk_count INTEGER NOT NULL,
    stamp TEXT,
    sum INTEGER,
    chunks_sum INTEGER,
    details TEXT NOT NULL,
    warnings TEXT,
    chunks TEXT NOT NULL
  );
  INSERT INTO documents_in_order
    SELECT no, source, path, path_folded, digest, size, modified_at, checked_at, generation,
      created_at, updated_at, title, type, page_name, aliases, segment, chunk_count, stamp, sum,
      chunks_sum, details, warnings, chunks
    FROM documents;
  DROP TABLE documents;
  ALTER TABLE documents_in_order RENAME TO documents;
  CREATE UNIQUE INDEX documents_path ON documents (source, path);
  CREATE INDEX documents_path_folded ON documents (path_folded);
  CREATE INDEX documents_updated ON documents (updated_at);
  CREATE INDEX documents_segment ON documents (segment);
  `,
  `
  -- What leads to a document and from it, summed up: those rows are many and small.
  CREATE TABLE sums (doc INTEGER PRIMARY KEY, links INTEGER NOT NULL, names INTEGER NOT NULL);
  `,
]
