/** What one begins with, beside the notes and on the first page: read once for both. */
import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { IN_CHAT } from '../chat/in-chat.ts'
import type { DoorError } from '../door.ts'
import type { Beginning, Operation } from '../../wire/wire.ts'
import { door, errorOf, facts, lost, prepareTyping, reconnected } from './app.ts'
import { anyChanged } from './changes.ts'

export const beginning = signal<Beginning | undefined>(undefined)
export const beginningError = signal<DoorError | undefined>(undefined)
/** Notes that were changed through the server, and who that was, where it was somebody else. */
export const changedBy = signal<ReadonlyMap<string, string | undefined>>(new Map())

/** Asked for at once, without waiting for the facts, and again when notes came or went. */
export function useBeginning(wanted: boolean): void {
  const known = facts.value
  const early = useRef(known === undefined)
  useEffect(() => {
    const asked =
      early.current && known !== undefined && beginningError.peek() === undefined && !lost.value
    if (known) early.current = false
    if (asked || !wanted) return
    door
      .read<Beginning>('home', {})
      .then(
        (found) => {
          beginning.value = found
          beginningError.value = undefined
        },
        (problem: unknown) => {
          beginningError.value = errorOf(problem)
        },
      )
      .then(prepareTyping)
  }, [wanted, known?.documents, anyChanged.value, reconnected.value])
  const hasHistory = !IN_CHAT && known?.tools.includes('history') === true
  useEffect(() => {
    if (!wanted || !hasHistory) return
    void door
      .call<{ operations: readonly Operation[] }>('history', { action: 'list', limit: LOOKED_AT })
      .then(({ operations }) => {
        const found = new Map<string, string | undefined>()
        for (const operation of operations) {
          if (operation.undone_by !== undefined) continue
          const who = otherOf(operation, known.who)
          for (const id of operation.documents) if (!found.has(id)) found.set(id, who)
        }
        changedBy.value = found
      })
      .catch(() => {})
  }, [wanted, hasHistory, anyChanged.value])
}

const LOOKED_AT = 30
/** A program by its name; whoever else uses this page by the name of the token. */
function otherOf({ client, principal }: Operation, own: string | undefined): string | undefined {
  // What is changed on this page is signed so, with the version of the server.
  const isPage = client !== undefined && /^cairn-web(?:\/|$)/.test(client)
  return isPage ? (principal === own ? undefined : principal) : client
}
