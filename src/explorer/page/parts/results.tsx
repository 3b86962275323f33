/** What was found while one types: names first, then passages. */
import { computed } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { IN_CHAT } from '../chat/in-chat.ts'
import {
  chosen,
  facts,
  go,
  MOST,
  openNote,
  route,
  searched,
  searchMore,
  show,
} from '../state/app.ts'
import type { Filters } from '../state/route.ts'
import type { FacetName, FoundTitle, PageHit } from '../../wire/wire.ts'
import { newNote } from '../state/acting.ts'
import { mayWrite } from '../state/writing.ts'
import { KeepSearch } from './bookmarks.tsx'
import { clean, fromMark, Marked, Path, Problem } from './text.tsx'

type Option =
  | { readonly kind: 'title'; readonly row: FoundTitle }
  | { readonly kind: 'hit'; readonly row: PageHit }

export const options = computed<readonly Option[]>(() => {
  const { answer } = searched.value
  if (!answer) return []
  return [
    ...(answer.titles ?? []).map((row) => ({ kind: 'title', row }) as const),
    ...answer.hits.map((row) => ({ kind: 'hit', row }) as const),
  ]
})

export function optionId(index: number): string {
  return `option-${index}`
}

/** Enter on a result: instead of what one read, or beside it. */
export function openChosen(beside: boolean): void {
  const option = options.value[chosen.value]
  if (option) openOption(option, beside)
}

export function lineOfOption(option: Option): number | undefined {
  return option.kind === 'title' ? option.row.line : option.row.lines?.[0]
}

/** What was found as it is written, whatever form of it was asked for. */
export const wordsFound = computed<ReadonlySet<string>>(() => {
  const words = new Set<string>()
  for (const { text, marks } of searched.value.answer?.hits ?? []) {
    for (const { start, end } of marks) words.add(text.slice(start, end).toLowerCase())
  }
  return words
})

function openOption(option: Option, beside: boolean): void {
  const line = lineOfOption(option)
  openNote(option.row.id, { beside, lines: line === undefined ? '' : String(line), read: true })
}

/** The same notes, with what they say of themselves. */
function showAsTable(): void {
  const { q, filters } = route.peek()
  const { folder = '', tag = '', where } = filters
  const more = {
    ...(q.trim() !== '' && { words: q.trim() }),
    ...(folder !== '' && { in: folder.endsWith('/') ? folder : `${folder}/` }),
    ...(tag !== '' && { tagged: tag }),
  }
  const there = { view: 'browse', q: '', panes: [], focus: 0 } as const
  go({ ...there, filters: where === undefined ? {} : { where }, more })
}

export function Results() {
  const { query, answer, error, ms, limit } = searched.value
  const titles = answer?.titles ?? []
  const hits = answer?.hits ?? []
  useEffect(() => {
    document.getElementById(optionId(chosen.value))?.scrollIntoView({ block: 'nearest' })
  }, [chosen.value])
  if (error) return <Problem error={error} />
  if (query === '' || !answer) return null
  return (
    <div class="results">
      <Chips />
      <div id="results" role="listbox" aria-label="Results" class="list">
        {titles.length > 0 && (
          <div role="group" aria-labelledby="group-titles">
            <p id="group-titles" class="group">
              Titles
            </p>
            {titles.map((row, index) => (
              <TitleRow key={`${row.id}${row.as ?? ''}`} row={row} index={index} />
            ))}
          </div>
        )}
        {hits.length > 0 && (
          <div role="group" aria-labelledby="group-passages">
            <p id="group-passages" class="group">
              Passages{' '}
              <span class="count">{`${answer.total}${answer.total >= 100 ? '+' : ''} · ${Math.round(ms)} ms`}</span>
            </p>
            {hits.map((row, index) => (
              <HitRow key={row.id} row={row} index={titles.length + index} />
            ))}
          </div>
        )}
      </div>
      {hits.length + titles.length === 0 && <NothingFound query={query} />}
      {hits.length > 0 && !answer.relevant && (
        <p class="remark">Nothing here is really about this. These are the nearest notes.</p>
      )}
      {answer.notes.map((note) => (
        <p class="remark" key={note}>
          {note}
        </p>
      ))}
      {answer.indexing && <p class="remark">{answer.indexing}</p>}
      <p class="row-of-buttons below">
        {hits.length >= limit && limit < MOST && (
          <button type="button" onClick={searchMore}>
            {`More (${answer.total - hits.length}${answer.total >= MOST ? '+' : ''})`}
          </button>
        )}
        {!IN_CHAT && <KeepSearch />}
        {!IN_CHAT && hits.length > 0 && !answer.relevant && <MakeNote query={query} />}
        {!IN_CHAT && hits.length > 0 && (
          <button type="button" class="plain" onClick={showAsTable}>
            As a table
          </button>
        )}
        {hits.length > 0 && (
          <button type="button" class="plain" onClick={() => show('inspect')}>
            {hits.length === 1 ? 'Why this note?' : `Why these ${hits.length} notes?`}
          </button>
        )}
      </p>
    </div>
  )
}

