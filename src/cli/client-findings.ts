/** What doctor says of the clients: whether what they were told still leads to Cairn. */
import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { Client, Places } from '../clients/client.ts'
import { CLIENTS } from '../clients/clients.ts'
import { findEntry } from '../clients/plan-connection.ts'
import { connectionPlace } from '../clients/settings-place.ts'
import { readSettingsFile } from '../clients/write-settings.ts'
import { KnowledgeError } from '../domain/error.ts'
import type { Finding } from './base.ts'

export function clientFindings(places: Places): Finding[] {
  return CLIENTS.flatMap((client) => {
    const file = client.file('user', places)
    if (file === undefined || !places.exists(file)) return []
    return findingsOf(client, file)
  })
}

function findingsOf(client: Client, file: string): Finding[] {
  try {
    const { text = '' } = readSettingsFile(connectionPlace(file))
    const entry = findEntry(client, text, 'cairn')
    if (entry === undefined) return []
    const gone = wordsIn(entry).filter((word) => isAbsolute(word) && !existsSync(word))
    if (gone.length === 0) return [{ level: 'ok', what: `${client.title} is connected (${file}).` }]
    return [
      {
        level: 'error',
        what: `${client.title} would start what is not there: ${gone.join(', ')} (${file}).`,
        fix: `cairn connect ${client.id}`,
      },
    ]
  } catch (error) {
    if (!(error instanceof KnowledgeError)) throw error
    return [
      {
        level: 'warning',
        what: `The settings of ${client.title} cannot be read: ${error.message} (${file})`,
        fix: error.hint,
      },
    ]
  }
}

/** Every text of an entry; of `name=/path` the path. */
function wordsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value.replace(/^[^=/\\]*=(?=[/\\~]|[A-Za-z]:)/, '')]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(wordsIn)
}
