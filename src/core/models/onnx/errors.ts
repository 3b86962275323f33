/** Every way a model on disk can fail us, in our words. */
import { type KnowledgeError, invalid, quoted, unsupported } from '../../domain/error.ts'

/** `folder` is where packages of their own belong; `reason` why those that are there do not load. */
export function packagesMissing(
  names: readonly string[],
  { folder, reason }: { readonly folder?: string; readonly reason?: unknown },
): KnowledgeError {
  const why = reason instanceof Error ? `: ${reason.message.split('\n', 1)[0]}` : ''
  const what = reason === undefined ? 'are not installed' : 'cannot be loaded'
  const into = folder === undefined ? '' : ` --prefix "${folder}"`
  return unsupported(
    `The packages that run ONNX models ${what} (${names.join(', ')})${why}.`,
    `Run: npm install${into} --ignore-scripts ${names.join(' ')}`,
  )
}

export function missingFile(folder: string, file: string): KnowledgeError {
  return invalid(
    `The model folder ${quoted(folder)} has no readable ${file}.`,
    'Name a folder with model.onnx and tokenizer.json as embedding.modelPath.',
  )
}

export function unusableModel(folder: string, why: string): KnowledgeError {
  return unsupported(
    `The model in ${quoted(folder)} cannot be used: ${why}.`,
    'Choose a sentence-embedding model in ONNX form that takes input_ids.',
  )
}
