/**
 * Who answers in words? A language model behind an address, asked for one text at a time. What it
 * says is a suggestion by a stranger: callers check it before anyone sees it.
 */

export interface AnswerPrompt {
  /** What it is to do; written by us alone. */
  readonly system: string
  /** What it is to do it with: the question, and passages written by others. */
  readonly user: string
  /** Length of the answer; never more than the settings allow, and as much unless given. */
  readonly maxTokens?: number
  /** From 0 (the same every time) to 1; the model's own when left out or refused. */
  readonly temperature?: number
}

export interface Answerer {
  /** Provider and model, such as `anthropic/claude-haiku-4-5`. */
  readonly name: string
  /**
   * The whole text of an answer. Throws KnowledgeError `unavailable` or `upstream` without a word of
   * what the server said, and the signal's reason when it was given up.
   */
  answer(prompt: AnswerPrompt, signal?: AbortSignal): Promise<string>
}
