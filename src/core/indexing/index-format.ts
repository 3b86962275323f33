/** Says what an index was made by. One made differently is made again, without a word from the user. */
import { FORMAT_VERSION } from '../search/segment/format.ts'

/**
 * Raised whenever the same file would be described, cut into passages, linked or analysed in
 * another way than before.
 */
const CONTENT_VERSION = 14

export const INDEX_FORMAT = `${FORMAT_VERSION}.${CONTENT_VERSION}`
