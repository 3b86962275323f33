/** Where one is: in the address of the browser, or, where there is none, in a memory like it. */
import { IN_CHAT } from '../chat/in-chat.ts'

export interface Place {
  url(): string
  push(url: string): void
  replace(url: string): void
  back(): void
  forward(): void
  onReturn(listener: () => void): void
}

function browserPlace(): Place {
  return {
    url: () => location.href,
    push: (url) => history.pushState(null, '', url),
    replace: (url) => history.replaceState(null, '', url),
    back: () => history.back(),
    forward: () => history.forward(),
    onReturn: (listener) => addEventListener('popstate', listener),
  }
}

const REMEMBERED = 200

/** In a chat the address is not ours, and nothing may be kept. */
export function memoryPlace(): Place {
  let been: string[] = ['/']
  let at = 0
  let told = (): void => {}
  const move = (by: number): void => {
    if (been[at + by] === undefined) return
    at += by
    told()
  }
  return {
    url: () => been[at]!,
    push: (url) => {
      been = [...been.slice(0, at + 1), url].slice(-REMEMBERED)
      at = been.length - 1
    },
    replace: (url) => void (been[at] = url),
    back: () => move(-1),
    forward: () => move(1),
    onReturn: (listener) => void (told = listener),
  }
}

export const place: Place = IN_CHAT ? memoryPlace() : browserPlace()
