/** Addresses of views: each answers with the page, which then shows the right thing. */
const VIEWS = new Set(['', 'graph', 'ask', 'reports', 'history', 'live', 'inspect', 'n'])

/** Whether an address belongs to the page: a view of it, or what it asks for. */
export function isPagePath(path: string): boolean {
  return path.startsWith('/web/') || VIEWS.has(path.split('/')[1] ?? '')
}
