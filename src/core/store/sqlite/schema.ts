/** The tables of the SQLite store. */

/** Says that an SQLite file is ours ("CRN1"). */
export const APPLICATION_ID = 0x43524e31

/** Goes up with every change of the tables: a file of an earlier version is filled again. */
export const SCHEMA_VERSION = 12

/** What is derived from the files, and goes when it was made in another way. */
export const CONTENT_TABLES = [
  'documents',
  'names',
  'tags',
  'links',
  'sums',
  'files',
  'segments',
  'segment_pages',
  'models',
  'vectors',
  'vector_blocks',
  'changes',
]

export const SCHEMA = `
  CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

  -- SQLite reads through the whole of a long text to reach what follows it: what is long goes last.
  CREATE TABLE documents (
    no INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    path TEXT NOT NULL,
    path_folded TEXT NOT NULL,
    digest BLOB NOT NULL,
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
    -- Size and time can be put back after an edit; this cannot.
    stamp TEXT,
    -- What answers are made of has a checksum: see ../rows.ts.
    sum INTEGER,
    chunks_sum INTEGER,
    details TEXT NOT NULL,
    warnings TEXT,
    chunks TEXT NOT NULL
  );
  CREATE UNIQUE INDEX documents_path ON documents (source, path);
  CREATE INDEX documents_path_folded ON documents (path_folded);
  CREATE INDEX documents_updated ON documents (updated_at);
  -- A single edit asks which documents a segment holds and which vectors are new.
  CREATE INDEX documents_segment ON documents (segment);

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

  -- What leads to a document and from it, summed up: those rows are many and small.
  CREATE TABLE sums (doc INTEGER PRIMARY KEY, links INTEGER NOT NULL, names INTEGER NOT NULL);

  -- Files that did not become documents, and why.
  CREATE TABLE files (
    source TEXT NOT NULL,
    path TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT,
    size INTEGER NOT NULL,
    modified_at REAL NOT NULL,
    checked_at REAL NOT NULL,
    stamp TEXT,
    PRIMARY KEY (source, path)
  ) WITHOUT ROWID;

  -- What embedders learned, and their vectors. Rows of one embedder are complete or still growing;
  -- which embedder serves is said in meta.
  CREATE TABLE models (embedder TEXT PRIMARY KEY, data BLOB NOT NULL, sum INTEGER);
  CREATE TABLE vectors (
    doc INTEGER NOT NULL,
    block INTEGER NOT NULL,
    PRIMARY KEY (doc, block)
  ) WITHOUT ROWID;
  CREATE TABLE vector_blocks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    embedder TEXT NOT NULL,
    stamp INTEGER NOT NULL,
    living INTEGER NOT NULL,
    docs BLOB NOT NULL,
    docs_sum INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    data BLOB NOT NULL
  );
  CREATE INDEX vector_blocks_stamp ON vector_blocks (embedder, stamp);

  -- The last few batches, by name for those who want to be told what changed, and by number so that
  -- what was derived can be patched.
  CREATE TABLE changes (
    generation INTEGER NOT NULL,
    kind TEXT NOT NULL,
    source TEXT NOT NULL,
    path TEXT NOT NULL,
    no INTEGER NOT NULL
  );
  CREATE INDEX changes_generation ON changes (generation);

  -- Readers may still hold on to a segment that a merge has replaced.
  CREATE TABLE segments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    docs INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    deleted BLOB NOT NULL,
    sum INTEGER,
    replaced_at REAL
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
`
