/** The page on which a person lets a client in, by showing a token of the base. */
import type { Permission } from '../domain/caller.ts'

export interface Consent {
  readonly client: string
  readonly redirect: string
  readonly scopes: readonly Permission[]
  /** What the client asked for, sent along with the form. */
  readonly params: URLSearchParams
  readonly problem?: string
}

const CARRIED = [
  'client_id',
  'redirect_uri',
  'response_type',
  'code_challenge',
  'code_challenge_method',
  'scope',
  'state',
  'resource',
]

export function consentPage(status: number, consent: Consent): Response {
  const { client, redirect, scopes, params, problem } = consent
  const hidden = CARRIED.flatMap((name) => {
    const value = params.get(name)
    return value === null ? [] : [`<input type="hidden" name="${name}" value="${escaped(value)}">`]
  })
  const wants =
    scopes.length > 0 ? `It asks to ${scopes.join(', ')}.` : 'It gets what the token may do.'
  const body = `<h1>${escaped(client)} wants to use Cairn</h1>
<p>It calls back to <b>${escaped(new URL(redirect).host)}</b>. ${wants} Go on only if you started this.</p>
${problem === undefined ? '' : `<p role="alert">${escaped(problem)}</p>`}
<form method="post" action="/oauth/authorize">
${hidden.join('\n')}
<label>A token of this base (<code>cairn token create</code>)
<input type="password" name="token" autocomplete="off" autofocus required></label>
<button>Let it in</button>
</form>`
  // A browser follows the redirect after the form only where the policy names it.
  return page(status, body, `'self' ${new URL(redirect).origin}`)
}

export function messagePage(status: number, message: string): Response {
  return page(status, `<h1>This did not work</h1><p>${escaped(message)}</p>`, "'none'")
}

function page(status: number, body: string, formAction: string): Response {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Cairn</title>
<style>body{font:16px/1.5 system-ui;max-width:34rem;margin:3rem auto;padding:0 1rem}
input{display:block;width:100%;margin:.5rem 0 1rem;padding:.5rem;font:inherit}
button{padding:.5rem 1rem;font:inherit}[role=alert]{color:#b00}</style>
${body}</html>`
  return new Response(html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    },
  })
}

function escaped(text: string): string {
  const names: Record<string, string> = {
    '&': 'amp',
    '<': 'lt',
    '>': 'gt',
    '"': 'quot',
    "'": '#39',
  }
  return text.replace(/[&<>"']/g, (letter) => `&${names[letter]};`)
}
