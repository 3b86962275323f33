/**
 * Redaction where a text enters: what looks like a secret is taken out before a file is described,
 * cut into passages or inverted. Neither the index nor what answers are made of has ever held it.
 */
import { isSameText } from '../domain/document.ts'
import { findSecrets, takeOut } from '../domain/secrets.ts'
import type { Secret } from '../domain/secrets.ts'
import type { FileContent } from '../domain/source.ts'

export type TextFile = Extract<FileContent, { kind: 'text' }>

/** A file whose `text` is without its secrets; offsets and lines are those of the file. */
export interface RedactedFile extends TextFile {
  readonly secrets: readonly Secret[]
}

/** What was found in a text before. */
interface Known {
  readonly digest: string
  readonly stamp?: string | undefined
  readonly secrets?: readonly Secret[] | undefined
}

export function redactFile(file: TextFile): RedactedFile {
  const secrets = findSecrets(file.text)
  return { ...file, text: takeOut(file.text, secrets), secrets }
}

/** The text of a file that may be the one that was indexed: then nothing is looked for again. */
export function redactedText(file: TextFile, known: Known): string {
  const { text } = file
  const secrets = isSameText(file, known) ? (known.secrets ?? NO_SECRETS) : findSecrets(text)
  return takeOut(text, secrets)
}

const NO_SECRETS: readonly Secret[] = []
