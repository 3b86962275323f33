/**
 * Every tool, resource and route against every kind of caller, made up from the tables. What a table
 * does not allow is not reached; what it allows is.
 */
import { expect, it, vi } from 'vitest'
import { PERMISSIONS } from '../../src/core/domain/caller.ts'
import type { Permission } from '../../src/core/domain/caller.ts'
import { acdcTools } from '../../src/vocabularies/acdc/tools.ts'
import { cortexTools } from '../../src/vocabularies/cortex/tools.ts'
import { duskmantleTools } from '../../src/vocabularies/duskmantle/tools.ts'
import { nativeTools } from '../../src/serve/native/tools.ts'
import { nexusTools } from '../../src/vocabularies/nexus/tools.ts'
import { rouxTools } from '../../src/vocabularies/roux/tools.ts'
import { permissionFor } from '../../src/serve/door/tool.ts'
import type { ToolDescription } from '../../src/serve/door/tool.ts'
import { WATCH_PATHS } from '../../src/serve/transports/http/watch-mount.ts'
import { noteRoutes } from '../../src/vocabularies/nexus/routes/note-routes.ts'
import { bearer, messageOf, openForeignIssuer, serveWorld, SURFACES } from './world.ts'
import type { Credentials, SurfaceWord, World } from './world.ts'

// More than the usual minute, for a machine that has much else to do.
vi.setConfig({ testTimeout: 300_000 })

const TABLES: Readonly<Record<SurfaceWord, readonly ToolDescription[]>> = {
  native: nativeTools,
  roux: rouxTools,
  nexus: nexusTools,
  acdc: acdcTools,
  cortex: cortexTools,
  duskmantle: duskmantleTools,
}

const SOURCES = {
  notes: {
    'public/tea.md': '---\nname: Tea\ndescription: How to\n---\n# Tea\nA [[kettle]].\n',
    'secret/plan.md': '# Plan\nOurs.\n',
  },
  brain: {
    'knowledge/entities/concepts.jsonl':
      '{"id":"cup","type":"concept","name":"Cup","desc":"x","tags":[],"updated_at":"2026-02-14"}\n',
  },
}

interface Principal {
  readonly name: string
  readonly credentials: Credentials
  /** Undefined: nobody we know. */
  readonly may: readonly Permission[] | undefined
  /** Sees or writes a part of the base only. */
  readonly narrow?: boolean
}

async function everyKind(): Promise<{ world: World; principals: readonly Principal[] }> {
  const audience = 'https://kb.example'
  const { issuer, sign } = await openForeignIssuer()
  const world = await serveWorld({ sources: SOURCES, access: { issuer, audience } })
  const read = ['read'] as const
  const write = ['read', 'write'] as const
  const revoked = world.token('revoked', { may: PERMISSIONS })
  world.tokens.revoke('revoked')
  const basic = (token: string): Credentials => ({
    authorization: `Basic ${Buffer.from(`ann:${token}`).toString('base64')}`,
  })
  const principals: Principal[] = [
    { name: 'none', credentials: {}, may: undefined },
    { name: 'nonsense', credentials: bearer('nonsense'), may: undefined },
    { name: 'revoked', credentials: bearer(revoked), may: undefined },
    {
      name: 'expired',
      credentials: bearer(
        world.token('expired', { may: PERMISSIONS, expiresAt: '2026-01-01T00:00:00Z' }),
      ),
      may: undefined,
    },
    { name: 'without', credentials: bearer(world.token('without', { may: [] })), may: [] },
    { name: 'read', credentials: bearer(world.token('read', { may: read })), may: read },
    { name: 'write', credentials: bearer(world.token('write', { may: write })), may: write },
    // Who may write may read.
    {
      name: 'write alone',
      credentials: bearer(world.token('write-alone', { may: ['write'] })),
      may: write,
    },
    { name: 'jwt to write', credentials: bearer(await sign('write', audience)), may: write },
    {
      name: 'maintain',
      credentials: bearer(world.token('maintain', { may: PERMISSIONS })),
      may: PERMISSIONS,
    },
    {
      name: 'by source',
      credentials: bearer(world.token('by-source', { may: write, see: ['notes'] })),
      may: write,
      narrow: true,
    },
    {
      name: 'by path',
      credentials: bearer(world.token('by-path', { may: write, hide: ['notes/secret'] })),
      may: write,
      narrow: true,
    },
    {
      name: 'writes by path',
      credentials: bearer(world.token('inbox', { may: write, write: ['notes/inbox'] })),
      may: write,
      narrow: true,
    },
    { name: 'basic', credentials: basic(world.token('basic', { may: read })), may: read },
    { name: 'key', credentials: { 'x-api-key': world.token('key', { may: read }) }, may: read },
    { name: 'jwt', credentials: bearer(await sign('read', audience)), may: read },
    {
      name: 'jwt for another',
      credentials: bearer(await sign('read write maintain', 'https://elsewhere.example')),
      may: undefined,
    },
    {
      name: 'jwt that ended',
      credentials: bearer(await sign('read write maintain', audience, '-5m')),
      may: undefined,
    },
  ]
  return { world, principals }
}

type Reached = 'stranger' | 'refused' | 'absent' | 'reached'

/** How far a call came: not in, in and not further, or to the tool itself. */
async function reached(response: Response): Promise<Reached> {
  if (response.status === 401) return 'stranger'
  if (response.status === 403) return 'refused'
  const { result, error } = await messageOf(response)
  const said = JSON.stringify(result ?? error)
  if (/unknown tool|is no tool/i.test(said)) return 'absent'
  const forbidden = /may not call|forbidden|needs the permission/i.test(said)
  return (error || result?.isError) && forbidden ? 'refused' : 'reached'
}

