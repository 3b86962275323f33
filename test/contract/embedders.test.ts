/** Every embedder, held to the contract. */
import { createCorpusEmbedder } from '../../src/core/models/corpus/corpus-embedder.ts'
import { TermMatrixBuilder } from '../../src/core/models/corpus/term-matrix.ts'
import { trainCorpusModel } from '../../src/core/models/corpus/train-model.ts'
import { guardQueries } from '../../src/core/models/guard-queries.ts'
import { openOnnxEmbedder } from '../../src/core/models/onnx/onnx-embedder.ts'
import { openOpenAiEmbedder } from '../../src/core/models/openai/openai-embedder.ts'
import { startEmbeddingServer } from '../support/embedding-server.ts'
import { standIn } from '../support/onnx-stand-in.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { tinyOnnxModel } from '../support/tiny-onnx-model.ts'
import { describeEmbedder } from './embedder-contract.ts'

const words = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? []

describeEmbedder('corpus', async () => {
  const builder = new TermMatrixBuilder()
  for (const [one, two] of [
    ['car', 'wheel'],
    ['tea', 'cup'],
    ['doctor', 'ward'],
  ] as const) {
    for (const text of [`${one} ${two}`, `${two} ${one} road`, `${one} ${one} ${two}`]) {
      builder.addDocument([], [words(text)])
    }
  }
  const model = trainCorpusModel(builder.build(), { dimensions: 4 })
  return async () => createCorpusEmbedder(model, { id: 'words', terms: words })
})

describeEmbedder('openai', async () => {
  const { url } = await startEmbeddingServer()
  return () => openOpenAiEmbedder({ url, model: 'concepts' })
})

describeEmbedder('guarded', async () => {
  const { url } = await startEmbeddingServer()
  return async () => guardQueries(await openOpenAiEmbedder({ url, model: 'concepts' }))
})

describeEmbedder('onnx', async () => {
  const folder = temporaryFolder(tinyOnnxModel())
  return () => openOnnxEmbedder({ folder }, standIn())
})
