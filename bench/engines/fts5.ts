/**
 * SQLite FTS5 in Node's own driver. On disk it is what one would really use: a table with the text,
 * an index over it, safe after every commit. Bare, in memory and without text, it is as fast as FTS5
 * can build.
 */
import { DatabaseSync } from 'node:sqlite'
import type { Manner, Question } from '../questions.ts'
import { parseNote, type NoteFile } from '../vault.ts'
import { LIMIT, onlyWords, startClocks, wordsOf, withWord } from './engine.ts'
import type { BuildFigures, Corpus, Engine, UpdateFigures } from './engine.ts'

const TOKENIZE = `tokenize = 'porter unicode61'`

const ON_DISK = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA cache_size = -65536;
  PRAGMA mmap_size = 1073741824;
  CREATE TABLE passages (id INTEGER PRIMARY KEY, path TEXT, title TEXT, text TEXT);
  CREATE INDEX passages_path ON passages (path);
  CREATE TABLE tags (tag TEXT, path TEXT, PRIMARY KEY (tag, path)) WITHOUT ROWID;
  CREATE VIRTUAL TABLE words USING fts5(
    title, text, content = 'passages', content_rowid = 'id', ${TOKENIZE}
  );`

const BARE = `CREATE VIRTUAL TABLE words USING fts5(title, text, content = '', ${TOKENIZE});`

/** Sorting by \`rank\` is sorting by bm25(), in the form FTS5 does fastest. */
const RANK = `INSERT INTO words(words, rank) VALUES ('rank', 'bm25(4.0, 1.0)')`
const SEARCH = `SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT ${LIMIT}`
const JOINED = `SELECT words.rowid FROM words JOIN passages ON passages.id = words.rowid
  WHERE words MATCH ? AND`
const IN_FOLDER = `${JOINED} path >= ? AND path < ? ORDER BY rank LIMIT ${LIMIT}`
const WITH_TAG = `${JOINED} path IN (SELECT path FROM tags WHERE tag = ?) ORDER BY rank LIMIT ${LIMIT}`

export function openFts5(file: string): Engine {
  const bare = file === ':memory:'
  const database = new DatabaseSync(file)
  database.exec(bare ? BARE : ON_DISK)
  const prepare = (sql: string) => database.prepare(sql)
  let nextId = 1

  const addWords = prepare('INSERT INTO words(rowid, title, text) VALUES (?, ?, ?)')
  const addText = bare
    ? undefined
    : prepare('INSERT INTO passages(id, path, title, text) VALUES (?, ?, ?, ?)')
  const addTag = bare ? undefined : prepare('INSERT OR IGNORE INTO tags(tag, path) VALUES (?, ?)')

  const add = (path: string, title: string, passages: readonly string[]): void => {
    for (const text of passages) {
      const id = nextId++
      addText?.run(id, path, title, text)
      addWords.run(id, title, text)
    }
  }
  const search = prepare(SEARCH)
  const inFolder = bare ? undefined : prepare(IN_FOLDER)
  const withTag = bare ? undefined : prepare(WITH_TAG)
  const anyOf = (question: Question): string =>
    wordsOf(question)
      .map((word) => `"${word}"`)
      .join(' OR ')

  const manners: Partial<Record<Manner, (question: Question) => number>> = {
    words: (question) => search.all(anyOf(question)).length,
    phrase: ({ text }) => search.all(`"${text}"`).length,
    filtered: (question) => {
      const { path = '', tag } = question
      if (tag !== undefined) return withTag!.all(anyOf(question), tag).length
      return inFolder!.all(anyOf(question), path, `${path}\u{10ffff}`).length
    },
  }

  return {
    build({ notes }: Corpus): BuildFigures {
      const clocks = startClocks()
      database.exec('BEGIN')
      database.exec(RANK)
      for (const { path, title, tags, passages } of notes) {
        add(path, title, passages)
        if (addTag) for (const tag of tags) addTag.run(tag, path)
      }
      database.exec('COMMIT')
      return onlyWords(clocks())
    },
    search: (manner) => (bare ? undefined : manners[manner]),
    update(note: NoteFile, word: string): UpdateFigures {
      const { path, title, passages } = parseNote(withWord(note, word))
      const begin = performance.now()
      database.exec('BEGIN')
      const old = prepare('SELECT id, title, text FROM passages WHERE path = ?').all(path)
      const forget = prepare(
        `INSERT INTO words(words, rowid, title, text) VALUES ('delete', ?, ?, ?)`,
      )
      for (const row of old) forget.run(row['id']!, row['title']!, row['text']!)
      prepare('DELETE FROM passages WHERE path = ?').run(path)
      add(path, title, passages)
      database.exec('COMMIT')
      const committedMs = performance.now() - begin
      if (search.all(`"${word}"`).length !== 1) throw new Error(`An edit was not found: ${path}`)
      return { committedMs, searchableMs: performance.now() - begin }
    },
    close: () => database.close(),
  }
}
