/** A secret that all servers of a base have and nobody else: drawn by the first, kept by name. */
import { randomBytes } from 'node:crypto'
import type { BaseRows } from './base-rows.ts'

export function sharedSecret(
  base: BaseRows,
  writing: BaseRows,
  name: string,
): () => Promise<string> {
  let secret: Promise<string> | undefined
  const load = async (): Promise<string> => {
    const select = 'SELECT value FROM cairn.secrets WHERE base = $1 AND name = $2'
    const known = await base.row(select, name)
    if (known) return String(known['value'])
    // Of several that start in the same moment one draws it.
    await writing.rows(
      `INSERT INTO cairn.secrets (base, name, value) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
      name,
      randomBytes(32).toString('hex'),
    )
    const row = await writing.row(select, name)
    return String(row?.['value'])
  }
  return () => {
    secret ??= load().catch((error: unknown) => {
      secret = undefined
      throw error
    })
    return secret
  }
}
