/** The one place where a rendered note enters the page. The server has made sure what it holds. */
import { useLayoutEffect, useRef } from 'preact/hooks'

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
  ...rest
}: {
  readonly html: string
  readonly class?: string
  readonly onClick?: (event: MouseEvent) => void
}) {
  const element = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (element.current) element.current.innerHTML = policy ? policy.createHTML(html) : html
  }, [html])
  return <div ref={element} {...rest} />
}
