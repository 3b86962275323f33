/** The contract stands in `domain/`, because a store that is no folder brings a history of its own. */
export * from '../domain/history.ts'
