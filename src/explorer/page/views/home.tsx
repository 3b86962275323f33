/** Where one begins: what is here, and what changed last. */
import { useEffect, useRef, useState } from 'preact/hooks'
import {
  door,
  errorOf,
  facts,
  go,
  lost,
  openNote,
  phone,
  prepareTyping,
  reconnected,
  show,
} from '../state/app.ts'
import { FootTools } from '../parts/foot.tsx'
import { anyChanged } from '../state/changes.ts'
import { useScrollBack } from '../parts/use-scroll-back.ts'
import { clean, Path, plural, Problem, Time, Waiting } from '../parts/text.tsx'
import type { DoorError } from '../door.ts'
import type { Beginning } from '../../wire/wire.ts'

export function Home() {
  const [home, setHome] = useState<Beginning | undefined>()
  const [error, setError] = useState<DoorError | undefined>()
  const known = facts.value
  const room = useScrollBack('home', home !== undefined)
  // Asked for at once, without waiting for the facts, and again when notes came or went.
  const early = useRef(known === undefined)
  useEffect(() => {
    const asked = early.current && known !== undefined && error === undefined && !lost.value
    if (known) early.current = false
    if (asked) return
    door
      .read<Beginning>('home', {})
      .then(
        (found) => {
          setHome(found)
          setError(undefined)
        },
        (problem: unknown) => setError(errorOf(problem)),
      )
      .then(prepareTyping)
  }, [known?.documents, anyChanged.value, reconnected.value])
  return (
    <div class="home scroll" ref={room} data-scroll="home">
      <div class="page">
        <h1>{known ? plural(known.documents, 'note') : 'Cairn'}</h1>
        <p class="lead">
          {known && `${plural(known.links, 'link')} · ${plural(known.tags, 'tag')} · `}
          {known?.sources.map(({ name }) => clean(name)).join(', ')}
        </p>
        {error && <Problem error={error} />}
        {known?.documents === 0 && !known.indexing && (
          <div class="nothing">
            <p>This base is empty.</p>
            <p class="hint">
              Put Markdown files into the folder that is served; they appear here by themselves.
            </p>
          </div>
        )}
        {known?.indexing && <p class="remark">{known.indexing}</p>}
        <section aria-labelledby="recent">
          <h2 id="recent">Changed last</h2>
          {!home && !error && <Waiting />}
          <ul class="cards">
            {home?.recent.map(({ id, title, updatedAt }) => (
              <li key={id}>
                <button type="button" class="card" onClick={() => openNote(id)}>
                  <span class="name" dir="auto">
                    {clean(title)}
                  </span>
                  <Path id={id} />
                  {updatedAt !== undefined && <Time at={updatedAt} only="day" />}
                </button>
              </li>
            ))}
          </ul>
        </section>
        {home && home.tags.length > 0 && (
          <section aria-labelledby="tags">
            <h2 id="tags">Tags</h2>
            <p class="tags">
              {home.tags.map(({ tag, documents }) => (
                <button
                  key={tag}
                  type="button"
                  class="tag"
                  onClick={() => go({ q: `tag:${tag} ` })}
                >
                  {`#${clean(tag)} ${documents}`}
                </button>
              ))}
            </p>
          </section>
        )}
        <p class="row-of-buttons">
          <button type="button" onClick={() => show('graph')}>
            See the map
          </button>
          <button type="button" onClick={() => show('reports')}>
            What needs care
          </button>
        </p>
        {phone.value && <FootTools />}
      </div>
    </div>
  )
}
