/** What one does to notes besides typing, in a real browser: tasks are ticked, notes are deleted. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { SOON } from '../support/soon.ts'
import { BROWSER, NO_BROWSER } from './browser.ts'
import { closeBrowser, expectNoFaults, startBrowser, untilSaid } from './page.ts'
import { open, openAs } from './people.ts'
import { ask, serve, untilIndexed, type Served } from './served.ts'

const today = (): string => {
  const now = new Date()
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}

const TASKS = [
  '# Tasks',
  '',
  '- [ ] buy *tea*',
  '  - [ ] green',
  '- [/] boil water',
  '- [-] find the cup',
  '- [x] light the stove',
  '',
  '```',
  '- [ ] an example',
  '```',
  '',
].join('\r\n')

const FILES = {
  'tasks.md': TASKS,
  'evil.md': '# <img src=x onerror=alert(1)>\n\n- [ ] <img src=x onerror=alert(2)> ]] | x\n',
  'kettle.md': '# Kettle\n\nCopper.\n',
  'water.md': '# Water\n\nWe pour it from the [[kettle]] every day.\n',
  'fire.md': '# Fire\n\nBelow the [kettle](kettle.md).\n',
  'lone.md': '# Lone\n\nNobody links here.\n',
  'team/plan.md': `# Plan\n\n- [ ] ask [[nobody|Ada]] 📅 ${today()}\n`,
}
const COUNT = Object.keys(FILES).length

async function served(flags: readonly string[] = []): Promise<Served> {
  const made = await serve(onTestFinished, { files: FILES, bare: true, flags })
  await untilIndexed(made, COUNT)
  return made
}

const textOf = ({ folder }: Served, path: string): string =>
  readFileSync(join(folder, path), 'utf8')
const box = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true })
const poll = <Value>(look: () => Value | Promise<Value>) => expect.poll(look, SOON)
const checked = (page: Page, name: string) => box(page, name).getAttribute('aria-checked')

beforeAll(async () => {
  if (BROWSER) await startBrowser()
})

afterAll(closeBrowser)

describe.skipIf(!BROWSER)(BROWSER ? 'a task' : NO_BROWSER, () => {
  it('is ticked by mouse, in one line, and taken back from the foot', async () => {
    const base = await served()
    const { page, faults } = await open(base, '/n/handbook/tasks.md')
    await box(page, 'buy tea').click()
    await untilSaid(page, 'Done: buy tea')
    expect(textOf(base, 'tasks.md')).toBe(TASKS.replace('[ ] buy', '[x] buy'))
    await poll(() => checked(page, 'buy tea')).toBe('true')
    await page.locator('.foot').getByRole('button', { name: 'Undo', exact: true }).click()
    await poll(() => checked(page, 'buy tea')).toBe('false')
    expect(textOf(base, 'tasks.md')).toBe(TASKS)
    expect(await page.locator('.prose pre [role=checkbox]').count()).toBe(0)
    expect(faults).toEqual([])
  })

  it('has states by keyboard, keeps the keys, and `u` takes the last one back', async () => {
    const base = await served()
    const { page, faults } = await open(base, '/n/handbook/tasks.md')
    await box(page, 'green').focus()
    await page.keyboard.press('/')
    await poll(() => textOf(base, 'tasks.md')).toContain('  - [/] green\r\n')
    await poll(() => checked(page, 'green')).toBe('mixed')
    // The text was drawn anew, and the keys are where they were.
    await poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe('green')
    await page.keyboard.press('-')
    await poll(() => textOf(base, 'tasks.md')).toContain('  - [-] green\r\n')
    await page.keyboard.press('Space')
    await poll(() => textOf(base, 'tasks.md')).toContain('  - [ ] green\r\n')
    await page.keyboard.press('Space')
    await poll(() => textOf(base, 'tasks.md')).toContain('  - [x] green\r\n')
    await untilSaid(page, 'Done: green')
    await page.keyboard.press('u')
    await untilSaid(page, 'Undone')
    expect(textOf(base, 'tasks.md')).toBe(TASKS)
    expect(await checked(page, 'boil water')).toBe('mixed')
    expect(await checked(page, 'light the stove')).toBe('true')
    expect(faults).toEqual([])
  })

  it('takes another state from a menu, as a finger that stays does', async () => {
    const base = await served()
    const watched = await open(base, '/n/handbook/tasks.md', {
      viewport: { width: 390, height: 844 },
    })
    const { page } = watched
    await box(page, 'find the cup').click({ button: 'right' })
    const menu = page.getByRole('dialog', { name: 'State of find the cup' })
    await menu.waitFor()
    await expectNoFaults(watched)
    await menu.getByRole('button', { name: 'In progress' }).click()
    await poll(() => textOf(base, 'tasks.md')).toContain('- [/] find the cup')
    await menu.waitFor({ state: 'detached' })
  })

  it('can be ticked as fast as one likes, one after the other', async () => {
    const base = await served()
    const { page, faults } = await open(base, '/n/handbook/tasks.md')
    await box(page, 'buy tea').waitFor()
    await page.evaluate(() => {
      for (const each of document.querySelectorAll<HTMLElement>('.prose .box')) each.click()
    })
    await poll(() => textOf(base, 'tasks.md')).toBe(
      TASKS.replace('[ ] buy', '[x] buy')
        .replace('[ ] green', '[x] green')
        .replace('[/]', '[x]')
        .replace('[-]', '[ ]')
        .replace('[x] light', '[ ] light'),
    )
    expect(faults).toEqual([])
  })

  it('is put back with the reason where the note is another one, and ticked in what is there', async () => {
    const base = await served()
    const { page } = await open(base, '/n/handbook/tasks.md')
    await box(page, 'buy tea').waitFor()
    // What tells of changes is late; somebody was quicker.
    await page.route('**/web/events', (route) => route.abort())
    await page.route('**/web/read/task', async (route) => {
      writeFileSync(join(base.folder, 'tasks.md'), `# New\r\n\r\n${TASKS}`)
      await route.continue()
    })
    await box(page, 'buy tea').click()
    await untilSaid(page, 'The note has changed meanwhile, so this task was left as it is.')
    expect(textOf(base, 'tasks.md')).toBe(`# New\r\n\r\n${TASKS}`)
    await page.locator('.prose h1', { hasText: 'Tasks' }).waitFor()
    await poll(() => checked(page, 'buy tea')).toBe('false')
    await page.unroute('**/web/read/task')
    await box(page, 'buy tea').click()
    await poll(() => textOf(base, 'tasks.md')).toContain('- [x] buy *tea*')
  })

  it('is ticked in one of two windows and seen in the other', async () => {
    const base = await served()
    const one = await open(base, '/n/handbook/tasks.md')
    const other = await open(base, '/n/handbook/tasks.md')
    await box(other.page, 'buy tea').waitFor()
    await box(one.page, 'buy tea').click()
    await poll(() => checked(other.page, 'buy tea')).toBe('true')
    await box(other.page, 'buy tea').click()
    await poll(() => checked(one.page, 'buy tea')).toBe('false')
  })

  it('that is due is ticked on the first page', async () => {
    const base = await served()
    const watched = await open(base, '/')
    const { page } = watched
    const due = page.getByRole('checkbox', { name: /^Done: ask Ada/ })
    await due.focus()
    await page.keyboard.press('Space')
    await poll(() => textOf(base, 'team/plan.md')).toContain('- [x] ask [[nobody|Ada]]')
    await due.waitFor({ state: 'detached' })
    await page.keyboard.press('u')
    await poll(() => textOf(base, 'team/plan.md')).toBe(FILES['team/plan.md'])
    await due.waitFor()
    await expectNoFaults(watched)
  })

  it('of a stranger is called what it says and runs nothing', async () => {
    const base = await served()
    const { page, faults } = await open(base, '/n/handbook/evil.md')
    await page.getByRole('checkbox').first().click()
    await poll(() => textOf(base, 'evil.md')).toContain('- [x] <img src=x')
    expect(faults).toEqual([])
  })
})

