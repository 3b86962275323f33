/** What clients send to their hooks on standard input, as far as it matters here. */

export interface HookInput {
  readonly prompt: string
  readonly transcript: string | undefined
}

/** What a prompt is about stands in its beginning; megabytes of pasted text are not looked at. */
const PROMPT_LETTERS = 8_000

export function promptIn(text: string): HookInput {
  try {
    const { prompt, transcript_path: transcript } = JSON.parse(text) as Record<string, unknown>
    return {
      prompt: typeof prompt === 'string' ? prompt.slice(0, PROMPT_LETTERS) : '',
      transcript: typeof transcript === 'string' ? transcript : undefined,
    }
  } catch {
    return { prompt: text.slice(0, PROMPT_LETTERS), transcript: undefined }
  }
}
