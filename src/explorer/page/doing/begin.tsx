/** What somebody has begun to do, in a window over the page; one at a time. */
import { signal } from '@preact/signals'
import { render } from 'preact'
import type { Act } from '../state/acting.ts'
import { addStyle } from '../parts/add-style.ts'
import style from './doing.css'
import { Deleting } from './deleting.tsx'
import { NoteMenu, StateMenu } from './menus.tsx'

const begun = signal<{ readonly act: Act } | undefined>(undefined)
let isThere = false

export function begin(act: Act): void {
  begun.value = { act }
  if (isThere) return
  isThere = true
  addStyle(style)
  const place = document.createElement('div')
  document.body.append(place)
  render(<Begun />, place)
}

function Begun() {
  const { act } = begun.value ?? {}
  const close = (): void => {
    begun.value = undefined
  }
  switch (act?.kind) {
    case undefined:
      return null
    case 'menu':
      return <NoteMenu key="menu" note={act.note} onClose={close} />
    case 'state':
      return <StateMenu key="state" box={act.box} choose={act.choose} onClose={close} />
    case 'delete':
      return <Deleting key="delete" note={act.note} onClose={close} />
    default:
      return act satisfies never
  }
}
