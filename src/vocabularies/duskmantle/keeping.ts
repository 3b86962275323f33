/** What the tools that run a base need besides the repository. */
export type { Keeping } from '../../core/operations/keeping/keeping.ts'
