/** Files and texts that are taken into the repository. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadDuskmantleSettings } from '../../src/vocabularies/duskmantle/start/duskmantle-settings.ts'
import { contentPath, textFileName } from '../../src/vocabularies/duskmantle/content-place.ts'
import { DUSKMANTLE_DEFAULTS } from '../../src/vocabularies/duskmantle/settings.ts'
import { startCairn } from '../support/cairn-process.ts'
import { converse } from '../support/stdio-session.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { verifies } from '../support/verifies.ts'
import { openDuskmantle } from './open-duskmantle.ts'

const RELEASE = {
  title: 'Release Notes',
  content: '# Release 1.2\n\nDetails',
  destination: 'docs/uploads/',
  subsystem: 'Deployment',
  tags: ['release', 'notes'],
  metadata: { author: 'ada', nothing: null, odd: 'yes: #no' },
}

const HELLO = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
}

const linesOf = (file: string) =>
  (existsSync(file) ? readFileSync(file, 'utf8') : '').split('\n').filter(Boolean)

describe('km-storetext', () => {
  it('writes a text with front matter, once', async () => {
    verifies('duskmantle:check-13-storetext')
    verifies('duskmantle:storetext-body')
    verifies('duskmantle:storetext-answer')
    const { call, folder, base } = await openDuskmantle()
    const stored = await call('km-storetext', RELEASE)
    const file = join(folder, 'docs/uploads/release-notes.md')
    expect(stored).toEqual({
      status: 'success',
      stored_path: file,
      relative_path: 'docs/uploads/release-notes.md',
      ingest_triggered: false,
      ingest_run: null,
    })
    expect(readFileSync(file, 'utf8')).toBe(
      [
        '---',
        'title: Release Notes',
        'subsystem: Deployment',
        'tags: [release, notes]',
        'author: ada',
        'odd: "yes: #no"',
        '---',
        '',
        '# Release 1.2',
        '',
        'Details',
        '',
      ].join('\n'),
    )
    expect((await call('km-storetext', RELEASE))['error'].code).toBe('invalid_request')
    const again = await call('km-storetext', { ...RELEASE, overwrite: true, ingest: true })
    expect(again).toMatchObject({
      status: 'success',
      ingest_triggered: true,
      ingest_run: { profile: 'manual', success: true },
    })
    const found = await call('km-search', {
      query: 'release details',
      filters: { subsystems: ['Deployment'], tags: ['release'] },
    })
    expect(found['results'][0].chunk.artifact_path).toBe('docs/uploads/release-notes.md')
    for (const content of ['', '  \n ']) {
      expect((await call('km-storetext', { content }))['error'].code).toBe('invalid_request')
    }
    const log = linesOf(join(base.state, 'audit/mcp_actions.log')).map((line) => JSON.parse(line))
    expect(log).toHaveLength(2)
    expect(log[0]).toMatchObject({
      tool: 'km-storetext',
      relative_path: 'docs/uploads/release-notes.md',
      title: 'Release Notes',
      ingest_triggered: false,
    })
    expect(log[0].timestamp).toMatch(/^\d{4}-.*Z$/)
    expect(base.bugs).toEqual([])
  })

  it('needs no front matter, and keeps what a text brings', async () => {
    const { call, folder } = await openDuskmantle()
    const plain = await call('km-storetext', { content: 'Only words\n', destination: 'docs/a.md' })
    expect(readFileSync(plain['stored_path'], 'utf8')).toBe('Only words\n')
    const own = '---\ntitle: Mine\n---\nText'
    await call('km-storetext', { content: own, subsystem: 'Core', destination: 'docs/b.md' })
    expect(readFileSync(join(folder, 'docs/b.md'), 'utf8')).toBe(
      '---\ntitle: Mine\nsubsystem: Core\n---\nText\n',
    )
    const code = await call('km-storetext', {
      content: 'x = 1',
      title: 'X',
      destination: 'src/x.py',
    })
    expect(code['error'].code).toBe('invalid_request')
  })

  it('can be undone like any other edit', async () => {
    const { call, base, folder } = await openDuskmantle()
    const stored = await call('km-storetext', { content: 'Words', title: 'Gone soon' })
    expect(stored['relative_path']).toBe('docs/gone-soon.md')
    expect(
      await base.call('history', { action: 'undo', id: 'notes/docs/gone-soon.md' }),
    ).not.toHaveProperty('error')
    expect(existsSync(join(folder, 'docs/gone-soon.md'))).toBe(false)
  })

  it.each([
    ['Release Notes', 'release-notes.md'],
    ['Über  Größe / Ähnliches!', 'uber-groe-ahnliches.md'],
    ['漢字', '漢字.md'],
    ['Заметки о выпуске', 'заметки-о-выпуске.md'],
    ['第1章', '第1章.md'],
    ['2026', '2026.md'],
    ['!!!', 'note.md'],
    ['漢'.repeat(200), `${'漢'.repeat(40)}.md`],
    ['../../etc/passwd', 'etc-passwd.md'],
    [undefined, 'note-20250927-195120.md'],
  ])('calls %s %s', (title, name) => {
    expect(textFileName(title, new Date('2025-09-27T19:51:20.123Z'))).toBe(name)
  })
})

describe('km-upload', () => {
  const host = (files: Record<string, string | Uint8Array>) => temporaryFolder(files)

  it('takes every kind of text file', async () => {
    verifies('duskmantle:upload-kinds')
    const { call, folder } = await openDuskmantle()
    const names = `
      a.md a.txt a.rst a.adoc a.py a.go a.rs a.java a.kt a.swift a.ts a.vue a.css a.html
      a.xml a.csv a.log a.sql a.sh a.ps1 a.json a.yaml a.toml a.ini a.properties a.tf
      a.graphql a.proto Makefile Dockerfile LICENSE
    `
      .trim()
      .split(/\s+/)
    const outside = host(Object.fromEntries(names.map((name) => [name, 'Words of ours\n'])))
    for (const name of names) {
      const answer = await call('km-upload', { source_path: join(outside, name), ingest: false })
      expect([name, answer['status']]).toEqual([name, 'success'])
      expect(readFileSync(join(folder, 'docs', name), 'utf8')).toBe('Words of ours\n')
    }
    await call('km-ingest-trigger')
    const { artifacts } = await call('km-coverage-summary')
    const paths = artifacts.map(({ path }: { path: string }) => path)
    expect(paths).toEqual(expect.arrayContaining(names.map((name) => `docs/${name}`)))
  })

  it('goes to the content root, whichever way the repository was named', async () => {
    verifies('duskmantle:content-root')
    const folder = temporaryFolder({ 'notes/a.md': '# A\n', 'README.md': 'Hello\n' })
    const env = { KM_ADMIN_TOKEN: 'a', KM_CONTENT_ROOT: join(folder, 'notes') }
    const upload = async (words: readonly string[], more: Readonly<Record<string, string>>) => {
      const state = { KM_STATE_PATH: temporaryFolder({}) }
      const session = converse(startCairn(words, { env: { ...env, ...state, ...more } }))
      await session.request('initialize', HELLO)
      return session.call('km-storetext', { content: 'Words', title: `by ${words.length}` })
    }
    expect(await upload(['duskmantle', folder], {})).toMatchObject({
      status: 'success',
      relative_path: 'docs/by-2.md',
    })
    await upload(['duskmantle'], { KM_REPO_PATH: folder })
    await upload(['serve', folder, '--surface', 'duskmantle'], {})
    for (const name of ['by-1', 'by-2', 'by-4']) {
      expect(existsSync(join(folder, `notes/docs/${name}.md`))).toBe(true)
    }
    const elsewhere = { KM_CONTENT_ROOT: temporaryFolder({}) }
    const refused = startCairn(['duskmantle', folder], { env: { ...env, ...elsewhere } })
    expect((await refused.ended).code).not.toBe(0)
    expect(refused.stderr()).toContain('is not below the repository')
  })

  it('copies a file, and writes it down', async () => {
    verifies('duskmantle:check-14-upload')
    verifies('duskmantle:upload-copies')
    verifies('duskmantle:upload-answer')
    verifies('duskmantle:upload-refused')
    const { call, folder, base } = await openDuskmantle()
    const outside = host({ 'design.md': '# Design\r\n\r\nOur plan', 'photo.png': 'not text' })
    const log = join(base.state, 'audit/mcp_actions.log')
    const source_path = join(outside, 'design.md')
    const stored = await call('km-upload', { source_path, destination: 'docs/uploads/' })
    expect(stored).toEqual({
      status: 'success',
      stored_path: join(folder, 'docs/uploads/design.md'),
      relative_path: 'docs/uploads/design.md',
      overwritten: false,
      ingest_triggered: false,
      ingest_run: null,
    })
    expect(readFileSync(stored['stored_path'], 'utf8')).toBe('# Design\r\n\r\nOur plan')
    expect(linesOf(log)).toHaveLength(1)
    const usual = await call('km-upload', { source_path })
    expect(usual['relative_path']).toBe('docs/design.md')
    const again = await call('km-upload', { source_path, overwrite: true })
    expect(again).toMatchObject({ relative_path: 'docs/design.md', overwritten: true })
    const before = linesOf(log).length
    const refused = [
      { source_path },
      { source_path, destination: '../x.md' },
      { source_path, destination: 'docs/../../x.md' },
      { source_path, destination: '/etc/x.md' },
      { source_path, destination: '.git/hooks/x.md' },
      { source_path, destination: '.cairn/x.md' },
      { source_path: join(outside, 'nope.md') },
      { source_path: outside },
      { source_path: '/dev/zero', destination: 'docs/zero.md' },
      { source_path: ' ' },
      { source_path: 'a\0b' },
      { source_path: join(outside, 'photo.png') },
    ]
    for (const args of refused) {
      expect([args, (await call('km-upload', args))['error']?.code]).toEqual([
        args,
        'invalid_request',
      ])
    }
    expect(existsSync(join(dirname(folder), 'x.md'))).toBe(false)
    expect(linesOf(log)).toHaveLength(before)
    expect(base.bugs).toEqual([])
    const found = await call('km-search', { query: 'design plan', limit: 1 })
    expect(found['results'][0].chunk.text).toContain('Our plan')
  })

  it('follows no link out of the allowed folders, nor into others of the root', async () => {
    const outside = host({ 'in/a.md': 'A', 'out/b.md': 'B' })
    symlinkSync(join(outside, 'out/b.md'), join(outside, 'in/b.md'))
    const { call, folder } = await openDuskmantle({
      settings: {
        uploads: {
          ...DUSKMANTLE_DEFAULTS.uploads,
          allowedRoots: [join(outside, 'in')],
          maxBytes: 5,
        },
      },
    })
    const upload = (source_path: string, destination?: string) =>
      call('km-upload', { source_path, destination })
    expect((await upload(join(outside, 'in/a.md')))['status']).toBe('success')
    expect((await upload(join(outside, 'in/b.md')))['error'].code).toBe('invalid_request')
    expect((await upload(join(outside, 'out/b.md')))['error'].code).toBe('invalid_request')
    writeFileSync(join(outside, 'in/long.md'), 'longer than five')
    expect((await upload(join(outside, 'in/long.md')))['error'].message).toContain('16 bytes')
    mkdirSync(join(folder, 'real'))
    symlinkSync(outside, join(folder, 'docs/away'))
    expect((await upload(join(outside, 'in/a.md'), 'docs/away/'))['error'].code).toBe(
      'invalid_request',
    )
    expect(existsSync(join(outside, 'a.md'))).toBe(false)
  })

  it('says that the ingestion failed, and keeps the file', async () => {
    verifies('duskmantle:upload-ingest-failed')
    const { call, base, folder } = await openDuskmantle()
    mkdirSync(join(base.state, 'reports'), { recursive: true })
    writeFileSync(join(base.state, 'reports/ingest.lock'), String(process.pid))
    const source_path = join(host({ 'a.md': 'A' }), 'a.md')
    const answer = await call('km-upload', { source_path, ingest: true })
    expect(answer['error'].code).toBe('upstream_error')
    expect(readFileSync(join(folder, 'docs/a.md'), 'utf8')).toBe('A')
  })
})

describe('the environment', () => {
  const load = (env: Record<string, string>) =>
    loadDuskmantleSettings({ env, strict: true }).uploads

  it('says where content goes', async () => {
    verifies('duskmantle:content-environment')
    expect(load({})).toEqual(DUSKMANTLE_DEFAULTS.uploads)
    const uploads = load({
      KM_REPO_PATH: '/repo',
      KM_CONTENT_ROOT: '/repo/content',
      KM_CONTENT_DOCS_SUBDIR: 'inbox',
      KM_UPLOAD_DEFAULT_OVERWRITE: 'true',
      KM_UPLOAD_DEFAULT_INGEST: 'true',
    })
    expect(uploads).toMatchObject({ contentFolder: 'content', overwrite: true, ingest: true })
    const { call, folder } = await openDuskmantle({ settings: { uploads } })
    const stored = await call('km-storetext', { content: 'Words', title: 'Note' })
    expect(stored).toMatchObject({
      relative_path: 'inbox/note.md',
      stored_path: join(folder, 'content/inbox/note.md'),
      ingest_triggered: true,
    })
    expect((await call('km-storetext', { content: 'Other', title: 'Note' }))['status']).toBe(
      'success',
    )
    expect(() => load({ KM_REPO_PATH: '/repo', KM_CONTENT_ROOT: '/elsewhere' })).toThrow(/below/)
  })

  it.each([
    [undefined, 'docs/x.md'],
    ['', 'docs/x.md'],
    ['notes', 'notes/x.md'],
    ['notes/', 'notes/x.md'],
    ['v1.2/', 'v1.2/x.md'],
    ['notes/y.txt', 'notes/y.txt'],
    ['/repository/notes/', 'notes/x.md'],
  ])('takes the destination %j for %s', (destination, path) => {
    expect(contentPath(destination, 'x.md', { docsFolder: 'docs' }, '/repository')).toBe(path)
  })
})
