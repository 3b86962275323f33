/** A list that is come back to stands where one left it, as soon as it is there. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { arrival, route } from '../state/app.ts'
import { formatRoute } from '../state/route.ts'
import { spotAt } from '../state/scrolls.ts'

export function useScrollBack(
  name: string,
  ready: boolean,
): { readonly current: HTMLDivElement | null } {
  const element = useRef<HTMLDivElement>(null)
  const done = useRef(-1)
  const { turn, back } = arrival.value
  useLayoutEffect(() => {
    if (!ready || done.current === turn) return
    done.current = turn
    const spot = back ? spotAt(formatRoute(route.peek()), name) : undefined
    if (spot && element.current) element.current.scrollTop = spot.top
  }, [ready, turn])
  return element
}
