/**
 * The one place where the command line meets the application. Everything is loaded on first use, so
 * that `--help` and usage errors answer at once.
 */
import { KnowledgeError } from '../domain/error.ts'
import type { App } from './base.ts'

// PLUG IN HERE: replace the two bodies with
//   openBase: async (config) => (await import('../app/open-base.ts')).openBase(config),
//   startServer: async (config, options) => (await import('../app/start-server.ts')).startServer(config, options),
export const app: App = {
  openBase: async () => notPluggedIn(),
  startServer: async () => notPluggedIn(),
}

function notPluggedIn(): never {
  throw new KnowledgeError(
    'unavailable',
    'This build of the command line has no knowledge base plugged in.',
    'Use a released version.',
  )
}
