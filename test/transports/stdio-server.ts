/** A process that serves the small surface over stdio; tests start it as clients would. */
import { serveStdio } from '../../src/serve/transports/stdio/serve-stdio.ts'
import { smallSurface } from './small-surface.ts'

const server = serveStdio(smallSurface(), {
  onBug: () => console.error('bug'),
  onClose: () => console.error('closed'),
})
await server.closed
