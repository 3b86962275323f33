/**
 * The one place where the command line meets the application. Everything is loaded on first use, so
 * that `--help` and usage errors answer at once.
 */
import { setEngineFlag } from '../lifecycle/code-cache.ts'
import type { App } from './base.ts'

export const app: App = {
  async tools() {
    ;(await import('./check-once.ts')).checkOnce()
    return (await import('../wiring/native-tools.ts')).toolsForCommands()
  },
  // V8's last compiler works on threads of its own: a tenth of all that an answer would take.
  isBrief: (brief) => setEngineFlag('--opt', !brief, true),
  openBase: async (config) => (await import('../wiring/open-base.ts')).openBase(config),
  survey: async (sources) => (await import('../wiring/survey-sources.ts')).surveySources(sources),
  askServer: async (state, request) =>
    (await import('../../keep/recall/recall-door.ts')).askServer(state, request),
  recall: async (config, request) =>
    (await import('../../keep/recall/recall-here.ts')).recallHere(config, request),
  startServer: async (config, options) =>
    (await import('../wiring/start-server.ts')).startServer(config, options),
}
