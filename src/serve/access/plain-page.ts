/** A page without scripts, for what happens before anybody is let in. */

export interface PlainPage {
  readonly title: string
  /** HTML; what comes from elsewhere has to be `escaped`. */
  readonly body: string
  /** Where its forms may go, in the words of a policy. */
  readonly formAction: string
  /** Asks for the same address again at once. */
  readonly again?: boolean
}

const STYLE = `:root{color-scheme:light dark;background:light-dark(#fff,#1c1c1a);color:light-dark(#1c1c1a,#eee)}
a{color:light-dark(#0b57d0,#9cc3ff)}
body{font:16px/1.5 system-ui;max-width:34rem;margin:3rem auto;padding:0 1rem}
input,button{font:inherit;padding:.5rem .75rem}
input{display:block;box-sizing:border-box;width:100%;margin:.5rem 0 1rem}
[role=alert]{color:light-dark(#b00020,#ff9a90)}`

export function plainPage(status: number, page: PlainPage): Response {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${escaped(page.title)}</title>
${page.again ? '<meta http-equiv="refresh" content="0">' : ''}<style>${STYLE}</style>
<main>${page.body}</main></html>`
  return new Response(html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; form-action ${page.formAction}; frame-ancestors 'none'; base-uri 'none'`,
      // A form of a page that tells nobody where it is has no origin, and is refused.
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    },
  })
}

export function escaped(text: string): string {
  const names: Record<string, string> = {
    '&': 'amp',
    '<': 'lt',
    '>': 'gt',
    '"': 'quot',
    "'": '#39',
  }
  return text.replace(/[&<>"']/g, (letter) => `&${names[letter]};`)
}
