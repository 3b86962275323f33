/** The box in which everything begins, and the way to every view. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { chosen, go, phone, route, searched, show, typing } from '../state/app.ts'
import { SHOWN_VIEWS, TOP, type View } from '../state/route.ts'
import { Icon } from './icons.tsx'
import { openChosen, optionId, options } from './results.tsx'

const NAMES: Readonly<Record<(typeof SHOWN_VIEWS)[number], string>> = {
  search: 'Read',
  graph: 'Graph',
  ask: 'Ask',
  reports: 'Reports',
  history: 'History',
  live: 'Live',
  inspect: 'Inspect',
}

const ICONS = {
  search: 'search',
  graph: 'graph',
  ask: 'ask',
  reports: 'reports',
  history: 'history',
  live: 'live',
  inspect: 'inspect',
} as const

export function focusSearch(): void {
  const box = document.getElementById('q') as HTMLInputElement | null
  box?.focus()
  box?.select()
}

/** The types know it only together with a list of the browser's own. */
const COMBOBOX: object = { role: 'combobox' }

export function TopBar() {
  const { view, q, panes } = route.value
  const box = useRef<HTMLInputElement>(null)
  const count = options.value.length
  const hidden = phone.value && panes.length > 0
  const current = view === 'browse' ? 'search' : view
  const drives = view === 'search' && count > 0 && !hidden

  // The address may change without the box: back, a link, another view.
  useLayoutEffect(() => {
    // As it is now: while one types fast, what was rendered is a letter behind.
    const now = route.peek().q
    if (box.current && box.current.value !== now) box.current.value = now
  }, [q])

  const onInput = (event: InputEvent): void => {
    const { value } = event.currentTarget as HTMLInputElement
    typing.value = !/\s$/.test(value)
    // On a phone a note covers the results: they come forward, and the way back leads to the note.
    if (hidden && view === 'search') go({ q: value, panes: [], focus: 0, ...TOP })
    else if (view === 'nowhere' || view === 'browse') go({ view: 'search', q: value, more: {} })
    else go({ q: value }, 'replace')
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing) return
    if (event.key === 'ArrowDown' && drives) chosen.value = Math.min(count - 1, chosen.value + 1)
    else if (event.key === 'ArrowUp' && drives) chosen.value = Math.max(0, chosen.value - 1)
    else if (event.key === 'Enter') {
      typing.value = false
      if (event.ctrlKey || event.metaKey) show('ask')
      else if (view === 'search') openChosen(event.shiftKey)
      else document.dispatchEvent(new CustomEvent('cairn-enter'))
    } else if (event.key === 'Escape') {
      // What was found stays; who is out of the box clears it with the next one.
      box.current?.blur()
    } else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <header class="top">
      <a
        class="brand"
        href="/"
        aria-label="Cairn, beginning"
        onClick={(event) => {
          event.preventDefault()
          go({
            view: 'search',
            q: '',
            panes: [],
            focus: 0,
            filters: {},
            ...TOP,
            more: {},
          })
        }}
      >
        <Stones />
        <span>Cairn</span>
      </a>
      <div class="box">
        <Icon name="search" />
        <input
          id="q"
          ref={box}
          type="search"
          {...COMBOBOX}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          placeholder={PLACEHOLDERS[view]}
          aria-label={PLACEHOLDERS[view]}
          aria-expanded={drives}
          aria-controls="results"
          aria-autocomplete="list"
          {...(drives && { 'aria-activedescendant': optionId(chosen.value) })}
          defaultValue={q}
          maxLength={2_000}
          onInput={onInput}
          onKeyDown={onKeyDown}
        />
        <kbd class="key" aria-hidden="true">
          /
        </kbd>
      </div>
      <nav class="views" aria-label="Views">
        {SHOWN_VIEWS.map((each, index) => (
          <a
            key={each}
            href={each === 'search' ? '/' : `/${each}`}
            aria-current={current === each ? 'page' : undefined}
            title={`${NAMES[each]} (${index + 1})`}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return
              event.preventDefault()
              show(each)
            }}
          >
            <Icon name={ICONS[each]} />
            <span>{NAMES[each]}</span>
          </a>
        ))}
      </nav>
      <p class="unseen-text" role="status">
        {statusText()}
      </p>
    </header>
  )
}

const PLACEHOLDERS: Readonly<Record<View, string>> = {
  search: 'Search notes',
  graph: 'Search the map',
  ask: 'Ask a question',
  reports: 'Search notes',
  history: 'Search notes',
  live: 'Search notes',
  inspect: 'Question to look into',
  browse: 'Search notes',
  nowhere: 'Search notes',
}

function statusText(): string {
  const { query, answer } = searched.value
  if (query === '' || !answer) return ''
  const titles = answer.titles?.length ?? 0
  return `${titles} titles and ${answer.hits.length} passages for ${query}`
}

function Stones() {
  return (
    <svg class="stones" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <ellipse cx="16" cy="25.500" rx="12" ry="4.500" />
      <ellipse cx="15.200" cy="17.600" rx="8.600" ry="3.900" />
      <ellipse cx="16.600" cy="10.800" rx="5.600" ry="3.100" />
      <ellipse cx="15.800" cy="5.400" rx="3" ry="2.300" />
    </svg>
  )
}
