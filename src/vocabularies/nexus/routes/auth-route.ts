/** `/api/auth`: says the password, asks whether it was said, and forgets it. */
import { NexusError } from '../errors.ts'
import type { PasswordGate } from './password-gate.ts'
import { readJsonOnly, refusal } from './respond.ts'

/** Undefined for a method that has no meaning here. */
export async function answerAuth(
  gate: PasswordGate | undefined,
  request: Request,
  peer: string,
): Promise<Response | undefined> {
  const { method, headers } = request
  if (method === 'GET' || method === 'HEAD') {
    return Response.json({ authenticated: gate?.isKnown(headers, peer) ?? true, required: !!gate })
  }
  if (method !== 'POST' && method !== 'DELETE') return undefined
  if (!gate) throw new NexusError(404, 'Password login is not enabled')
  if (method === 'DELETE') return withCookie({ authenticated: false }, gate.logout(headers))
  const body = await readJsonOnly(request)
  const password = (body as { readonly password?: unknown } | null)?.password
  if (typeof password !== 'string' || password === '') {
    throw new NexusError(400, 'Password is required')
  }
  const login = gate.login(password, headers, peer)
  switch (login.kind) {
    case 'welcome':
      return withCookie({ authenticated: true }, login.cookie)
    case 'wrong':
      return refusal(401, 'Invalid password')
    case 'wait':
      return refusal(429, 'Too many attempts', { 'retry-after': String(login.seconds) })
    default:
      return login satisfies never
  }
}

function withCookie(body: object, cookie: string): Response {
  return Response.json(body, { headers: { 'set-cookie': cookie } })
}
