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

/** In the colours of the page that it leads to. */
const STYLE = `:root{color-scheme:light dark;--accent:light-dark(#25686a,#83c7c3);--line:light-dark(#8d897f,#6b7278);background:light-dark(#f6f5f2,#16181a);color:light-dark(#23262a,#e3e3df)}
a{color:var(--accent)}
body{font:16px/1.5 system-ui,sans-serif;margin:0;padding:10vh 1rem 2rem}
main{max-width:27rem;margin:auto;padding:1.6rem 1.8rem;border-radius:12px;background:light-dark(#fff,#1d2022);border:1px solid light-dark(#dcd9d2,#34383c)}
h1{font:600 1.5rem/1.25 Charter,Georgia,serif;margin:0 0 1rem}
main>:last-child{margin-bottom:0}
input,button{font:inherit;padding:.5rem .8rem;border-radius:7px;border:1px solid var(--line);background:none;color:inherit}
input{display:block;box-sizing:border-box;width:100%;margin:.4rem 0 1rem}
button{cursor:pointer}
button:first-of-type{background:var(--accent);border-color:transparent;color:light-dark(#fff,#10211f)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
[role=alert]{color:light-dark(#a3263a,#f2a0a8)}`

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
