/**
 * Cross-site request forgery: pages of other servers on this machine pass the guard, and a form can
 * be sent without asking. Routes that take more than JSON are changed through only by our own pages
 * and those that were named.
 */
import type { Site } from './mount.ts'

export function isForeignPage(
  { method, headers, url }: Pick<Request, 'method' | 'headers' | 'url'>,
  { mayRead }: Pick<Site, 'mayRead'>,
): boolean {
  const origin = headers.get('origin')
  if (origin === null || method === 'GET' || method === 'HEAD') return false
  return !mayRead(origin) && URL.parse(origin)?.host !== new URL(url).host
}
