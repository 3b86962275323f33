/** The page in a real browser, driven by the keyboard alone. What the disk holds is compared, too. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { BROWSER, NO_BROWSER } from './browser.ts'
import { serveHandbook } from './handbook.ts'
import { openPage, untilSaid, type Watched } from './page.ts'
import { startServerProcess } from '../support/server-process.ts'
import { SOON } from '../support/soon.ts'
import { ask, type Served } from './served.ts'

const ROLL_BACK = 'handbook/runbooks/roll-back-a-release.md'

let served: Served
let attempts = 0

serveHandbook((each) => (served = each))

async function open(path: string, options: Parameters<typeof openPage>[1] = {}): Promise<Watched> {
  const watched = await openPage(`${served.url}${path}`, options)
  onTestFinished(() => watched.close())
  return watched
}

describe.skipIf(!BROWSER)(BROWSER ? 'the page' : NO_BROWSER, () => {
  it('searches while one types, opens with Enter and goes back', async () => {
    const { page, faults } = await open('/')
    await page.keyboard.press('/')
    await page.keyboard.type('roll ba')
    // What is first changes while answers to the letters before still come in.
    await poll(() => page.locator('header [role=status]').textContent()).toMatch(
      /titles and \d+ passages/,
    )
    await poll(() => page.locator('[role=option] .name').first().textContent()).toBe(
      'Roll back a release',
    )
    await page.keyboard.press('Enter')
    await page
      .locator('.pane.reading .prose', { hasText: 'Rolling back is never a failure' })
      .waitFor()
    await poll(() => new URL(page.url()).pathname).toBe(`/n/${ROLL_BACK}`)
    await page.goBack()
    // What is chosen is previewed there.
    await page.locator('.pane.reading').waitFor({ state: 'detached' })
    expect(faults).toEqual([])
  })

  it('gives the keys to the note that was opened; Esc leaves it, leaves the box, clears it', async () => {
    const { page, faults } = await open('/')
    const focused = () =>
      page.evaluate(() => document.activeElement?.id || document.activeElement?.className)
    await page.keyboard.press('/')
    await page.keyboard.type('roll back ')
    await page.locator('[role=option]').first().waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.pane.reading .prose').waitFor()
    await poll(focused).toBe('body')
    // Keys of the note work at once.
    await page.keyboard.press('s')
    await page.locator('.source').waitFor()
    await page.keyboard.press('s')
    const options = () => page.locator('[role=option]').count()
    // The second ten come once one stops typing.
    await poll(() => page.locator('.row.hit').count()).toBeGreaterThan(10)
    const found = await options()
    await page.keyboard.press('Escape')
    await poll(focused).toBe('q')
    expect(await options()).toBe(found)
    await page.keyboard.press('Escape')
    await poll(focused).not.toBe('q')
    expect(await options()).toBe(found)
    expect(await page.locator('#q').inputValue()).toBe('roll back ')
    await page.keyboard.press('Escape')
    await poll(options).toBe(0)
    expect(await page.locator('#q').inputValue()).toBe('')
    await page.locator('.pane.reading .prose').waitFor()
    expect(faults).toEqual([])
  })

  it('opens links to the right, uses open notes again, pins and closes', async () => {
    const { page } = await open(`/n/${ROLL_BACK}`, { viewport: { width: 1700, height: 900 } })
    const panes = page.locator('.pane')
    await page.locator('.prose a.note').first().press('Enter')
    await poll(() => panes.count()).toBe(2)
    await page.locator('.pane.reading .prose').waitFor()
    expect(await page.locator('.pane.reading').getAttribute('aria-label')).not.toBe(
      'Roll back a release',
    )
    await page.keyboard.press('h')
    await page.locator('.pane.reading[aria-label="Roll back a release"]').waitFor()
    await page.keyboard.press('p')
    await poll(() => new URL(page.url()).searchParams.get('pin')).toBe('0')
    await page.keyboard.press('l')
    await page.keyboard.press('x')
    await poll(() => panes.count()).toBe(1)
    await page.keyboard.press('s')
    await page.locator('.source li').first().waitFor()
    await page.keyboard.press('x')
    await page.locator('.home').waitFor()
  })

  it('folds notes that do not fit into spines', async () => {
    const { page } = await open(
      `/n/${ROLL_BACK}?p=handbook/index.md&p=handbook/glossary.md&p=${ROLL_BACK}`,
      {
        viewport: { width: 900, height: 700 },
      },
    )
    await poll(() => page.locator('.spine').count()).toBe(2)
    await page.locator('.spine').first().click()
    await page.locator('.pane.reading', { hasText: 'handbook/index.md' }).waitFor()
  })

  it('lets code that became too wide be scrolled by keyboard', async () => {
    const { page } = await open(`/n/${ROLL_BACK}`, { viewport: { width: 1700, height: 900 } })
    const code = page.locator('.prose pre', { hasText: './ops release list' })
    await code.waitFor()
    expect(await code.getAttribute('tabindex')).toBeNull()
    await page.setViewportSize({ width: 260, height: 900 })
    await poll(() => code.getAttribute('tabindex')).toBe('0')
    await page.setViewportSize({ width: 1700, height: 900 })
    await poll(() => code.getAttribute('tabindex')).toBeNull()
  })

  it('lights the quoted words of an answer', async () => {
    const { page, faults } = await open('/')
    await page.keyboard.press('/')
    await page.keyboard.type('When may we roll back a release?')
    await page.keyboard.press('Control+Enter')
    const cite = page.locator('.cite').first()
    await cite.waitFor()
    // A claim that is the quote itself stands there once.
    const claim = page.locator('.claims li .prose').first()
    await claim.waitFor()
    expect(await cite.locator('q').count()).toBe(0)
    const quote = (await claim.textContent()) ?? ''
    await cite.press('Enter')
    await page.locator('mark.quote').first().waitFor()
    const lit = (await page.locator('mark.quote').allTextContents()).join('')
    expect(letters(lit)).toBe(letters(quote))
    expect(faults).toEqual([])
  })

  it('undoes a change, and the file is what it was, byte for byte', async () => {
    const file = join(served.folder, 'runbooks/roll-back-a-release.md')
    const before = readFileSync(file)
    const change = { action: 'append', id: ROLL_BACK, content: 'An agent was here.' }
    expect((await ask(served.url, '/web/call/write', change)).status).toBe(200)
    const changed = readFileSync(file)
    expect(changed.equals(before)).toBe(false)

    const { page, faults } = await open('/history')
    await page.locator('.changes li.chosen').waitFor()
    await page.keyboard.press('u')
    await page.locator('.confirm .removed', { hasText: 'An agent was here.' }).waitFor()
    expect(readFileSync(file).equals(changed)).toBe(true)
    // The first button keeps everything; the second undoes.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await untilSaid(page, '1 change undone')
    expect(readFileSync(file).equals(before)).toBe(true)

    await page.locator('.changes .undone button', { hasText: 'redo' }).first().click()
    await page.locator('.confirm .danger').click()
    await poll(() => readFileSync(file).equals(changed)).toBe(true)
    expect(faults).toEqual([])
  })

  it('takes a key as soon as what it acts on is there', async () => {
    const change = { action: 'append', id: 'handbook/glossary.md', content: 'For a fast hand.' }
    expect((await ask(served.url, '/web/call/write', change)).status).toBe(200)
    const { page, faults } = await open('/')
    // Faster than any hand: in the very moment in which the list, and then the question, come.
    await page.evaluate(() => {
      const focused = new Promise<string | undefined>((resolve) => {
        let pressed = false
        new MutationObserver((_, observer) => {
          if (!pressed && document.querySelector('.changes li.chosen')) {
            pressed = true
            document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'u', bubbles: true }))
          }
          if (!document.querySelector('.confirm')) return
          observer.disconnect()
          resolve(document.activeElement?.textContent ?? undefined)
        }).observe(document, { subtree: true, childList: true, attributes: true })
      })
      Object.assign(globalThis, { focused })
    })
    await page.keyboard.press('5')
    const focused = () => (globalThis as unknown as { focused: Promise<string> }).focused
    expect(await page.evaluate(focused)).toBe('Keep it')
    expect(faults).toEqual([])
  })

  it('says what to do when an undo would lose a later edit, and changes nothing', async () => {
    const file = join(served.folder, 'glossary.md')
    const change = { action: 'append', id: 'handbook/glossary.md', content: 'First.' }
    await ask(served.url, '/web/call/write', change)
    writeFileSync(file, readFileSync(file, 'utf8').replace('First.', 'Second thoughts.'))
    const now = readFileSync(file)
    const { page } = await open('/history')
    await page
      .locator('.changes li', { hasText: 'glossary.md' })
      .first()
      .getByRole('button', { name: 'undo' })
      .click()
    await page.locator('.problem', { hasText: 'Nothing was changed' }).waitFor()
    expect(readFileSync(file).equals(now)).toBe(true)
  })

  it('undoes all that a client did, as it was shown, and takes that back', async () => {
    const files = ['people/ines-vidal.md', 'index.md'].map((path) => join(served.folder, path))
    const texts = () => files.map((file) => readFileSync(file, 'utf8'))
    const before = texts()
    // Of its own for every attempt: what one attempt did is not the next one's.
    const name = `eager-${++attempts}`
    const agent = await startServerProcess([served.folder, '--state', served.state], name)
    onTestFinished(() => agent.close())
    const append = (path: string, content: string) =>
      agent.call('write', { action: 'append', id: `handbook/${path}`, content })
    await append('people/ines-vidal.md', 'One.')
    await append('index.md', 'Two.')

    const { page, faults } = await open(`/history?by=${name}%2F1`)
    const start = page.getByRole('button', { name: `Undo everything that ${name}/1 did` })
    await start.press('Enter')
    const confirm = page.locator('.confirm')
    await confirm.locator('strong', { hasText: '2 changes' }).waitFor()
    await confirm.locator('.hint', { hasText: 'handbook/people/ines-vidal.md' }).waitFor()
    await confirm.locator('.removed', { hasText: 'One.' }).waitFor()
    // The agent goes on working: what was shown is no longer what would happen.
    await append('index.md', 'Three.')
    const changed = texts()
    await confirm.locator('.danger').press('Enter')
    await page.locator('.problem', { hasText: 'Nothing was changed' }).waitFor()
    expect(texts()).toEqual(changed)

    await start.press('Enter')
    await confirm.locator('strong', { hasText: '3 changes' }).waitFor()
    await confirm.locator('.danger').press('Enter')
    await untilSaid(page, '3 changes undone')
    expect(texts()).toEqual(before)

    await page.goto(`${served.url}/history`)
    const undo = page.locator('.changes li', { hasText: 'cairn-web' }).first()
    await undo.getByRole('button', { name: 'redo' }).press('Enter')
    await confirm.locator('.danger').press('Enter')
    await poll(texts).toEqual(changed)
    expect(faults.filter((fault) => !fault.includes('409'))).toEqual([])
  })

  it('explains why a note was not found', async () => {
    const { page } = await open('/inspect?q=lighthouse%20pricing')
    await page.locator('.signals tbody tr').first().waitFor()
    await page.getByPlaceholder('id or title of a note').fill('handbook/glossary.md')
    await page.keyboard.press('Enter')
    await page.locator('.confirm', { hasText: 'handbook/glossary.md' }).waitFor()
    expect(await page.locator('.words span').count()).toBeGreaterThan(0)
  })

  it('draws the map: colours, names that do not overlap, and a table of what is lit', async () => {
    const { page, faults } = await open('/graph')
    const map = page.locator('.map[data-labels]')
    await map.waitFor()
    const labels = async () =>
      JSON.parse((await map.getAttribute('data-labels')) ?? '[]') as [
        string,
        number,
        number,
        number,
        number,
      ][]
    await poll(async () => (await labels()).length).toBeGreaterThan(5)
    // Of one moment: the map is drawn anew when more is known of the base.
    const written = await labels()
    for (const [index, [, x, y, width, height]] of written.entries()) {
      for (const [, otherX, otherY, otherWidth] of written.slice(index + 1)) {
        const beside = x + width <= otherX || otherX + otherWidth <= x
        expect(beside || Math.abs(y - otherY) >= height).toBe(true)
      }
    }
    const colours = () =>
      page.locator('.map-picture').evaluate((canvas) => {
        const copy = document.createElement('canvas')
        copy.width = 300
        copy.height = 200
        const context = copy.getContext('2d')!
        context.drawImage(canvas as HTMLCanvasElement, 0, 0, 300, 200)
        const { data } = context.getImageData(0, 0, 300, 200)
        const seen = new Set<number>()
        for (let at = 0; at < data.length; at += 4)
          seen.add((data[at]! << 16) | (data[at + 1]! << 8) | data[at + 2]!)
        return seen.size
      })
    // Between two drawings a canvas is empty.
    await poll(colours).toBeGreaterThan(20)

    await page.keyboard.press('/')
    await page.keyboard.type('release')
    await page.locator('.map-side [role=status]', { hasText: 'lit' }).waitFor()
    await expect
      .poll(async () => (await labels()).map(([text]) => text))
      .toContain('Roll back a release')
    await poll(() => page.locator('.map-table tbody tr').count()).toBeLessThan(33)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')

    await page.locator('.map-table .opens', { hasText: 'Glossary' }).press('Enter')
    await page.locator('.chosen h1', { hasText: 'Glossary' }).waitFor()
    await page
      .getByRole('group', { name: 'Around this note' })
      .getByRole('button', { name: '1' })
      .press('Enter')
    await page.locator('.map-side [role=status]', { hasText: 'lit' }).waitFor()
    await page.getByPlaceholder('title of a note').fill('Rotate credentials')
    await page.keyboard.press('Enter')
    await page.locator('.way li').first().waitFor()
    await page.getByRole('button', { name: 'Open' }).press('Enter')
    await page.locator('.pane.reading', { hasText: 'Glossary' }).waitFor()
    expect(faults).toEqual([])
  })

  it('opens a note that is clicked on the map', async () => {
    const { page } = await open('/graph')
    const map = page.locator('.map[data-labels]')
    await map.waitFor()
    // Where it is written may have changed when the click comes.
    await vi.waitFor(async () => {
      const [[name, x, y]] = JSON.parse((await map.getAttribute('data-labels')) ?? '[]') as [
        [string, number, number],
      ]
      await map.click({ position: { x: x - 8, y } })
      const chosen = page.locator('.chosen h1', { hasText: name.replace(/…$/, '') })
      await chosen.waitFor({ timeout: 10_000 })
    }, SOON)
  })

  it('shows what an agent in another process does, and runs it again', async () => {
    const { page, faults } = await open('/live')
    await page.locator('.lead', { hasText: 'Following' }).waitFor()
    // Of its own for every attempt, like the rows that are looked for.
    const name = `some-agent-${++attempts}`
    const args = [served.folder, '--state', served.state, '--live-arguments']
    const agent = await startServerProcess(args, name)
    onTestFinished(() => agent.close())
    await agent.call('search', { query: 'rotate credentials' })
    const row = page.locator('.calls li', { hasText: name })
    await row.waitFor()
    expect(await row.locator('.what').textContent()).toBe('rotate credentials')
    await row.locator('summary').press('Enter')
    await row.getByRole('button', { name: 'Run again in Inspect' }).press('Enter')
    await page.locator('.signals tbody tr').first().waitFor()
    expect(await page.locator('#q').inputValue()).toBe('rotate credentials')
    expect(faults).toEqual([])
  })

  it('shows a note anew when its file changes', async () => {
    const { page } = await open('/n/handbook/people/mara-lind.md')
    await page.locator('.prose').waitFor()
    const file = join(served.folder, 'people/mara-lind.md')
    writeFileSync(file, `${readFileSync(file, 'utf8')}\nShe plays the cello.\n`)
    await page.locator('.prose', { hasText: 'She plays the cello.' }).waitFor()
  })

  it('keeps what was typed when it is opened again from its address', async () => {
    const { page } = await open('/?q=alerts&tag=alerts')
    await page.locator('[role=option]').first().waitFor()
    expect(await page.locator('#q').inputValue()).toBe('alerts')
    await poll(() => page.locator('.narrow .chip[aria-pressed=true]').allTextContents()).toEqual([
      '#alerts ×',
    ])
    // Pressed again, it narrows nothing any more.
    const found = await page.locator('[role=option]').count()
    await page.locator('.narrow .chip[aria-pressed=true]').press('Enter')
    await poll(() => page.locator('[role=option]').count()).toBeGreaterThan(found)
    expect(new URL(page.url()).searchParams.has('tag')).toBe(false)
  })

  it('says that a note is gone, and goes on working', async () => {
    const { page } = await open('/n/handbook/never-was.md')
    await page.locator('.problem', { hasText: 'There is no document' }).waitFor()
    await page.getByRole('button', { name: 'Search for it' }).press('Enter')
    await page.locator('.results').waitFor()
  })

  it('goes through reports and questions by keys alone', async () => {
    const { page, faults } = await open('/')
    const tabTo = async (name: RegExp): Promise<void> => {
      for (let step = 0; step < 60; step++) {
        await page.keyboard.press('Tab')
        const text = await page.evaluate(() => {
          const at = document.activeElement
          // The page as a whole holds every word of it.
          if (at === document.body) return ''
          return `${at?.textContent ?? ''} ${at?.getAttribute('placeholder') ?? ''}`
        })
        if (name.test(text)) return
      }
      throw new Error(`not reached by Tab: ${name}`)
    }
    await page.keyboard.press('4')
    await page.locator('.figures').waitFor()
    await tabTo(/broken links/i)
    await page.keyboard.press('Enter')
    await poll(() => new URL(page.url()).pathname).toBe('/reports/broken_links')

    await page.keyboard.press('7')
    await page.keyboard.press('/')
    await page.keyboard.type('lighthouse pricing')
    await page.keyboard.press('Enter')
    await page.locator('.signals tbody tr').first().waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    await page.keyboard.type('lighthouse pricing')
    await tabTo(/id or title of a note/)
    await page.keyboard.type('handbook/glossary.md')
    await page.keyboard.press('Enter')
    await page.locator('.confirm', { hasText: 'handbook/glossary.md' }).waitFor()
    expect(faults).toEqual([])
  })

  it('tells who cannot see it what was found', async () => {
    const { page } = await open('/')
    await page.keyboard.press('/')
    await page.keyboard.type('release ')
    const said = page.locator('header [role=status]')
    await poll(() => said.textContent()).toMatch(/^\d+ titles and \d+ passages for release $/)
    await poll(() => page.locator('#q').getAttribute('aria-activedescendant')).toBe('option-0')
    await page.keyboard.press('ArrowDown')
    await poll(() => page.locator('#q').getAttribute('aria-activedescendant')).toBe('option-1')
    await poll(() => page.locator('#option-1').getAttribute('aria-selected')).toBe('true')
  })

  it('lists its keys', async () => {
    const { page } = await open('/')
    await page.keyboard.press('?')
    await page.locator('dialog[open] kbd').first().waitFor()
    await page.keyboard.press('Escape')
    await page.locator('dialog[open]').waitFor({ state: 'detached' })
  })
})

/** Patient: a busy machine takes its time. */
function poll<Value>(look: () => Value | Promise<Value>) {
  return expect.poll(look, SOON)
}

function letters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}
