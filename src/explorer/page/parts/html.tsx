/** The one place where a rendered note enters the page. The server has made sure what it holds. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { IN_CHAT } from '../chat/in-chat.ts'
import { door, lost, say } from '../state/app.ts'

interface TrustedHtmlPolicy {
  createHTML(text: string): string
}

const { trustedTypes } = globalThis as {
  trustedTypes?: {
    createPolicy(name: string, rules: { createHTML(text: string): string }): TrustedHtmlPolicy
  }
}

/** A page whose policy asks for it takes HTML from nowhere else. */
const policy = trustedTypes?.createPolicy('cairn', { createHTML: (text) => text })

export function Html({
  html,
  part,
  ...rest
}: {
  readonly html: string
  /** Which part of a long note this is. */
  readonly part?: number
  readonly class?: string
  readonly onClick?: (event: MouseEvent) => void
}) {
  const element = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (!element.current) return
    const shown = IN_CHAT ? withoutAddresses(html) : html
    element.current.innerHTML = policy ? policy.createHTML(shown) : shown
    // Each paragraph is written from the side its own language begins at; code never from the right.
    for (const block of element.current.children) {
      block.setAttribute('dir', block.tagName === 'PRE' ? 'ltr' : 'auto')
    }
    for (const code of element.current.querySelectorAll('pre.code')) offerCopy(code)
    if (IN_CHAT) void showPictures(element.current)
    else {
      // It does not rise to those around it.
      element.current.addEventListener('error', nameBroken, { capture: true })
      element.current.dispatchEvent(new CustomEvent('cairn-shown', { bubbles: true }))
    }
  }, [html])
  return <div ref={element} data-part={part} {...rest} />
}

/** What is not there, or nobody can play, is named; the sign of a broken picture says nothing. */
function nameBroken({ target }: Event): void {
  if (!(target instanceof HTMLElement) || !target.matches('.picture, .player') || lost.peek())
    return
  const name = target.getAttribute('alt') || target.ariaLabel || 'picture'
  const said = document.createElement('span')
  said.className = 'refused'
  said.textContent = name
  said.title = 'There is no such file, or this browser cannot show it'
  target.replaceWith(said)
}

function offerCopy(code: Element): void {
  const box = document.createElement('div')
  box.className = 'code-box'
  const copy = document.createElement('button')
  copy.type = 'button'
  copy.className = 'quiet copy'
  copy.textContent = 'Copy'
  copy.addEventListener('click', () => {
    void navigator.clipboard?.writeText(code.textContent).then(
      () => say('Copied'),
      () => say('This browser does not let the page copy'),
    )
  })
  code.replaceWith(box)
  box.append(code, copy)
}

/** In a chat nothing can be loaded: pictures are named instead, and asked for. */
function withoutAddresses(html: string): string {
  return html
    .replaceAll(/<(audio|video)\b.*?aria-label="(.*?)".*?<\/\1>/g, '<i>$2</i>')
    .replaceAll(/(<img\b[^>]*?) src="\/web\/file\//g, '$1 data-place="')
}

async function showPictures(element: HTMLElement): Promise<void> {
  for (const picture of element.querySelectorAll<HTMLImageElement>('img[data-place]')) {
    // One that cannot be had shows its other text, like everywhere.
    const source = await door.picture?.(picture.dataset['place'] ?? '').catch(() => undefined)
    if (source !== undefined) picture.src = source
  }
}
