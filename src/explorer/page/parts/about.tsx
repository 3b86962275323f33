/** What a note says of itself above its text: when, under which tags, with which properties. */
import { IN_CHAT } from '../chat/in-chat.ts'
import { go, openNote } from '../state/app.ts'
import { begin, offers } from '../state/acting.ts'
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

export function About({ note, index }: { readonly note: ShownNote; readonly index: number }) {
  const properties = Object.entries(note.properties).filter(
    ([key]) => !['title', 'tags', 'tag'].includes(key),
  )
  return (
    <div class="about">
      <p>
        {note.updatedAt !== undefined && <Time at={note.updatedAt} only="day" />}
        {note.file !== undefined && !IN_CHAT && (
          <a class="file" href={note.file} target="_blank" rel="noopener">
            The file itself
          </a>
        )}
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
                  <td dir="auto">
                    <Value value={value} note={note} index={index} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {!IN_CHAT && offers(note).includes('properties') && (
            <button type="button" onClick={() => begin({ kind: 'properties', note })}>
              Edit properties
            </button>
          )}
        </details>
      )}
    </div>
  )
}

interface ValueProps {
  readonly value: unknown
  readonly note: ShownNote
  readonly index: number
}

const LINKED = /(\[\[[^[\]\n]{1,500}\]\]|https?:\/\/[^\s<>"]{1,2000})/

/** Lists as their parts, links and addresses as links, everything else as it is written. */
function Value({ value, note, index }: ValueProps) {
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) {
    return (
      <>
        {value.map((each, at) => (
          <span key={at}>
            {at > 0 && ', '}
            <Value value={each} note={note} index={index} />
          </span>
        ))}
      </>
    )
  }
  if (typeof value !== 'string') return <>{clean(JSON.stringify(value) ?? '')}</>
  return (
    <>
      {value.split(LINKED).map((piece, at) => {
        if (at % 2 === 0) return clean(piece)
        if (!piece.startsWith('[[')) {
          return (
            <a key={at} href={piece} rel="noopener noreferrer" target="_blank">
              {clean(piece)}
            </a>
          )
        }
        const [path = '', label] = piece.slice(2, -2).split('|', 2)
        const [target = '', fragment = ''] = path.split('#', 2)
        const id = Object.hasOwn(note.named, target.trim()) ? note.named[target.trim()] : undefined
        const words = clean(label ?? path)
        return id === undefined ? (
          <span key={at} class="ghost">
            {words}
          </span>
        ) : (
          <button
            key={at}
            type="button"
            class="plain opens"
            onClick={() => openNote(id, { from: index, fragment, read: true })}
          >
            {words}
          </button>
        )
      })}
    </>
  )
}