function rowProps(index: number, option: Option) {
  return {
    id: optionId(index),
    role: 'option' as const,
    'aria-selected': chosen.value === index,
    class: `row ${option.kind}`,
    onPointerMove: () => {
      if (chosen.peek() !== index) chosen.value = index
    },
    onClick: (event: MouseEvent) => {
      chosen.value = index
      openOption(option, event.shiftKey || event.ctrlKey || event.metaKey)
    },
  }
}

function TitleRow({ row, index }: { readonly row: FoundTitle; readonly index: number }) {
  return (
    <div {...rowProps(index, { kind: 'title', row })}>
      <p class="name" dir="auto">
        {row.as === undefined ? <Marked text={row.title} marks={row.marks} /> : clean(row.title)}
        {row.kind === 'entity' && <span class="kind">entity</span>}
      </p>
      {row.as !== undefined && (
        <p class="as" dir="auto">
          {row.what === 'heading' ? '# ' : 'also: '}
          <Marked text={row.as} marks={row.marks} />
        </p>
      )}
      <Path id={row.id} />
    </div>
  )
}

function HitRow({ row, index }: { readonly row: PageHit; readonly index: number }) {
  // Below the title of the note it would be there twice.
  const heading = ` › ${row.heading} › `.replace(` › ${row.title} › `, ' › ').slice(3, -3)
  return (
    <div {...rowProps(index, { kind: 'hit', row })}>
      <p class="name" dir="auto">
        {clean(row.title)}
        {row.lines && <span class="line">:{row.lines[0]}</span>}
        {row.kind === 'entity' && <span class="kind">entity</span>}
      </p>
      <p class="as" dir="auto">
        {heading !== '' && `${clean(heading)} · `}
        <Path id={row.id} />
      </p>
      <p class="snippet" dir="auto">
        <Marked {...fromMark(row.text, row.marks)} />
      </p>
    </div>
  )
}

function NothingFound({ query }: { readonly query: string }) {
  return (
    <div class="nothing">
      <p>Nothing was found.</p>
      <p class="hint">Fewer words, or other words, may help.</p>
      <p class="row-of-buttons">
        {!IN_CHAT && <MakeNote query={query} />}
        <button type="button" onClick={() => go({ view: 'inspect', q: query, more: {} })}>
          Why was a note not found?
        </button>
      </p>
    </div>
  )
}

/** Words that were looked for and are not there may be the name of a note. */
function MakeNote({ query }: { readonly query: string }) {
  const name = query.trim()
  // A condition such as `tag:tea` is no name.
  if (!mayWrite.value || name === '' || /(?:^|\s)-?\w+:\S/.test(name)) return null
  return (
    <button
      type="button"
      onClick={() => newNote(name)}
    >{`Make a note called “${clean(name)}”`}</button>
  )
}

const FACETS: readonly (readonly [FacetName, string])[] = [
  ['source', 'Source'],
  ['folder', 'Folder'],
  ['tag', 'Tag'],
  ['type', 'Type'],
]

