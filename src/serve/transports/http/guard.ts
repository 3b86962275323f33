/**
 * Who may talk to this server at all. A web page can point its own domain name at 127.0.0.1 (DNS
 * rebinding) and then read a local server as if it were its own; the Host and Origin headers give
 * such a page away.
 */
import { isIP, isIPv4 } from 'node:net'
import { invalid, KnowledgeError, quoted } from '../../../core/domain/error.ts'

export interface GuardOptions {
  readonly host: string
  /** Serve other machines too. */
  readonly allowRemote?: boolean
  /** Names under which this server is reached besides the loopback ones, such as `kb.example.com`. */
  readonly allowedHosts?: readonly string[]
  /** Answer programs under every name. A page cannot post without an Origin, so pages are still checked. */
  readonly anyHost?: boolean
  /** Web origins whose pages may call and read, such as `https://app.example.com`. */
  readonly allowedOrigins?: readonly string[]
}

export interface RequestHeaders {
  readonly host?: string | undefined
  readonly origin?: string | undefined
}

export interface Guard {
  /** Why the request is refused, or undefined when it may pass. */
  refusal(headers: RequestHeaders): string | undefined
  /** Whether pages of this origin may read answers (CORS). */
  mayRead(origin: string): boolean
}

export function createGuard(options: GuardOptions): Guard {
  const remote = options.allowRemote ?? false
  if (!remote && !isLoopback(options.host)) throw remoteNotAllowed(options.host)
  const hosts = new Set([...(options.allowedHosts ?? []), options.host].map(normalHost))
  const origins = new Set((options.allowedOrigins ?? []).map(parseAllowedOrigin))

  // An address cannot be rebound, only a name can; so clients of a remote server may use any.
  const knownHost = (name: string) =>
    isLoopback(name) || hosts.has(name) || (remote && isIP(name) > 0)

  const knownOrigin = (origin: string, host: string): boolean => {
    if (origins.has(origin)) return true
    const url = URL.parse(origin)
    if (!url || url.origin === 'null') return false
    // Our own pages, and pages of other local servers. The latter may ask, but see `mayRead`.
    const name = normalHost(url.hostname)
    return url.host === host.toLowerCase() || isLoopback(name) || hosts.has(name)
  }

  return {
    refusal({ host, origin }) {
      const name = hostName(host)
      const isProgram = options.anyHost === true && origin === undefined
      // Old health checks speak HTTP/1.0 and name no host; a browser always does.
      if (isProgram && host === undefined) return undefined
      if (name === undefined || !(isProgram || knownHost(name))) {
        return `This server does not answer to the host ${quoted(host ?? '')}.`
      }
      if (origin !== undefined && !knownOrigin(origin, host ?? '')) {
        return `Pages of ${quoted(origin)} may not use this server.`
      }
      return undefined
    },
    mayRead: (origin) => origins.has(origin),
  }
}

export function isLoopback(host: string): boolean {
  const name = normalHost(host)
  return name === 'localhost' || name === '::1' || (isIPv4(name) && name.startsWith('127.'))
}

/** `[::1]:8080` → `::1`; undefined for what is no plain `name[:port]`, such as `a@b`. */
function hostName(header: string | undefined): string | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[^\s:/@\\?#[\]]+)(?::\d{1,5})?$/i.exec(header ?? '')
  return match?.[1] && normalHost(match[1])
}

function normalHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
}

function parseAllowedOrigin(text: string): string {
  const url = URL.parse(text)
  if (!url || url.origin === 'null' || url.pathname !== '/') {
    throw invalid(
      `${quoted(text)} is not a web origin.`,
      'Write scheme, host and port only, such as "https://app.example.com".',
    )
  }
  return url.origin
}

function remoteNotAllowed(host: string): KnowledgeError {
  return invalid(
    `Listening on ${quoted(host)} would serve every machine that can reach it.`,
    'Use 127.0.0.1, or say under which name clients may reach it (--allow-host NAME).',
  )
}
