/**
 * The tables of the PostgreSQL store, as steps from one version to the next. The base is the first
 * column of every key, so that a thousand bases live side by side and rows of one lie together.
 *
 * Texts are compared byte by byte (`COLLATE "C"`), as SQLite does. What is looked for by a text of
 * any length is indexed by its beginning, because an index of PostgreSQL holds no long keys, and
 * a long one also by a digest (keys.ts).
 */

/** Nothing depends on a search path: every table is named with its schema. */
export const SCHEMA = 'cairn'

/** Of this many characters an index of texts is made. */
export const KEY_CHARACTERS = 200

/** Entries are never changed once released; a new version is a new entry. */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE cairn.bases (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text COLLATE "C" NOT NULL UNIQUE,
    -- Which files the base is of, as the first who opened it said.
    sources text NOT NULL,
    format text NOT NULL,
    epoch text NOT NULL,
    generation bigint NOT NULL DEFAULT 0,
    graph bigint NOT NULL DEFAULT 0,
    vectors bigint NOT NULL DEFAULT 0,
    embedder text COLLATE "C",
    -- Rises with everything that is committed; steps holds a random mark for each of the last ones.
    step bigint NOT NULL DEFAULT 0
  );
  -- Apart from the base, whose row is locked while a batch is committed.
  CREATE TABLE cairn.numbers (base integer PRIMARY KEY, next_no bigint NOT NULL DEFAULT 0);
  CREATE TABLE cairn.steps (
    base integer NOT NULL, step bigint NOT NULL, mark text COLLATE "C" NOT NULL,
    PRIMARY KEY (base, step)
  );
  CREATE TABLE cairn.meta (
    base integer NOT NULL, key text COLLATE "C" NOT NULL, value text NOT NULL,
    PRIMARY KEY (base, key)
  );
  CREATE TABLE cairn.leases (
    base integer NOT NULL,
    role text COLLATE "C" NOT NULL,
    owner text COLLATE "C",
    fence bigint NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (base, role)
  );

  CREATE TABLE cairn.documents (
    base integer NOT NULL,
    no integer NOT NULL,
    -- Digest of source and path.
    place bytea NOT NULL,
    segment bigint,
    generation bigint NOT NULL,
    size bigint NOT NULL,
    modified_at float8 NOT NULL,
    checked_at float8 NOT NULL,
    created_at float8,
    updated_at float8,
    sum bigint NOT NULL,
    chunks_sum bigint NOT NULL,
    links_sum bigint NOT NULL,
    names_sum bigint NOT NULL,
    chunk_count integer NOT NULL,
    source text COLLATE "C" NOT NULL,
    path text COLLATE "C" NOT NULL,
    path_folded text COLLATE "C" NOT NULL,
    digest text COLLATE "C" NOT NULL,
    title text COLLATE "C" NOT NULL,
    type text COLLATE "C" NOT NULL,
    page_name text COLLATE "C",
    stamp text COLLATE "C",
    aliases text NOT NULL,
    details text NOT NULL,
    warnings text,
    chunks text NOT NULL,
    PRIMARY KEY (base, no)
  );
  CREATE UNIQUE INDEX documents_place ON cairn.documents (base, place);
  CREATE INDEX documents_path ON cairn.documents (base, left(source, 200), left(path, 200));
  CREATE INDEX documents_path_folded ON cairn.documents (base, left(path_folded, 200));
  CREATE INDEX documents_updated ON cairn.documents (base, updated_at);
  CREATE INDEX documents_segment ON cairn.documents (base, segment);

  CREATE TABLE cairn.names (
    base integer NOT NULL, doc integer NOT NULL, key text COLLATE "C" NOT NULL
  );
  CREATE INDEX names_doc ON cairn.names (base, doc);
  CREATE INDEX names_key ON cairn.names (base, left(key, 200));
  CREATE TABLE cairn.tags (
    base integer NOT NULL, doc integer NOT NULL, key text COLLATE "C" NOT NULL
  );
  CREATE INDEX tags_doc ON cairn.tags (base, doc);
  CREATE INDEX tags_key ON cairn.tags (base, left(key, 200));

  CREATE TABLE cairn.links (
    base integer NOT NULL,
    doc integer NOT NULL,
    ordinal integer NOT NULL,
    to_doc integer,
    line integer NOT NULL,
    attachment boolean NOT NULL,
    kind text COLLATE "C" NOT NULL,
    target text COLLATE "C" NOT NULL,
    fragment text COLLATE "C",
    label text COLLATE "C",
    key text COLLATE "C" NOT NULL,
    PRIMARY KEY (base, doc, ordinal)
  );
  CREATE INDEX links_key ON cairn.links (base, left(key, 200));
  CREATE INDEX links_to ON cairn.links (base, to_doc) WHERE to_doc IS NOT NULL;

  -- Files that did not become documents, and why.
  CREATE TABLE cairn.files (
    base integer NOT NULL,
    place bytea NOT NULL,
    size bigint NOT NULL,
    modified_at float8 NOT NULL,
    checked_at float8 NOT NULL,
    source text COLLATE "C" NOT NULL,
    path text COLLATE "C" NOT NULL,
    state text COLLATE "C" NOT NULL,
    reason text COLLATE "C",
    stamp text COLLATE "C",
    PRIMARY KEY (base, place)
  );
  CREATE INDEX files_path ON cairn.files (base, left(source, 200), left(path, 200));

  CREATE TABLE cairn.models (
    base integer NOT NULL, embedder text COLLATE "C" NOT NULL, sum bigint NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (base, embedder)
  );
  ALTER TABLE cairn.models ALTER COLUMN data SET STORAGE EXTERNAL;
  CREATE TABLE cairn.vectors (
    base integer NOT NULL,
    doc integer NOT NULL,
    embedder text COLLATE "C" NOT NULL,
    stamp bigint NOT NULL,
    sum bigint NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (base, doc, embedder)
  );
  ALTER TABLE cairn.vectors ALTER COLUMN data SET STORAGE EXTERNAL;
  CREATE INDEX vectors_stamp ON cairn.vectors (base, embedder, stamp);

  -- The last few batches by name, for those who want to be told what changed.
  CREATE TABLE cairn.changes (
    base integer NOT NULL,
    generation bigint NOT NULL,
    ordinal integer NOT NULL,
    no integer NOT NULL,
    kind text COLLATE "C" NOT NULL,
    source text COLLATE "C" NOT NULL,
    path text COLLATE "C" NOT NULL,
    PRIMARY KEY (base, generation, ordinal)
  );

  -- Numbers of segments are drawn by lot: one that was lost with its commit never comes again.
  CREATE TABLE cairn.segments (
    base integer NOT NULL,
    id bigint NOT NULL,
    ordinal bigint GENERATED ALWAYS AS IDENTITY,
    docs integer NOT NULL,
    bytes bigint NOT NULL,
    sum bigint NOT NULL,
    deleted bytea NOT NULL,
    replaced_at timestamptz,
    PRIMARY KEY (base, id)
  );
  CREATE TABLE cairn.segment_pages (
    base integer NOT NULL,
    segment bigint NOT NULL,
    stream text COLLATE "C" NOT NULL,
    page integer NOT NULL,
    sum bigint NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (base, segment, stream, page)
  );
  -- It is packed already.
  ALTER TABLE cairn.segment_pages ALTER COLUMN data SET STORAGE EXTERNAL;
  `,
  // Since when somebody has a lease.
  'ALTER TABLE cairn.leases ADD COLUMN since timestamptz NOT NULL DEFAULT clock_timestamp()',
  `
  -- What was changed. It is no part of the index, and a base that begins again finds it by its name.
  CREATE TABLE cairn.histories (
    base integer PRIMARY KEY,
    name text COLLATE "C" NOT NULL UNIQUE,
    -- Numbers are given out in the order in which operations become visible.
    last bigint NOT NULL DEFAULT 0,
    -- Rises when something is forgotten.
    pruned bigint NOT NULL DEFAULT 0
  );
  INSERT INTO cairn.histories (base, name) SELECT id, name FROM cairn.bases;
  CREATE TABLE cairn.operations (
    base integer NOT NULL,
    ordinal bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    at float8 NOT NULL,
    state text COLLATE "C" NOT NULL,
    takes_back boolean NOT NULL,
    bytes bigint NOT NULL,
    sum bigint NOT NULL,
    data_sum bigint NOT NULL,
    -- Documents and authors it speaks of.
    names text NOT NULL,
    -- All of it but the bytes that went and came, which are in data one after the other.
    record text NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (base, ordinal)
  );
  CREATE UNIQUE INDEX operations_id ON cairn.operations (base, id);
  CREATE INDEX operations_open ON cairn.operations (base, ordinal) WHERE state = 'open';
  CREATE INDEX operations_taking ON cairn.operations (base, ordinal) WHERE takes_back;
  -- Long contents by their digest, with the last operation that needs them.
  CREATE TABLE cairn.operation_contents (
    base integer NOT NULL,
    digest bytea NOT NULL,
    ordinal bigint NOT NULL,
    size bigint NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (base, digest)
  );
  CREATE INDEX operation_contents_ordinal ON cairn.operation_contents (base, ordinal);
  `,
  `
  -- Documents that have no file. They are no part of the index, and outlive it.
  CREATE SEQUENCE cairn.content_versions;
  CREATE TABLE cairn.contents (
    base integer NOT NULL,
    -- Digests of source and path, and of both in one spelling of upper and lower case.
    place bytea NOT NULL,
    folded bytea NOT NULL,
    version bigint NOT NULL,
    size bigint NOT NULL,
    modified_at float8 NOT NULL,
    born_at float8 NOT NULL,
    source text COLLATE "C" NOT NULL,
    path text COLLATE "C" NOT NULL,
    path_folded text COLLATE "C" NOT NULL,
    -- The operation that left it so.
    operation text COLLATE "C" NOT NULL,
    -- Nothing where the document was removed.
    digest text COLLATE "C",
    bytes bytea,
    PRIMARY KEY (base, place)
  );
  CREATE UNIQUE INDEX contents_folded ON cairn.contents (base, folded) WHERE digest IS NOT NULL;
  CREATE INDEX contents_path ON cairn.contents (base, source, left(path_folded, 200))
    WHERE digest IS NOT NULL;
  CREATE INDEX contents_version ON cairn.contents (base, version);
  CREATE INDEX contents_removed ON cairn.contents (base, modified_at) WHERE digest IS NULL;
  `,
  `
  -- What all servers of a base know, and nobody else.
  CREATE TABLE cairn.secrets (
    base integer NOT NULL, name text COLLATE "C" NOT NULL, value text NOT NULL,
    PRIMARY KEY (base, name)
  );
  -- Sessions whose clients have said goodbye, by digest.
  CREATE TABLE cairn.ended_sessions (
    base integer NOT NULL,
    digest bytea NOT NULL,
    ended_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (base, digest)
  );
  `,
  // See keys.ts.
  `
  CREATE INDEX names_long ON cairn.names (base, hashtextextended(key, 0)) WHERE length(key) >= 200;
  CREATE INDEX tags_long ON cairn.tags (base, hashtextextended(key, 0)) WHERE length(key) >= 200;
  CREATE INDEX links_long ON cairn.links (base, hashtextextended(key, 0)) WHERE length(key) >= 200;
  CREATE INDEX documents_path_long ON cairn.documents (base, hashtextextended(path_folded, 0))
    WHERE length(path_folded) >= 200;
  `,
  `
  -- Changes of files on their way to the server that writes them, and how they ended.
  CREATE TABLE cairn.requests (
    base integer NOT NULL,
    id text COLLATE "C" NOT NULL,
    source text COLLATE "C" NOT NULL,
    state text COLLATE "C" NOT NULL,
    taken_by text COLLATE "C",
    asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    request text NOT NULL,
    answer text,
    PRIMARY KEY (base, id)
  );
  CREATE INDEX requests_waiting ON cairn.requests (base, asked_at) WHERE state IN ('asked', 'taken');
  `,
  // Vectors in blocks; those of before are made again.
  `
  DROP TABLE cairn.vectors;
  CREATE TABLE cairn.vectors (
    base integer NOT NULL,
    doc integer NOT NULL,
    embedder text COLLATE "C" NOT NULL,
    stamp bigint NOT NULL,
    block bigint NOT NULL,
    PRIMARY KEY (base, doc, embedder)
  );
  CREATE INDEX vectors_block ON cairn.vectors (base, block);
  -- Their content is in segment_pages, under numbers that no segment has.
  CREATE TABLE cairn.vector_blocks (
    base integer NOT NULL,
    id bigint NOT NULL,
    embedder text COLLATE "C" NOT NULL,
    stamp bigint NOT NULL,
    docs integer NOT NULL,
    bytes bigint NOT NULL,
    replaced_at timestamptz,
    PRIMARY KEY (base, id)
  );
  CREATE INDEX vector_blocks_stamp ON cairn.vector_blocks (base, embedder, stamp);
  DELETE FROM cairn.models;
  UPDATE cairn.bases SET embedder = NULL, vectors = vectors + 1;
  `,
  `
  -- How far each sign-in of a client has come, and which ones ended.
  CREATE TABLE cairn.sign_ins (
    base integer NOT NULL,
    id text COLLATE "C" NOT NULL,
    step integer NOT NULL DEFAULT 0,
    ended boolean NOT NULL DEFAULT false,
    -- Of the statement that brought it here.
    mark text COLLATE "C" NOT NULL,
    until float8 NOT NULL,
    PRIMARY KEY (base, id)
  );
  CREATE INDEX sign_ins_until ON cairn.sign_ins (base, until);
  CREATE INDEX sign_ins_ended ON cairn.sign_ins (base) WHERE ended;
  `,
]

/** What is derived from the files, in tables that have a base. */
export const CONTENT_TABLES = [
  'documents',
  'names',
  'tags',
  'links',
  'files',
  'models',
  'vectors',
  'vector_blocks',
  'changes',
  'segments',
  'segment_pages',
  'meta',
] as const
