/**
 * Chat completions as OpenAI, Ollama, vLLM and LM Studio speak them:
 *
 *     { "choices": [{ "delta": { "content": "…" }, "finish_reason": null }] }       one event
 *     { "choices": [{ "message": { "content": "…" }, "finish_reason": "stop" }] }   all at once
 */
import { DONE } from '../http/read-body.ts'
import { fieldOf, listOf, textOf } from './wire-format.ts'
import type { WireFormat } from './wire-format.ts'

export const openAiChat: WireFormat = {
  request: ({ url, model, apiKey }, { system, user, maxTokens, temperature }) => ({
    url: `${url}/chat/completions`,
    headers: { ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
    body: {
      model,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: user },
      ],
      // OpenAI renamed the limit, and newer models there refuse the old name; others know no other.
      [isOpenAi(url) ? 'max_completion_tokens' : 'max_tokens']: maxTokens,
      ...(temperature !== undefined && { temperature }),
      stream: true,
    },
  }),

  read(event) {
    if (event === DONE) return { done: true }
    if (fieldOf(event, 'error') != null) return { failed: true }
    const [choice] = listOf(fieldOf(event, 'choices'))
    if (choice === undefined) return undefined
    const said = fieldOf(choice, 'delta') ?? fieldOf(choice, 'message')
    return {
      text: textOf(fieldOf(said, 'content')),
      done: typeof fieldOf(choice, 'finish_reason') === 'string',
    }
  },
}

function isOpenAi(url: string): boolean {
  return new URL(url).hostname === 'api.openai.com'
}
