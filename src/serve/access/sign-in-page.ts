/** The pages on which a person signs in to look at a base, sees who they are, and signs out. */
import type { Caller } from '../../core/domain/caller.ts'
import { escaped, plainPage } from './plain-page.ts'

const TITLE = 'Sign in · Cairn'

export function signInPage(status: number, to: string, problem?: string, again = false): Response {
  const body = `<h1>Sign in to Cairn</h1>
${problem === undefined ? '' : `<p role="alert">${escaped(problem)}</p>`}
<form method="post" action="/sign-in">
<input type="hidden" name="to" value="${escaped(to)}">
<label for="token">Your token for this base</label>
<input id="token" type="password" name="token" autocomplete="current-password" autofocus required>
<button>Sign in</button>
</form>
<p>Whoever runs this server makes tokens with <code>cairn token create</code>.</p>`
  return plainPage(status, { title: TITLE, body, formAction: "'self'", again })
}

export function signedInPage({ principal, may, sees }: Caller, to: string): Response {
  const what = may.length > 0 ? `may ${may.join(', ')}` : 'may do nothing'
  const body = `<h1>You are signed in</h1>
<p>As <b>${escaped(principal.replace(/^token:/, ''))}</b>, who ${what}${sees ? ', in a part of the base' : ''}.</p>
<p><a href="${escaped(to)}">To the base</a></p>
<form method="post" action="/sign-out"><button>Sign out</button></form>`
  return plainPage(200, { title: TITLE, body, formAction: "'self'" })
}

export function deniedPage(): Response {
  const body = `<h1>This did not work</h1>
<p>The form was not sent from this server. <a href="/sign-in">Sign in here</a>.</p>`
  return plainPage(403, { title: TITLE, body, formAction: "'none'" })
}
