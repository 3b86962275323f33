/** What shows notes together: loaded as one, with the first board, month, file or query. */
export { answerBlocks } from '../queries/answer-blocks.tsx'
export { Board } from './board.tsx'
export { exportTable } from './export.ts'
export { Month } from './month.tsx'
