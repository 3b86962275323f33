/** What somebody has begun to do, in a window over the page; one at a time. */
import { signal } from '@preact/signals'
import { render } from 'preact'
import type { Act } from '../state/acting.ts'
import { addStyle } from '../parts/add-style.ts'
import style from './doing.css'
import { Attaching } from './attaching.tsx'
import { Deleting } from './deleting.tsx'
import { Leaving } from './leaving.tsx'
import { Making, openDaily } from './making.tsx'
import { NoteMenu, StateMenu } from './menus.tsx'
import { Mending } from './mending.tsx'
import { Moving } from './moving.tsx'
import { MovingFolder } from './moving-folder.tsx'
import { Properties } from './properties.tsx'

const begun = signal<{ readonly act: Act } | undefined>(undefined)
let isThere = false

export function begin(act: Act): void {
  if (act.kind === 'daily') {
    void openDaily()
    return
  }
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
    case 'properties':
      return <Properties key="properties" note={act.note} onClose={close} />
    case 'attach':
      return <Attaching key="attach" note={act.note} refused={act.refused} onClose={close} />
    case 'move':
      return <Moving key="move" note={act.note} onClose={close} />
    case 'move-folder':
      return <MovingFolder key="move-folder" folder={act.folder} onClose={close} />
    case 'delete':
      return <Deleting key="delete" note={act.note} onClose={close} />
    case 'leave':
      return <Leaving key="leave" unsaved={act.unsaved} onClose={close} />
    case 'create':
      return <Making key="create" wanted={act.wanted} onClose={close} />
    case 'missing':
      return <Mending key="missing" link={act.link} onClose={close} />
    case 'daily':
      return null
    default:
      return act satisfies never
  }
}
