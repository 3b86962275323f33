/** The page on which a person lets a client in, by showing a token of the base. */
import type { Permission } from '../../core/domain/caller.ts'
import { escaped, plainPage } from './plain-page.ts'

const TITLE = 'Let a client in · Cairn'

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
  const formAction = `'self' ${new URL(redirect).origin}`
  return plainPage(status, { title: TITLE, body, formAction })
}

export function messagePage(status: number, message: string): Response {
  const body = `<h1>This did not work</h1><p>${escaped(message)}</p>`
  return plainPage(status, { title: TITLE, body, formAction: "'none'" })
}
