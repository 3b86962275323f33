/** The other thread of `learn-together.ts`. */
import { parentPort } from 'node:worker_threads'
import type { TermMatrix } from '../models/corpus/term-matrix.ts'
import { learnWords, parseLearnedModel } from '../models/general/learned-model.ts'
import { analysis, openRowMaker } from './learn-together.ts'
import type { LearningOrder, LearningReply } from './learn-together.ts'
import { packagedWords } from './packaged-words.ts'

// Read while there is nothing to do yet.
const table = packagedWords()
let matrix: TermMatrix | undefined

parentPort?.on('message', (order: LearningOrder) => {
  if (order.kind === 'words') {
    // A newer package may have taken the place of the table meanwhile.
    if (table?.id !== order.table) throw new Error('This is another table of words.')
    matrix = order.matrix
    return reply({ kind: 'words', bytes: learnWords(table, matrix) })
  }
  const model = matrix && parseLearnedModel(order.model, analysis, () => table)
  if (!model || !matrix) throw new Error('This is no model of the words at hand.')
  const { batches, make } = openRowMaker(model, matrix)
  for (let batch; (batch = Atomics.add(order.turns, 0, 1)) < batches;) {
    reply({ kind: 'rows', batch, rows: make(batch) })
  }
})

function reply(message: LearningReply): void {
  parentPort?.postMessage(message)
}
