/** The page in a window of its own: what most visits need at once, the rest when it is first shown. */
import { Nowhere, startPage } from './app.tsx'
import { effect } from '@preact/signals'
import { facts } from './state/app.ts'
import { later } from './parts/later.tsx'
import { provideDoing } from './state/acting.ts'
import { provideEditor } from './state/editing.ts'
import { Browse } from './views/browse.tsx'
import { Inspect } from './views/inspect.tsx'
import { Search } from './views/search.tsx'

// Nobody pays for what changes notes before he may change one.
provideDoing({
  begin: () => import('./doing/begin.tsx'),
  inNote: () => import('./doing/in-note.ts'),
  tickDue: () => import('./doing/in-note.ts'),
})

provideEditor(later(async () => (await import('./editing/editor.tsx')).Editor))

startPage({
  search: Search,
  inspect: Inspect,
  browse: Browse,
  ask: later(async () => (await import('./views/ask.tsx')).Ask),
  graph: later(async () => (await import('./views/graph.tsx')).Graph),
  reports: later(async () => (await import('./views/reports.tsx')).Reports),
  history: later(async () => (await import('./views/history.tsx')).History),
  live: later(async () => (await import('./views/live.tsx')).Live),
  nowhere: Nowhere,
})

// What a link shows when one points at it is loaded when somebody first does.
addEventListener('pointerover', function first(event) {
  if (!(event.target as Element).closest('.prose a[data-id], .around a[data-id]')) return
  removeEventListener('pointerover', first)
  void import('./parts/hover-preview.tsx').then(
    ({ followPointer }) => followPointer(event),
    () => undefined,
  )
})

// So is what answers queries, with the first note that has one.
function answerBlocks(): void {
  if (!document.querySelector(UNANSWERED)) return
  void import('./collected/collected.ts').then(
    (later) => later.answerBlocks(),
    () => undefined,
  )
}
const UNANSWERED = '.prose code:is(.language-dataview, .language-base):not([data-answered])'
addEventListener('cairn-shown', answerBlocks)

// So is what draws diagrams, with the first note that has one.
function drawDiagrams(): void {
  if (!facts.value?.diagrams || !document.querySelector(UNDRAWN)) return
  void import('./diagrams/draw-diagrams.ts').then(
    (later) => later.drawDiagrams(document.body),
    () => undefined,
  )
}
const UNDRAWN = '.prose code.language-mermaid:not([data-drawn])'
addEventListener('cairn-shown', drawDiagrams)
effect(drawDiagrams)
