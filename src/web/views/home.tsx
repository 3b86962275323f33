/** Where one begins: what is here, and what changed last. */
import { useEffect, useState } from 'preact/hooks'
import { door, errorOf, facts, go, openNote, show } from '../state/app.ts'
import { clean, Path, plural, Problem, Time, Waiting } from '../parts/text.tsx'
import type { DoorError } from '../door.ts'
import type { Report } from '../wire.ts'

export function Home() {
  const [report, setReport] = useState<Report | undefined>()
  const [tags, setTags] = useState<Report | undefined>()
  const [error, setError] = useState<DoorError | undefined>()
  const known = facts.value
  useEffect(() => {
    door
      .call<Report>('insights', { report: 'overview' })
      .then(setReport, (problem: unknown) => setError(errorOf(problem)))
    door.call<Report>('insights', { report: 'tags', limit: 30 }).then(setTags, () => undefined)
  }, [known?.documents])
  return (
    <div class="home scroll">
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
          {!report && !error && <Waiting />}
          <ul class="cards">
            {report?.items.map((item) => (
              <li key={String(item['id'])}>
                <button type="button" class="card" onClick={() => openNote(String(item['id']))}>
                  <span class="name">{clean(String(item['title']))}</span>
                  <Path id={String(item['id'])} />
                  <Time at={String(item['updated'])} only="day" />
                </button>
              </li>
            ))}
          </ul>
        </section>
        {(tags?.items.length ?? 0) > 0 && (
          <section aria-labelledby="tags">
            <h2 id="tags">Tags</h2>
            <p class="tags">
              {tags?.items.map((item) => (
                <button
                  key={String(item['tag'])}
                  type="button"
                  class="tag"
                  onClick={() => go({ q: `tag:${String(item['tag'])} ` })}
                >
                  {`#${clean(String(item['tag']))} ${String(item['documents'] ?? '')}`}
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
      </div>
    </div>
  )
}
