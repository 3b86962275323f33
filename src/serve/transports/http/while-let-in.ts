/** Streams that last: a caller whose token was taken back, or has ended, hears nothing more. */
import type { Sender } from './mount.ts'

/** Looked at before every part is sent; answers that are no stream of events are left as they are. */
export function whileLetIn(response: Response, { isStillIn }: Pick<Sender, 'isStillIn'>): Response {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  if (!isStillIn || !isStream || !response.body) return response
  const parts = new TransformStream<Uint8Array, Uint8Array>({
    async transform(part, controller) {
      if (await isStillIn()) controller.enqueue(part)
      else controller.terminate()
    },
  })
  const { status, headers } = response
  return new Response(response.body.pipeThrough(parts), { status, headers })
}