const AGES: readonly (readonly [days: number, name: string])[] = [
  [1, 'since yesterday'],
  [7, 'in 7 days'],
  [30, 'in 30 days'],
  [365, 'in a year'],
]

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
}

/** Of each kind, so many stand there to be pressed; the others are in a list. */
const CHIPS = 2

/** What could narrow the results, with how many it would leave; pressed is what does. */
function Chips() {
  const { answer } = searched.value
  const { filters } = route.value
  const single = (facts.value?.sources.length ?? 1) < 2
  const set = (change: Filters): void => go({ filters: { ...filters, ...change } }, 'replace')
  const named = (name: FacetName, value: string): string => {
    const shown = name === 'folder' && single ? value.slice(value.indexOf('/') + 1) : value
    return clean(name === 'tag' ? `#${shown}` : shown.replace(/\/$/, ''))
  }
  return (
    <div class="narrow" role="group" aria-label="Narrow the results">
      {FACETS.map(([name, label]) => {
        const values = answer?.facets[name] ?? []
        const current = filters[name]
        if (values.length < 2 && current === undefined) return null
        const others = values.filter(({ value }) => value !== current)
        const shown = others.slice(0, CHIPS)
        const rest = others.slice(CHIPS)
        return (
          <div key={name} class="chips" role="group" aria-label={label}>
            {current !== undefined && (
              <button
                type="button"
                class="chip"
                aria-pressed="true"
                onClick={() => set({ [name]: undefined })}
              >
                {named(name, current)} <span aria-hidden="true">×</span>
              </button>
            )}
            {shown.map(({ value, count }) => (
              <button
                key={value}
                type="button"
                class="chip"
                aria-pressed="false"
                onClick={() => set({ [name]: value })}
              >
                {named(name, value)} <span class="count">{count}</span>
              </button>
            ))}
            {rest.length > 0 && (
              <select
                class="chip"
                aria-label={`${label}: others`}
                value=""
                onChange={(event) => set({ [name]: event.currentTarget.value })}
              >
                <option value="">{label}</option>
                {rest.map(({ value, count }) => (
                  <option key={value} value={value}>
                    {`${named(name, value)} (${count})`}
                  </option>
                ))}
              </select>
            )}
          </div>
        )
      })}
      <PropertyChips set={set} />
      <div class="chips">
        <select
          class="chip"
          aria-label="Changed"
          value={filters.since ?? ''}
          onChange={(event) => set({ since: event.currentTarget.value || undefined })}
        >
          <option value="">any time</option>
          {filters.since && !AGES.some(([days]) => daysAgo(days) === filters.since) && (
            <option value={filters.since}>since {filters.since}</option>
          )}
          {AGES.map(([days, name]) => (
            <option key={days} value={daysAgo(days)}>
              {name}
            </option>
          ))}
        </select>
        {Object.values(filters).some(Boolean) && (
          <button type="button" class="plain" onClick={() => go({ filters: {} }, 'replace')}>
            Clear
          </button>
        )}
      </div>
    </div>
  )
}

/** What several of them say of themselves; one condition at a time. */
function PropertyChips({ set }: { readonly set: (change: Filters) => void }) {
  const { where } = route.value.filters
  const { properties = [] } = searched.value.answer ?? {}
  return (
    <>
      {where !== undefined && (
        <div class="chips">
          <button
            type="button"
            class="chip"
            aria-pressed="true"
            onClick={() => set({ where: undefined })}
          >
            {clean(where.replaceAll('"', ''))} <span aria-hidden="true">×</span>
          </button>
        </div>
      )}
      {properties.map(({ key, values }) => {
        const others = values.filter((each) => each.where !== where)
        if (others.length === 0) return null
        return (
          <div key={key} class="chips">
            <select
              class="chip"
              aria-label={`Property ${clean(key)}`}
              value=""
              onChange={(event) => set({ where: event.currentTarget.value })}
            >
              <option value="">{clean(key)}</option>
              {others.map((each) => (
                <option key={each.where} value={each.where}>
                  {`${clean(each.value)} (${each.count})`}
                </option>
              ))}
            </select>
          </div>
        )
      })}
    </>
  )
}
