/**
 * The one place where the command line meets the application. Everything is loaded on first use, so
 * that `--help` and usage errors answer at once.
 */
import type { App } from './base.ts'

export const app: App = {
  tools: async () => (await import('../app/native-tools.ts')).toolsForCommands(),
  openBase: async (config) => (await import('../app/open-base.ts')).openBase(config),
  survey: async (sources) => (await import('../app/survey-sources.ts')).surveySources(sources),
  askServer: async (state, request) =>
    (await import('../app/recall-door.ts')).askServer(state, request),
  recall: async (config, request) =>
    (await import('../app/recall-here.ts')).recallHere(config, request),
  startServer: async (config, options) =>
    (await import('../app/start-server.ts')).startServer(config, options),
}
