/** The picture of the graph: one file, no requests, no title that becomes markup. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { graphPage } from '../../src/serve/cli/graph-page.ts'
import type { DrawnGraph } from '../../src/vocabularies/roux/operations/walk-notes.ts'
import { openFakePage } from '../support/fake-page.ts'

const HOSTILE = [
  '</script><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<!--<script>',
  '"\'`${alert(1)}',
  ']]>&lt;b&gt;\u2028\u2029',
  '$& $1 $` {{graph}} {{script-hash}}',
]

const hostile: DrawnGraph = {
  nodes: HOSTILE.map((title, n) => ({ id: `${n}${title}.md`, title, tags: [title] })),
  edges: [
    [0, 1],
    [1, 0],
    [2, 2],
  ],
}

/** Some hubs and many leaves, as folders of notes have them. */
function manyNotes(count: number): DrawnGraph {
  const edges: [number, number][] = []
  for (let n = 1; n < count; n++) {
    edges.push([n, Math.floor(n / 7)])
    if (n % 3 === 0) edges.push([n, (n * 7919) % count])
  }
  const nodes = Array.from({ length: count }, (_, n) => ({
    id: `n${n}.md`,
    title: `Note ${n}`,
    tags: n % 10 === 0 ? ['ten'] : [],
  }))
  return { nodes, edges }
}

describe('the file', () => {
  const page = graphPage('<b>My & notes</b>', hostile)

  it('holds titles as data only', () => {
    expect(page.match(/<script/g)).toHaveLength(2)
    expect(page.match(/<\/script>/g)).toHaveLength(2)
    expect(page).not.toContain('<img')
    expect(page).not.toContain('<b>')
    expect(page).toContain('&lt;b&gt;My &amp; notes&lt;/b&gt;')
    const json = /id="graph">([\s\S]*?)<\/script>/.exec(page)![1]!
    expect(JSON.parse(json).nodes.map((node: string[]) => node[1])).toEqual(HOSTILE)
  })

  it('is whole whatever the folder and its notes are called', () => {
    for (const name of ['{{graph}}', '{{script-hash}}', '{{name}}', '$&', '{{constructor}}']) {
      const named = graphPage(name, hostile)
      expect(named).toContain(`<h1>${name.replace('&', '&amp;')}</h1>`)
      const json = /id="graph">([\s\S]*?)<\/script>/.exec(named)![1]!
      expect(JSON.parse(json).nodes.map((node: string[]) => node[1])).toEqual(HOSTILE)
      expect(named).toMatch(/script-src 'sha256-[\w+/=]{44}'/)
    }
  })

  it('asks nobody for anything, and lets nothing else run', () => {
    const plain = graphPage('x', { nodes: [], edges: [] })
    expect(plain).not.toMatch(/(?:src|href)\s*=|@import|url\(|https?:\/\//)
    const script = /<script>([\s\S]*?)<\/script>/.exec(page)![1]!
    const hash = createHash('sha256').update(script).digest('base64')
    expect(page).toContain(`script-src 'sha256-${hash}'`)
    expect(page).toContain("default-src 'none'")
    expect(script).not.toMatch(/innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|fetch\(/)
  })
})

describe('the page', () => {
  it('shows titles as text, and what is linked when a note is chosen', () => {
    const page = openFakePage(graphPage('x', hostile))
    page.frames(500)
    expect(page.element('count').textContent).toBe('6 notes, 3 links')
    page.element('query').value = 'onerror'
    page.element('query').fire('input')
    expect(page.element('count').textContent).toBe('1 of 6 notes')
    page.element('query').fire('keydown', { key: 'Enter' })
    expect(page.element('title').textContent).toBe(HOSTILE[1])
    expect(page.element('detail').hidden).toBe(false)
    expect(page.element('out-count').textContent).toBe('Links to 1')
    expect(page.element('out').children[0]!.children[0]!.textContent).toBe(HOSTILE[0])
    page.element('out').children[0]!.children[0]!.fire('click')
    expect(page.element('title').textContent).toBe(HOSTILE[0])
    page.element('close').fire('click')
    expect(page.element('detail').hidden).toBe(true)
  })

  it('chooses what is clicked, moves with the pointer and zooms to it', () => {
    const page = openFakePage(graphPage('x', manyNotes(50)))
    page.frames(1_000)
    const place = (node: number) =>
      page.evaluate(`[onScreenX(x[${node}]), onScreenY(y[${node}])]`) as [number, number]
    const pointer = (type: string, [clientX, clientY]: readonly [number, number]) =>
      page.element('canvas').fire(type, { pointerId: 1, clientX, clientY })
    const before = place(0)
    pointer('pointerdown', before)
    pointer('pointerup', before)
    expect(page.element('title').textContent).toBe('Note 0')
    page.element('canvas').fire('wheel', { deltaY: -300, clientX: before[0], clientY: before[1] })
    expect(place(0)[0]).toBeCloseTo(before[0], 3)
    const empty: [number, number] = [3, 3]
    pointer('pointerdown', empty)
    pointer('pointermove', [53, 23])
    pointer('pointerup', [53, 23])
    expect(place(0)[0]).toBeCloseTo(before[0] + 50, 3)
    expect(place(0)[1]).toBeCloseTo(before[1] + 20, 3)
  })

  it('lays out 5,000 notes: spread out, linked ones together, a moment per frame', () => {
    const page = openFakePage(graphPage('x', manyNotes(5_000)))
    const before = process.cpuUsage()
    const frames = page.frames(40)
    // Time at work: on a busy machine a frame takes as long as others let it.
    expect(process.cpuUsage(before).user / 1000 / frames).toBeLessThan(500)
    const finite = page.evaluate('x.every(Number.isFinite) && y.every(Number.isFinite)')
    expect(finite).toBe(true)
    const [linked, any] = page.evaluate(`
      (() => {
        let linked = 0
        let any = 0
        for (let edge = 0; edge < edgeCount; edge++) {
          const other = (from[edge] * 31 + 17) % count
          linked += Math.hypot(x[from[edge]] - x[to[edge]], y[from[edge]] - y[to[edge]])
          any += Math.hypot(x[from[edge]] - x[other], y[from[edge]] - y[other])
        }
        return [linked / edgeCount, any / edgeCount]
      })()`) as [number, number]
    expect(linked).toBeLessThan(any / 2)
    // What is shown by name is a choice: five thousand labels would be a grey block.
    const shown = page.written.length
    page.element('theme').fire('click')
    page.frames(1)
    expect(page.written.length - shown).toBeLessThan(301)
  })

  it('has nothing to lay out in an empty folder', () => {
    const page = openFakePage(graphPage('x', { nodes: [], edges: [] }))
    expect(page.frames(10)).toBeLessThan(10)
    expect(page.element('count').textContent).toBe('0 notes, 0 links')
  })
})
