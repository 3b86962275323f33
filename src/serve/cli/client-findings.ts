/** What doctor says of the clients: whether what they were told still leads to Cairn. */
import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { Client, Places } from '../../keep/clients/client.ts'
import { CLIENTS } from '../../keep/clients/clients.ts'
import { placeOf, USUAL_NAME, wordsIn } from '../../keep/clients/own-entries.ts'
import { ownEntries } from '../../keep/clients/plan-connection.ts'
import { connectionPlace } from '../../keep/clients/settings-place.ts'
import { readSettingsFile } from '../../keep/clients/write-settings.ts'
import { KnowledgeError } from '../../core/domain/error.ts'
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
    return Object.entries(ownEntries(client, text)).map(([name, entry]) => {
      const words = wordsIn(entry).map(placeOf)
      const gone = words.filter((word) => isAbsolute(word) && !existsSync(word))
      const as = name === USUAL_NAME ? '' : ` as ${name}`
      if (gone.length === 0) {
        return { level: 'ok', what: `${client.title} is connected${as} (${file}).` }
      }
      const option = name === USUAL_NAME ? '' : ` --name ${name}`
      return {
        level: 'error',
        what: `${client.title} would start what is not there${as}: ${gone.join(', ')} (${file}).`,
        fix: `cairn connect ${client.id}${option}`,
      }
    })
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
