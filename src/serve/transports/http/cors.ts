/** Which pages of other origins may read answers: those that were named, at every path alike. */
import type { Context, MiddlewareHandler } from 'hono'
import type { Guard } from './guard.ts'

const EXPOSED = 'mcp-session-id, mcp-protocol-version, www-authenticate'
/** How long a browser need not ask again. */
const ASKED_SECONDS = '600'

/** `methodsAt` says what may be done at a path; undefined where there is nothing. */
export function cors(
  guard: Pick<Guard, 'mayRead'>,
  methodsAt: (path: string) => string | undefined,
): MiddlewareHandler {
  return async (context, next) => {
    const methods = methodsAt(context.req.path)
    const isQuestion = context.req.method === 'OPTIONS' && methods !== undefined
    if (isQuestion) {
      context.res = new Response(null, {
        status: 204,
        headers: {
          'access-control-allow-methods': methods,
          'access-control-allow-headers':
            context.req.header('access-control-request-headers') ?? 'Content-Type',
          'access-control-max-age': ASKED_SECONDS,
        },
      })
    } else await next()
    return allowReading(context, guard)
  }
}

function allowReading({ req, res }: Context, guard: Pick<Guard, 'mayRead'>): void {
  const origin = req.header('origin')
  res.headers.append('vary', 'Origin')
  if (origin === undefined || !guard.mayRead(origin)) return
  res.headers.set('access-control-allow-origin', origin)
  res.headers.set('access-control-expose-headers', EXPOSED)
}
