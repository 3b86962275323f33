/** Every way a model on disk can fail us, in our words. */
import { invalid, KnowledgeError, quoted } from '../../domain/error.ts'

export function missingPackages(
  names: readonly string[],
  code: string | undefined,
): KnowledgeError {
  const what = code === 'ERR_MODULE_NOT_FOUND' ? 'are not installed' : 'cannot be loaded'
  return new KnowledgeError(
    'unsupported',
    `The packages that run ONNX models ${what} (${names.join(', ')}).`,
    `Where Cairn is installed, run "npm install --ignore-scripts ${names.join(' ')}".`,
  )
}

export function missingFile(folder: string, file: string): KnowledgeError {
  return invalid(
    `The model folder ${quoted(folder)} has no readable ${file}.`,
    'Name a folder with model.onnx and tokenizer.json as embedding.modelPath.',
  )
}

export function unusableModel(folder: string, why: string): KnowledgeError {
  return new KnowledgeError(
    'unsupported',
    `The model in ${quoted(folder)} cannot be used: ${why}.`,
    'Choose a sentence-embedding model in ONNX form that takes input_ids.',
  )
}
