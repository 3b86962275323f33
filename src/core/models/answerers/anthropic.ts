/**
 * Anthropic's Messages API:
 *
 *     { "type": "content_block_delta", "delta": { "type": "text_delta", "text": "…" } }   one event
 *     { "content": [{ "type": "text", "text": "…" }], "stop_reason": "end_turn" }          all at once
 */
import { fieldOf, listOf, textOf } from './wire-format.ts'
import type { Piece, WireFormat } from './wire-format.ts'

/** The version of the wire, which has been the same since it has one. */
const VERSION = '2023-06-01'

export const anthropic: WireFormat = {
  request: ({ url, model, apiKey }, { system, user, maxTokens, temperature }) => ({
    // People write the address with and without the version.
    url: `${url.replace(/\/v1$/, '')}/v1/messages`,
    headers: { 'anthropic-version': VERSION, ...(apiKey && { 'x-api-key': apiKey }) },
    body: {
      model,
      system,
      messages: [{ role: 'user', content: user }],
      max_tokens: maxTokens,
      ...(temperature !== undefined && { temperature }),
      stream: true,
    },
  }),

  read(event): Piece | undefined {
    switch (fieldOf(event, 'type')) {
      case 'content_block_delta':
        // Thinking and tool calls come the same way, under other names.
        return { text: textOf(fieldOf(fieldOf(event, 'delta'), 'text')) }
      case 'message_stop':
        return { done: true }
      case 'error':
        return { failed: true }
      case 'message':
        return {
          text: listOf(fieldOf(event, 'content'))
            .map((block) => textOf(fieldOf(block, 'text')))
            .join(''),
          done: true,
        }
      default:
        return undefined
    }
  },
}
