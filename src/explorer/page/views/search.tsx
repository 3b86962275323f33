/** Results on the left, what one reads on the right, in panes side by side. */
import { IN_CHAT } from '../chat/in-chat.ts'
import { phone, route, searched, width } from '../state/app.ts'
import { Pane, Spine } from '../parts/pane.tsx'
import { Preview } from '../parts/preview.tsx'
import { hasRail, Rail, RAIL_WIDTH } from '../parts/rail.tsx'
import { Results } from '../parts/results.tsx'
import { useBeginning } from '../state/beginning.ts'
import { useScrollBack } from '../parts/use-scroll-back.ts'
import { Home } from './home.tsx'

/** Narrower than this nobody likes to read. */
const PANE_WIDTH = 480
/** From here on, a note and what belongs to it stand beside each other. */
const ROOMY = 1_100
const SPINE_WIDTH = 44
const RESULTS_WIDTH = 380

export function Search() {
  const { panes, focus } = route.value
  const searching = searched.value.query !== ''
  const withRail = !searching && hasRail.value
  useBeginning(!searching && (withRail || panes.length === 0))
  const beside = searching ? RESULTS_WIDTH : withRail ? RAIL_WIDTH : 0
  const open = openPanes(panes.length, focus, width.value - beside)
  return (
    <div class="reading-room">
      {searching && !(phone.value && panes.length > 0) && <Left hasTitle={panes.length === 0} />}
      {!IN_CHAT && withRail && <Rail />}
      {!searching && panes.length === 0 ? (
        <Home />
      ) : panes.length > 0 ? (
        <div class="panes">
          {panes.map((pane, index) =>
            open.has(index) ? (
              <Pane
                key={pane.id}
                pane={pane}
                index={index}
                reading={index === focus}
                roomy={panes.length === 1 && width.value - beside >= ROOMY}
              />
            ) : phone.value ? null : (
              <Spine key={pane.id} pane={pane} index={index} />
            ),
          )}
        </div>
      ) : (
        !phone.value &&
        (IN_CHAT ? (
          <p class="empty">Choose a result with the arrows, open it with Enter.</p>
        ) : (
          <Preview />
        ))
      )}
    </div>
  )
}

function Left({ hasTitle }: { readonly hasTitle: boolean }) {
  const left = useScrollBack('results', searched.value.answer !== undefined)
  return (
    <aside class="left" aria-label="Search results" ref={left} data-scroll="results">
      {hasTitle && <h1 class="unseen-text">Search results</h1>}
      <Results />
    </aside>
  )
}

/** As many as fit, with the one that is read among them; the others are spines. */
export function openPanes(count: number, focus: number, width: number): ReadonlySet<number> {
  const fit = Math.max(
    1,
    Math.floor((width - SPINE_WIDTH * Math.max(0, count - 1)) / (PANE_WIDTH - SPINE_WIDTH)),
  )
  const shown = Math.min(count, fit)
  const first = Math.max(
    0,
    Math.min(focus - shown + 1 + Math.floor((shown - 1) / 2), count - shown),
  )
  return new Set(Array.from({ length: shown }, (_, index) => first + index))
}
