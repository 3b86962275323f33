/** A window over the page that waits for an answer: Escape leaves it, and the keys go back where they were. */
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface Props {
  readonly title: string
  /** Beside what it belongs to, instead of in the middle. */
  readonly beside?: Element | undefined
  readonly onClose: () => void
  readonly children: ComponentChildren
}

const GAP = 4

export function Dialog({ title, beside, onClose, children }: Props) {
  const element = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const { current: dialog } = element
    if (!dialog) return undefined
    dialog.showModal()
    if (beside && innerWidth >= 760) putBeside(dialog, beside)
    const first = dialog.querySelector<HTMLElement>('[autofocus], input, select, .choices button')
    first?.focus()
    if (first instanceof HTMLInputElement) first.select()
    // Closed by hand it gives the keys back; merely taken away it would not.
    return () => dialog.close()
  }, [])
  return (
    <dialog
      ref={element}
      class={`doing${beside ? ' beside' : ''}`}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onPointerDown={(event) => {
        // What is dimmed around it is the dialog itself, and nothing in it.
        if (event.target === element.current && isOutside(event, event.currentTarget)) onClose()
      }}
    >
      {children}
    </dialog>
  )
}

function isOutside({ clientX: x, clientY: y }: MouseEvent, dialog: Element): boolean {
  const { left, right, top, bottom } = dialog.getBoundingClientRect()
  return x < left || x > right || y < top || y > bottom
}

function putBeside(dialog: HTMLElement, beside: Element): void {
  const at = beside.getBoundingClientRect()
  const { width, height } = dialog.getBoundingClientRect()
  const below = at.bottom + GAP
  const top = below + height > innerHeight ? Math.max(GAP, at.top - GAP - height) : below
  const left = Math.max(GAP, Math.min(at.left, innerWidth - width - GAP))
  dialog.style.margin = '0'
  dialog.style.top = `${top}px`
  dialog.style.left = `${left}px`
}

/** Things to choose from; arrows go up and down. */
export function Choices({
  choices,
}: {
  readonly choices: readonly {
    readonly name: string
    readonly key?: string
    readonly danger?: boolean
    readonly current?: boolean
    readonly onChoose: () => void
  }[]
}) {
  const onKey = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by === undefined) return
    const buttons = [...(event.currentTarget as Element).querySelectorAll('button')]
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
    buttons.at((at + by) % buttons.length)?.focus()
    event.preventDefault()
  }
  return (
    <ul class="choices" onKeyDown={onKey}>
      {choices.map(({ name, key, danger = false, current, onChoose }) => (
        <li key={name}>
          <button
            type="button"
            class={danger ? 'bad' : ''}
            aria-pressed={current}
            onClick={onChoose}
          >
            <span>{name}</span>
            {key && <kbd aria-hidden="true">{key}</kbd>}
          </button>
        </li>
      ))}
    </ul>
  )
}
