/** Addresses of views: each answers with the page, which then shows the right thing. */
const VIEWS = new Set(['', 'graph', 'ask', 'reports', 'history', 'live', 'inspect', 'browse', 'n'])

/** Browsers and launchers look for it there, whatever a page says. */
export const ICON = '/favicon.ico'

/** Whether an address belongs to the page: a view of it, or what it asks for. */
export function isPagePath(path: string): boolean {
  return path === ICON || path.startsWith('/web/') || VIEWS.has(path.split('/')[1] ?? '')
}
