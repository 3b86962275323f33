/** What is known of the base, what was said last, and what belongs to no view. */
import { useEffect } from 'preact/hooks'
import { IN_CHAT } from '../chat/in-chat.ts'
import { changeMode, otherMode } from '../chat/start.ts'
import { signOut } from '../door.ts'
import { facts, helpOpen, notice } from '../state/app.ts'
import { lineBreaks, nextLineBreaks } from '../state/line-breaks.ts'
import { offered, undo } from '../state/writing.ts'
import { nextTheme, theme } from '../state/theme.ts'
import { clean, plural } from './text.tsx'

export function Foot() {
  const known = facts.value
  const undoes = offered.value
  useEffect(() => {
    if (notice.value === '') return undefined
    // Who may want to take it back needs a while to see it.
    const timer = setTimeout(() => (notice.value = ''), undoes === undefined ? 4_000 : 12_000)
    return () => clearTimeout(timer)
  }, [notice.value, undoes])
  return (
    <footer class={`foot${IN_CHAT ? ' in-chat' : ''}`}>
      <span>
        {known
          ? `${plural(known.documents, 'note')} · ${known.indexing ?? 'index is current'}`
          : ''}
      </span>
      <span class="notice" role="status">
        {notice.value}
      </span>
      {!IN_CHAT && undoes !== undefined && (
        <button type="button" class="undo" onClick={() => void undo(undoes)}>
          Undo <kbd aria-hidden="true">u</kbd>
        </button>
      )}
      <FootTools />
    </footer>
  )
}

/** On a phone there is one bar at the bottom, and these stand at the end of the first page. */
export function FootTools() {
  const known = facts.value
  return (
    <span class="foot-tools">
      {known?.who !== undefined && !IN_CHAT && <Who name={known.who} />}
      {known && !known.writes && <span class="kind">read-only</span>}
      {!IN_CHAT && (
        <button type="button" class="plain" onClick={() => nextTheme()}>
          {`${theme.value} colours`}
        </button>
      )}
      {!IN_CHAT && (
        <button
          type="button"
          class="plain"
          title="Whether a line that ends within a paragraph is seen to end: as in Obsidian where the folder is its vault, always, never"
          onClick={nextLineBreaks}
        >
          {`${lineBreaks.value} line breaks`}
        </button>
      )}
      {otherMode.value && (
        <button type="button" class="plain" onClick={() => void changeMode(otherMode.value!)}>
          {otherMode.value === 'fullscreen' ? 'larger' : 'smaller'}
        </button>
      )}
      <button type="button" class="plain" onClick={() => (helpOpen.value = true)}>
        keys <kbd>?</kbd>
      </button>
    </span>
  )
}

/** Who is signed in, and the way out. */
function Who({ name }: { readonly name: string }) {
  const leave = async (): Promise<void> => {
    await signOut()
    location.assign('/sign-in')
  }
  return (
    <>
      <span class="kind">{clean(name.replace(/^token:/, ''))}</span>
      <button type="button" class="plain" onClick={() => void leave()}>
        sign out
      </button>
    </>
  )
}