describe.skipIf(!BROWSER)(BROWSER ? 'deleting' : NO_BROWSER, () => {
  it('shows which links break, deletes that, and brings it back', async () => {
    const base = await served()
    const watched = await open(base, '/n/handbook/kettle.md')
    const { page, faults } = watched
    await page.locator('.prose', { hasText: 'Copper' }).waitFor()
    await page.keyboard.press('Delete')
    const dialog = page.getByRole('dialog', { name: 'Delete Kettle' })
    await dialog.getByText('2 links in 2 notes will lead nowhere:').waitFor()
    await dialog.locator('.follows', { hasText: 'We pour it from the' }).waitFor()
    await expectNoFaults(watched)
    // Whoever hits Enter in haste keeps it; keys of the page are not for what lies below.
    await page.keyboard.press('x')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    expect(existsSync(join(base.folder, 'kettle.md'))).toBe(true)
    expect(await page.locator('.pane').count()).toBe(1)
    await page.keyboard.press('.')
    await page.getByRole('button', { name: 'Delete…' }).press('Enter')
    await dialog.getByText('2 links in 2 notes will lead nowhere:').waitFor()
    await dialog.getByRole('button', { name: 'Delete', exact: true }).press('Enter')
    await untilSaid(page, 'Deleted Kettle')
    expect(existsSync(join(base.folder, 'kettle.md'))).toBe(false)
    await page.locator('.home').waitFor()
    await page.keyboard.press('u')
    await page.locator('.prose', { hasText: 'Copper' }).waitFor()
    expect(textOf(base, 'kettle.md')).toBe(FILES['kettle.md'])
    expect(faults).toEqual([])
  })

  it('does what was shown, or shows anew what would happen', async () => {
    const base = await served()
    const { page } = await open(base, '/n/handbook/lone.md')
    await page.locator('[data-tool=more]').click()
    await page.getByRole('button', { name: 'Delete…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete Lone' })
    await dialog.getByText('No link leads to it.').waitFor()
    const change = { action: 'append', id: 'handbook/water.md', content: 'See [[lone]].' }
    await ask(base.url, '/web/call/write', change)
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByText('1 link in 1 note will lead nowhere:').waitFor()
    expect(existsSync(join(base.folder, 'lone.md'))).toBe(true)
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await untilSaid(page, 'Deleted Lone')
    expect(existsSync(join(base.folder, 'lone.md'))).toBe(false)
  })

  it.each([
    ['light', 1440],
    ['dark', 1440],
    ['light', 390],
    ['dark', 390],
  ] as const)('is within reach of everyone: %s, %i px', async (colorScheme, width) => {
    const base = await served()
    const watched = await open(base, '/n/handbook/evil.md', {
      colorScheme,
      viewport: { width, height: 844 },
    })
    const { page } = watched
    await page.getByRole('checkbox').first().waitFor()
    await expectNoFaults(watched)
    await page.locator('[data-tool=more]').click()
    await page.getByRole('dialog').waitFor()
    await expectNoFaults(watched)
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByText('No link leads to it.').waitFor()
    await expectNoFaults(watched)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })
})