function expected(
  surface: string,
  row: ToolDescription,
  { name, may, narrow }: Principal,
): Reached {
  if (!may) return 'stranger'
  // What cannot be told for a part of the base is not told to who sees a part.
  if (narrow && surface === 'duskmantle') return 'refused'
  // Nothing of the graph is seen.
  if (name === 'by source' && surface === 'cortex') return 'absent'
  return may.includes(permissionFor(row)) ? 'reached' : 'refused'
}

it('lets every caller reach the tools that the tables allow, and no other', async () => {
  const { world, principals } = await everyKind()
  const wrong: unknown[] = []
  let tried = 0
  for (const surface of SURFACES) {
    const everything = principals.find(({ name }) => name === 'maintain')!.credentials
    const { result: full } = await messageOf(await world.rpc(surface, everything, 'tools/list'))
    const isThere = (tool: string): boolean =>
      full.tools.some(({ name }: { name: string }) => name === tool)
    for (const row of TABLES[surface]) {
      for (const principal of principals) {
        // An argument that no tool has: whoever gets as far as reading it has been let in.
        const call = { name: row.name, arguments: { no_such_argument: 1 } }
        const got = await reached(
          await world.rpc(surface, principal.credentials, 'tools/call', call),
        )
        const wanted = expected(surface, row, principal)
        // A tool that this base has no use for is there for nobody.
        if (got === 'absent' && !isThere(row.name)) continue
        if (got !== wanted) wrong.push([surface, row.name, principal.name, got, wanted])
        tried++
      }
    }
    for (const { name, credentials, may, narrow } of principals) {
      const response = await world.rpc(surface, credentials, 'tools/list')
      if (!may || (narrow && surface === 'duskmantle')) {
        if (response.ok) wrong.push([surface, 'tools/list', name])
        continue
      }
      const { result } = await messageOf(response)
      const allowed = TABLES[surface].filter((row) => may.includes(permissionFor(row)))
      const listed = result.tools.map((tool: { name: string }) => tool.name)
      const extra = listed.filter((tool: string) => !allowed.some((row) => row.name === tool))
      if (extra.length > 0) wrong.push([surface, 'tools/list', name, extra])
      // Asked again, the list is the same.
      const again = await messageOf(await world.rpc(surface, credentials, 'tools/list'))
      if (JSON.stringify(again.result.tools) !== JSON.stringify(result.tools)) {
        wrong.push([surface, 'another list', name])
      }
    }
  }
  expect(wrong).toEqual([])
  expect(tried).toBeGreaterThan(400)
})

it('lets every caller read resources and prompts who may read, and no other', async () => {
  const { world, principals } = await everyKind()
  const wrong: unknown[] = []
  const requests = [
    ['native', 'resources/list', {}],
    ['native', 'resources/read', { uri: 'kb://notes/public/tea.md' }],
    ['acdc', 'prompts/list', {}],
    [
      'native',
      'completion/complete',
      {
        ref: { type: 'ref/resource', uri: 'kb://{source}/{+path}' },
        argument: { name: 'path', value: 'p' },
      },
    ],
  ] as const
  for (const [surface, method, params] of requests) {
    for (const { name, credentials, may } of principals) {
      const got = await reached(await world.rpc(surface, credentials, method, params))
      const wanted = !may ? 'stranger' : may.includes('read') ? 'reached' : 'refused'
      if (got !== wanted) wrong.push([method, name, got, wanted])
    }
  }
  expect(wrong).toEqual([])
})

it('lets every caller use the routes that their permissions allow, and no other', async () => {
  const { world, principals } = await everyKind()
  const web = { 'x-cairn': '1', 'content-type': 'application/json' }
  const routes: { method: string; path: string; need: Permission | 'nothing' | 'known' }[] = [
    ...Object.entries(noteRoutes).flatMap(([path, all]) =>
      all.map(({ method, need }) => ({ method, path: path.replace('*', 'nobody'), need })),
    ),
    { method: 'GET', path: '/api/mcp', need: 'read' },
    ...WATCH_PATHS.map((path) => ({
      method: 'GET',
      path,
      need: path === '/metrics' ? ('maintain' as const) : ('nothing' as const),
    })),
    { method: 'GET', path: '/health', need: 'nothing' },
    { method: 'GET', path: '/.well-known/oauth-protected-resource', need: 'nothing' },
    { method: 'POST', path: '/web/read/facts', need: 'read' },
    { method: 'GET', path: '/web/graph', need: 'read' },
    { method: 'GET', path: '/web/file/notes/a.png', need: 'read' },
    { method: 'POST', path: '/web/call/search', need: 'read' },
    { method: 'POST', path: '/web/call/write', need: 'write' },
    { method: 'GET', path: '/', need: 'known' },
  ]
  const wrong: unknown[] = []
  for (const { method, path, need } of routes) {
    for (const { name, credentials, may } of principals) {
      const response = await world.fetch(path, {
        method,
        headers: { ...credentials, ...web },
        ...(method !== 'GET' && method !== 'DELETE' && { body: '{}' }),
      })
      await response.body?.cancel()
      const got =
        response.status === 401 ? 'stranger' : response.status === 403 ? 'refused' : 'reached'
      const wanted =
        need === 'nothing'
          ? 'reached'
          : !may
            ? 'stranger'
            : need === 'known' || may.includes(need)
              ? 'reached'
              : 'refused'
      if (got !== wanted) wrong.push([method, path, name, response.status, wanted])
    }
  }
  expect(wrong).toEqual([])
})
