/** What the official conformance suite expects to find, kept apart from the product. */
import type { Server, ServerCapabilities } from '@modelcontextprotocol/server'
import type { Handlers } from './handlers.ts'

export const fixtureCapabilities: ServerCapabilities = {
  logging: {},
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
}

export function withConformanceFixtures(own: Handlers, _server: Server): Handlers {
  return own
}