describe.skipIf(!BROWSER)(BROWSER ? 'what one may not do' : NO_BROWSER, () => {
  const offered = async (page: Page): Promise<readonly number[]> => {
    await page.locator('.prose .box').first().waitFor()
    await page.locator('.foot').filter({ hasText: /note/ }).waitFor({ state: 'attached' })
    return Promise.all(
      ['[role=checkbox]', '[data-tool=more]'].map((each) => page.locator(each).count()),
    )
  }

  it.each([
    ['a server that is only read', ['--read-only'], undefined],
    ['a token that only reads', [], { may: ['read'] }],
    ['a token that writes elsewhere', [], { write: ['handbook/other'] }],
  ] as const)('is not offered: %s', async (_, flags, grant) => {
    const base = await served(flags)
    const { page } = grant
      ? await openAs(base, grant as object, '/n/handbook/tasks.md')
      : await open(base, '/n/handbook/tasks.md')
    await page.waitForLoadState('networkidle')
    expect(await offered(page)).toEqual([0, 0])
    await page.keyboard.press('Delete')
    await page.keyboard.press('.')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.goto(`${base.url}/`)
    await page.locator('.due').first().waitFor()
    expect(await page.getByRole('checkbox').count()).toBe(0)
  })

  it('depends on the folder, and whoever deletes nothing is offered no deletion', async () => {
    const base = await served()
    const grant = { write: ['handbook/team'] } as const
    const { page, name } = await openAs(base, grant as object, '/n/handbook/team/plan.md')
    const ticked = page.getByRole('checkbox', { name: /^ask Ada/ })
    await ticked.press('Space')
    await poll(() => textOf(base, 'team/plan.md')).toContain('[x] ask [[nobody|Ada]]')
    await page.keyboard.press('Delete')
    expect(await page.getByRole('dialog').count()).toBe(0)
    // The history has the name of who did it.
    await page.goto(`${base.url}/history`)
    await page.locator('.changes li', { hasText: 'team/plan.md' }).first().waitFor()
    expect(await page.locator('.foot', { hasText: name }).count()).toBe(1)
  })
})

