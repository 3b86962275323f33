/** Who links to a note, with their sentences; and who only speaks of it. */
import { useEffect, useState } from 'preact/hooks'
import { door, errorOf, openNote, say, titles } from '../state/app.ts'
import { mayWrite, sayDone, write } from '../state/writing.ts'
import type { Backlink, Mention } from '../../wire/wire.ts'
import { clean, fromMark, Marked, plural } from './text.tsx'

const BACKLINKS = 20

interface Found {
  readonly items: readonly Backlink[]
  readonly total: number
}

export function Backlinks({
  id,
  index,
  version,
}: {
  readonly id: string
  readonly index: number
  readonly version: number
}) {
  const [page, setPage] = useState<Found | undefined>()
  const [mentions, setMentions] = useState<readonly Mention[] | undefined>()
  useEffect(() => {
    let current = true
    door.read<Found>('backlinks', { id, limit: BACKLINKS }).then(
      (found) => {
        if (current) setPage(found)
      },
      () => undefined,
    )
    setMentions(undefined)
    return () => {
      current = false
    }
  }, [id, version])
  const more = async (): Promise<void> => {
    if (!page) return
    const next = await door.read<Found>('backlinks', {
      id,
      offset: page.items.length,
      limit: 100,
    })
    setPage({ ...next, items: [...page.items, ...next.items] })
  }
  const find = async (): Promise<void> => {
    const { items } = await door.read<{ items: readonly Mention[] }>('mentions', { id })
    setMentions(items)
    say(plural(items.length, 'mention'))
  }
  const link = async (mention: Mention): Promise<void> => {
    try {
      const { operation } = await write({
        action: 'find_replace',
        id: mention.id,
        find: mention.find,
        replace: mention.replace,
        if_digest: mention.digest,
      })
      setMentions((before) => before?.filter((each) => each !== mention))
      sayDone(`Linked in ${mention.title}`, operation)
      // It is one of them now.
      setPage(await door.read<Found>('backlinks', { id, limit: BACKLINKS }))
    } catch (problem) {
      say(errorOf(problem).message)
    }
  }
  if (!page) return null
  return (
    <section class="backlinks" aria-label={`Backlinks of ${clean(titles.value.get(id) ?? id)}`}>
      <h2>{page.total === 0 ? 'Nothing links here' : plural(page.total, 'backlink')}</h2>
      <ul>
        {page.items.map((item) => (
          <li key={item.id}>
            <InContext item={item} from={index} />
          </li>
        ))}
      </ul>
      {page.items.length < page.total && (
        <button
          type="button"
          onClick={() => void more()}
        >{`${page.total - page.items.length} more`}</button>
      )}
      {mentions === undefined ? (
        <button type="button" class="plain" onClick={() => void find()}>
          Look for mentions without a link
        </button>
      ) : (
        <>
          <h2>
            {mentions.length === 0
              ? 'No other mentions'
              : `${plural(mentions.length, 'mention')} without a link`}
          </h2>
          <ul>
            {mentions.map((item) => (
              <li key={item.id} class="mention">
                <InContext item={item} from={index} />
                {mayWrite.value && (
                  <button type="button" onClick={() => void link(item)}>
                    Link
                  </button>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

/** A place that links here or speaks of it, with the words around. */
export function InContext({ item, from }: { item: Backlink; from?: number }) {
  return (
    <button
      type="button"
      class="context"
      onClick={() => openNote(item.id, { from, lines: String(item.line) })}
    >
      <span class="name" dir="auto">
        {clean(item.title)}
        <span class="line">:{item.line}</span>
        {item.relation && <span class="kind">{clean(item.relation)}</span>}
      </span>
      <span class="snippet" dir="auto">
        <Marked {...fromMark(item.text, item.marks)} />
      </span>
    </button>
  )
}
