/** A few words that a process leaves for the others. */
export interface MetaStore {
  getMeta(key: string): Promise<string | undefined>
  putMeta(key: string, value: string): Promise<void>
}
