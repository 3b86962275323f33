/** Places in a note that is shown: blocks say which lines of the source they come from. */

/** The heading that only repeats what stands above the text. */
export function hideTitle(body: Element, title: string): void {
  const heading = body.querySelector<HTMLElement>('.prose > h1:first-child')
  if (heading) heading.hidden = heading.textContent === title
}

/** What is wider than the text can be scrolled by keyboard, too. */
export function letScroll(body: Element): void {
  for (const block of body.querySelectorAll<HTMLElement>('.prose pre, .prose table')) {
    if (block.scrollWidth > block.clientWidth) block.tabIndex = 0
    else block.removeAttribute('tabindex')
  }
}

/** The innermost block that holds a line; else the first one behind it. */
export function blockAt(body: Element, line: number): HTMLElement | undefined {
  let best: HTMLElement | undefined
  let next: HTMLElement | undefined
  for (const block of body.querySelectorAll<HTMLElement>('[data-line]')) {
    if (block.hidden || block.offsetParent === null) continue
    const from = Number(block.dataset['line'])
    if (from <= line && Number(block.dataset['end']) >= line) best = block
    else if (from > line) next ??= block
  }
  return best ?? next
}

/** By what its id is, without ever making a selector of what a note says. */
export function elementCalled(within: Element, id: string): Element | undefined {
  return [...within.querySelectorAll('[id]')].find((each) => each.id === id)
}

export function flash(element: Element): void {
  element.classList.add('flash')
  setTimeout(() => element.classList.remove('flash'), 1_600)
}
