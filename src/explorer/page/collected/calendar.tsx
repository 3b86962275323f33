/** A month with what is on its days. Weeks begin on Monday; on narrow screens days are a list. */
import type { ComponentChildren } from 'preact'
import { addStyle } from '../parts/add-style.ts'
import { plural } from '../parts/text.tsx'
import style from './collected.css'
import { localDay, moved, weeksOf } from './weeks.ts'

export interface Dated {
  /** `2026-12-01`. */
  readonly day: string
  readonly key: string
  readonly shown: ComponentChildren
}

interface Props {
  /** `2026-12`. */
  readonly month: string
  readonly items: readonly Dated[]
  readonly onMonth: (month: string) => void
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const NAME = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })

export function Calendar({ month, items, onMonth }: Props) {
  addStyle(style)
  const weeks = weeksOf(month)
  const byDay = Map.groupBy(items, ({ day }) => day)
  const today = localDay()
  const shown = items.filter(({ day }) => day.startsWith(month))
  return (
    <section class="calendar" aria-label="Calendar">
      <p class="row-of-buttons">
        <button type="button" onClick={() => onMonth(moved(month, -1))}>
          <span aria-hidden="true">‹</span>
          <span class="unseen-text">Month before</span>
        </button>
        <strong aria-live="polite">{NAME.format(new Date(`${month}-01T00:00Z`))}</strong>
        <button type="button" onClick={() => onMonth(moved(month, 1))}>
          <span aria-hidden="true">›</span>
          <span class="unseen-text">Month after</span>
        </button>
        <button type="button" onClick={() => onMonth(today.slice(0, 7))}>
          Today
        </button>
        <span class="count">{plural(shown.length, 'note')}</span>
      </p>
      <table>
        <thead>
          <tr>
            {WEEKDAYS.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((days) => (
            <tr key={days[0]}>
              {days.map((day) => {
                const own = byDay.get(day) ?? []
                const outside = !day.startsWith(month)
                return (
                  <td
                    key={day}
                    class={outside ? 'outside' : own.length === 0 ? 'free' : ''}
                    aria-current={day === today ? 'date' : undefined}
                  >
                    <time dateTime={day}>{Number(day.slice(8))}</time>
                    {!outside && own.length > 0 && (
                      <ul>
                        {own.map(({ key, shown: item }) => (
                          <li key={key}>{item}</li>
                        ))}
                      </ul>
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
