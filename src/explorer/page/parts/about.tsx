/** What a note says of itself above its text: when, under which tags, with which properties. */
import { go } from '../state/app.ts'
import type { ShownNote } from '../../wire/wire.ts'
import { clean, plural, Time } from './text.tsx'

export function QuoteState({ note }: { readonly note: ShownNote }) {
  const [found] = note.quotes
  if (note.changed) return <p class="remark warn">The note has changed since it was quoted.</p>
  if (found === 'block') return <p class="remark">The quoted passage is marked at its edge.</p>
  if (found === 'nothing')
    return <p class="remark warn">The quoted words are no longer in the note.</p>
  return null
}

export function About({ note }: { readonly note: ShownNote }) {
  const properties = Object.entries(note.properties).filter(
    ([key]) => !['title', 'tags', 'tag'].includes(key),
  )
  return (
    <div class="about">
      <p>
        {note.updatedAt !== undefined && <Time at={note.updatedAt} only="day" />}
        {note.links.broken > 0 && (
          <span class="warn-text">{plural(note.links.broken, 'broken link')}</span>
        )}
        {note.tags.map((tag) => (
          <button
            key={tag}
            type="button"
            class="tag"
            onClick={() => go({ q: `tag:${tag}`, view: 'search' })}
          >
            {`#${clean(tag)}`}
          </button>
        ))}
      </p>
      {properties.length > 0 && (
        <details class="properties">
          <summary>{plural(properties.length, 'property', 'properties')}</summary>
          <table>
            <tbody>
              {properties.map(([key, value]) => (
                <tr key={key}>
                  <th scope="row">{clean(key)}</th>
                  <td>{clean(typeof value === 'string' ? value : JSON.stringify(value))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </div>
  )
}