describe('the routes that write', () => {
  const CALLS = [
    ['/web/call/write', { action: 'append', id: 'handbook/lone.md', content: 'x' }],
    ['/web/call/delete', { id: 'handbook/lone.md' }],
    ['/web/call/history', { action: 'undo' }],
    ['/web/read/task', { id: 'handbook/tasks.md', line: 3, mark: 'x' }],
    ['/web/read/property', { id: 'handbook/lone.md', from: 'a', to: 'b' }],
    ['/web/read/mends', { id: 'handbook/lone.md', line: 1, target: 'x' }],
  ] as const

  it.each([
    [
      'another page of this machine',
      { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' },
    ],
    ['a page from elsewhere', { origin: 'https://evil.example' }],
    ['a page without an origin', { 'sec-fetch-site': 'cross-site' }],
    ['a frame', { 'sec-fetch-dest': 'iframe' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a plain text', { 'content-type': 'text/plain' }],
  ])('are closed to %s', async (_, headers) => {
    const base = await served()
    for (const [path, args] of CALLS) {
      const { status } = await ask(base.url, path, args, headers)
      expect([path, status]).toEqual([path, 403])
    }
    expect(textOf(base, 'lone.md')).toBe(FILES['lone.md'])
  })

  it('take nothing that a link, a form or a script of another page can send', async () => {
    const base = await served()
    const { json } = await ask(base.url, '/web/read/facts', {})
    const tools = (json.tools as readonly string[]).map((name) => `/web/call/${name}`)
    const reads = CALLS.map(([path]) => path).filter((path) => path.startsWith('/web/read/'))
    const paths = [...tools, ...reads, '/web/attach?to=lone&name=x.png&link=1']
    const own = { 'x-cairn': '1', 'content-type': 'application/json' }
    const { 'x-cairn': _, ...headless } = own
    const args = JSON.stringify({ action: 'append', id: 'handbook/lone.md', content: 'x' })
    const ways: readonly (readonly [string, RequestInit, readonly number[]])[] = [
      ['a link', { headers: own }, [404]],
      ['a link with HEAD', { method: 'HEAD', headers: own }, [404]],
      ['PUT', { method: 'PUT', headers: own, body: args }, [404, 405]],
      ['no header', { method: 'POST', headers: headless, body: args }, [403]],
      ['a form', { method: 'POST', body: new URLSearchParams({ id: 'handbook/lone.md' }) }, [403]],
      ['a form with files', { method: 'POST', body: new FormData() }, [403]],
      [
        'a beacon',
        { method: 'POST', headers: { 'content-type': 'text/plain' }, body: args },
        [403],
      ],
      [
        'another page',
        { method: 'POST', headers: { ...own, origin: 'http://127.0.0.1:1' }, body: args },
        [403],
      ],
    ]
    for (const [way, init, statuses] of ways) {
      for (const path of paths) {
        const { status } = await fetch(`${base.url}${path}`, init)
        expect(statuses, `${way}: ${path} ${status}`).toContain(status)
      }
    }
    expect(textOf(base, 'lone.md')).toBe(FILES['lone.md'])
    const history = await ask(base.url, '/web/call/history', {})
    expect(history.json.structured.operations).toEqual([])
  })

  it('refuse what is not offered', async () => {
    const base = await served()
    const { newToken } = await import('./people.ts')
    const as = async (grant: object, at: number): Promise<number> => {
      const headers = { authorization: `Bearer ${newToken(base, grant).token}` }
      return (await ask(base.url, CALLS[at]![0], CALLS[at]![1], headers)).status
    }
    for (const at of CALLS.keys()) {
      const status = await as({ may: ['read'] }, at)
      // To look which line would be another is to read; here there is none of two of them.
      const looked = [200, 409, 404][at - 3] ?? 403
      expect([CALLS[at]![0], status]).toEqual([CALLS[at]![0], looked])
    }
    const elsewhere = { write: ['handbook/team'] }
    expect(await as(elsewhere, 0)).toBe(403)
    expect(await as(elsewhere, 1)).toBe(403)
    expect(await as(elsewhere, 3)).toBe(403)
    expect(await as(elsewhere, 4)).toBe(403)
    expect(await as(elsewhere, 5)).toBe(403)
    expect(textOf(base, 'lone.md')).toBe(FILES['lone.md'])
  })

  it('say which line a task would be, and refuse what is none', async () => {
    const base = await served()
    const task = async (args: object) => {
      const { status, json } = await ask(base.url, '/web/read/task', {
        id: 'handbook/tasks.md',
        ...args,
      })
      return json.error ? [status, json.error.code] : [status, json.lines, json.content]
    }
    expect(await task({ line: 4, mark: 'x' })).toEqual([200, '4', '  - [x] green'])
    expect(await task({ line: 4, mark: 'x', text: 'red' })).toEqual([409, 'conflict'])
    expect(await task({ line: 10, mark: 'x' })).toEqual([409, 'conflict'])
    expect(await task({ line: 99, mark: 'x' })).toEqual([409, 'conflict'])
    expect(await task({ line: 4, mark: '"' })).toEqual([400, 'invalid'])
  })
})
