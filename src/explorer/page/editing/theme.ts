/** How the text looks: the page's own variables reach into the shadow root. */
import { EditorView } from '@codemirror/view'

export const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--paper)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--serif)',
    fontSize: '1.06rem',
    lineHeight: '1.6',
    overflow: 'auto',
  },
  '.cm-content': {
    padding: '1rem 0 40vh',
    maxWidth: '44rem',
    margin: '0 auto',
    caretColor: 'var(--ink)',
    overflowWrap: 'anywhere',
  },
  '.cm-line': { padding: '0 1.2rem', textAlign: 'start' },
  '.cm-placeholder': { color: 'var(--soft)' },
  '.cm-specialChar': { color: 'var(--bad)' },
  '&.cm-focused .cm-selectionBackground, ::selection': {
    backgroundColor: 'var(--mark)',
    color: 'var(--mark-ink)',
  },
  '.cm-tooltip': {
    border: '1px solid var(--line)',
    borderRadius: '8px',
    backgroundColor: 'var(--paper)',
    color: 'var(--ink)',
    boxShadow: '0 6px 24px rgb(0 0 0 / 0.18)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--sans)',
    // As many as are drawn: what scrolls would have to take the keys.
    maxHeight: 'none',
    overflow: 'hidden',
    maxWidth: 'min(34rem, 92vw)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    padding: '0.3rem 0.7rem',
    minHeight: '24px',
    display: 'flex',
    gap: '0.8rem',
    justifyContent: 'space-between',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--wash)',
    color: 'var(--ink)',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '650' },
  '.cm-completionDetail': {
    color: 'var(--soft)',
    fontStyle: 'normal',
    fontSize: '0.88em',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
  },
  '.cm-panels': {
    backgroundColor: 'var(--raised)',
    color: 'var(--ink)',
    borderColor: 'var(--line)',
  },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search': {
    fontFamily: 'var(--sans)',
    fontSize: '0.9rem',
    padding: '0.4rem 2.4rem 0.4rem 0.8rem',
  },
  '.cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-search label': {
    fontSize: '0.9rem',
    margin: '0.15rem 0.4rem 0.15rem 0',
  },
  '.cm-textfield, .cm-button': {
    minHeight: '28px',
    border: '1px solid var(--line)',
    borderRadius: '6px',
    background: 'var(--paper)',
    color: 'var(--ink)',
    padding: '0.1rem 0.5rem',
  },
  '.cm-panel.cm-search label': { display: 'inline-flex', alignItems: 'center', minHeight: '28px' },
  '.cm-panel.cm-search [type=checkbox]': {
    width: '18px',
    height: '18px',
    accentColor: 'var(--accent)',
  },
  '.cm-panel.cm-search [name=close]': {
    width: '28px',
    height: '28px',
    color: 'var(--ink)',
    cursor: 'pointer',
    margin: '0',
  },
  '.cm-searchMatch': { backgroundColor: 'var(--wash)', outline: '1px solid var(--accent)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--mark)', color: 'var(--mark-ink)' },
  'button:focus-visible, input:focus-visible': {
    outline: '2px solid var(--accent)',
    outlineOffset: '1px',
  },
  '@media (max-width: 759px)': {
    '.cm-line': { padding: '0 1rem' },
    // Smaller letters would make a phone zoom in.
    '.cm-scroller': { fontSize: '1.07rem' },
  },
})
