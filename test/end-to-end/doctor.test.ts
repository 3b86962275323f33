/** Everything doctor looks for, and that its advice is for the base that was asked about. */
import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cairnJson, runCairn } from '../support/cairn-process.ts'
import { temporaryFolder, writeFiles } from '../support/temporary-folder.ts'

interface Finding {
  readonly level: string
  readonly what: string
  readonly fix?: string
}

async function findings(folder: string, home = '/nobody'): Promise<readonly Finding[]> {
  const { stdout } = await runCairn(['doctor', folder, '--json'], { env: { HOME: home } })
  return JSON.parse(stdout).findings
}

it('has nothing to say about a healthy base', async () => {
  const folder = temporaryFolder({ 'a.md': '# A\n\nSee [[b]].\n', 'b.md': '# B\n' })
  await cairnJson(['index', folder])
  const all = await findings(folder)
  expect(all.filter(({ level }) => level !== 'ok')).toEqual([])
  expect(all.map(({ what }) => what).join('\n')).toMatch(
    /Node \d+[^]*private and writable[^]*native sees 2/,
  )
})

it('finds what is wrong with documents, each with what mends it', async () => {
  const folder = temporaryFolder({
    'caf\u00e9.md': 'One',
    'cafe\u0301.md': 'Two',
    'Copy.md': 'The same text\n',
    'copy of it.md': 'The same text\n',
    'latin.md': new Uint8Array([0x63, 0x61, 0x66, 0xe9, 0x0a]),
    'lost.md': 'caf\uFFFD\n',
    'keys.md': `Key: ${['AKIA', 'IOSFODNN7EXAMPLE'].join('')}\n`,
    'token.md': `${['ghp', 'a'.repeat(36)].join('_')}\n`,
    'broken.md': '[[nowhere]]\n',
  })
  // Where names that differ only in accents are one file, there is nothing to find.
  const clashes =
    existsSync(join(folder, 'cafe\u0301.md')) && existsSync(join(folder, 'caf\u00e9.md'))
  await cairnJson(['index', folder])
  const all = (await findings(folder)).filter(({ level }) => level !== 'ok')
  const said = all.map(({ what }) => what).join('\n')
  expect(said).toMatch(/1 file .*U\+FFFD/)
  if (clashes) expect(said).toContain('differ only in case or accents')
  expect(said).toContain('are copies of each other (Copy.md, copy of it.md)')
  expect(said).not.toContain('cairn delete')
  expect(said).toContain('an AWS key (keys.md)')
  expect(said).toContain('a GitHub token (token.md)')
  expect(said).not.toContain('IOSFODNN7')
  expect(said).toContain('lead nowhere'.replace('lead nowhere', 'links point at documents'))
  for (const { fix } of all) expect(fix).toMatch(/\S/)
  // Advice that begins with the program runs as it stands.
  const lines = all.flatMap(({ fix = '' }) => (/^cairn (grep|insights)/.test(fix) ? [fix] : []))
  expect(lines.length).toBeGreaterThanOrEqual(2)
  for (const line of lines) {
    const words = [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((m) => m[1] ?? m[2] ?? m[3]!)
    expect([line, (await runCairn(words.slice(1))).code]).toEqual([line, 0])
  }
})

it('finds a state folder that others may read', async () => {
  const folder = temporaryFolder({ 'a.md': 'A\n' })
  await cairnJson(['index', folder])
  chmodSync(join(folder, '.cairn'), 0o755)
  const [finding] = (await findings(folder)).filter(({ what }) => what.includes('may look into'))
  // Opening a base may close the door again by itself.
  if (finding) expect(finding.fix).toContain('go-rwx')
  else expect(statSync(join(folder, '.cairn')).mode & 0o077).toBe(0)
})

it('finds clients that would start what is no longer there', async () => {
  const home = temporaryFolder()
  const folder = join(home, 'notes')
  writeFiles(folder, { 'a.md': 'A\n' })
  mkdirSync(join(home, '.cursor'))
  await runCairn(['connect', 'cursor', '--yes', '--folder', folder], { env: { HOME: home } })
  const before = await findings(folder, home)
  expect(before).toContainEqual({
    level: 'ok',
    what: expect.stringContaining('Cursor is connected'),
  })
  const gone = JSON.stringify({
    mcpServers: { cairn: { command: '/gone/node', args: ['serve', `x=${home}/gone`] } },
  })
  writeFileSync(join(home, '.cursor', 'mcp.json'), gone)
  writeFiles(home, { '.codex/config.toml': 'a = = 1' })
  const after = await findings(folder, home)
  expect(after).toContainEqual({
    level: 'error',
    what: expect.stringContaining(`/gone/node, ${home}/gone`),
    fix: 'cairn connect cursor',
  })
  expect(after.find(({ what }) => what.includes('Codex'))).toMatchObject({ level: 'warning' })
  expect((await runCairn(['doctor', folder], { env: { HOME: home } })).code).toBe(1)
})

it('says what each vocabulary sees', async () => {
  const folder = temporaryFolder({ 'a b.md': '# One\n', 'a-b.md': '# Two\n', 'c.txt': 'Three\n' })
  writeFiles(folder, { 'cairn.yaml': 'sources: [.]\n' })
  await cairnJson(['index', folder])
  const { stdout } = await runCairn(['doctor', folder, '--json'], {
    env: { CAIRN_SURFACES: 'native,roux,nexus' },
  })
  const said = (JSON.parse(stdout).findings as Finding[]).map(({ what }) => what).join('\n')
  expect(said).toContain('native sees 3 documents')
  expect(said).toContain('roux sees 2 documents')
  expect(said).toMatch(/nexus sees \d documents/)
})
