/**
 * Gemini's generateContent, whose events and whole answers look the same:
 *
 *     { "candidates": [{ "content": { "parts": [{ "text": "…" }] }, "finishReason": "STOP" }] }
 */
import { fieldOf, listOf, textOf } from './wire-format.ts'
import type { WireFormat } from './wire-format.ts'

export const gemini: WireFormat = {
  request: ({ url, model, apiKey }, { system, user, maxTokens, temperature }) => ({
    url: `${url}/models/${encodeURIComponent(model)}:streamGenerateContent?alt=sse`,
    // In a header: addresses end up in logs.
    headers: { ...(apiKey && { 'x-goog-api-key': apiKey }) },
    body: {
      systemInstruction: { parts: [{ text: system }] },
      contents: [{ role: 'user', parts: [{ text: user }] }],
      generationConfig: {
        maxOutputTokens: maxTokens,
        ...(temperature !== undefined && { temperature }),
      },
    },
  }),

  read(event) {
    if (fieldOf(event, 'error') != null) return { failed: true }
    // A question that is refused has no candidates, only the reason.
    const blocked = fieldOf(fieldOf(event, 'promptFeedback'), 'blockReason') !== undefined
    const [candidate] = listOf(fieldOf(event, 'candidates'))
    if (candidate === undefined) return blocked ? { done: true } : undefined
    const parts = listOf(fieldOf(fieldOf(candidate, 'content'), 'parts'))
    return {
      text: parts
        .filter((part) => fieldOf(part, 'thought') !== true)
        .map((part) => textOf(fieldOf(part, 'text')))
        .join(''),
      done: typeof fieldOf(candidate, 'finishReason') === 'string',
    }
  },
}
