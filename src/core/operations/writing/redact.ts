/**
 * Edits of a text that its editor has not seen in full. An edit is made in the redacted text, so
 * that nothing it finds, misses or names can tell of a secret, and the secrets are put back where
 * they were. One that would cut a secret in two is refused.
 */
import { invalid } from '../../domain/error.ts'
import { findSecrets, putBack, takeOut } from '../../domain/secrets.ts'

export interface Redacted {
  /** What is edited. */
  readonly text: string
  /** What the file holds after the edit. Throws `invalid`. */
  putBack(edited: string, name: string): string
}

export function redact(text: string): Redacted {
  const secrets = findSecrets(text)
  if (secrets.length === 0) return unredacted(text)
  const redacted = takeOut(text, secrets)
  return {
    text: redacted,
    putBack(edited, name) {
      const whole = edited === redacted ? text : putBack(edited, text, secrets)
      if (whole !== undefined) return whole
      throw invalid(
        `The change would cut a masked secret of ${name} in two.`,
        'Nothing was changed. Change another part of the document, or edit the file by hand.',
      )
    },
  }
}

/** For someone who sees everything, and for texts without secrets. */
export function unredacted(text: string): Redacted {
  return { text, putBack: (edited) => edited }
}
