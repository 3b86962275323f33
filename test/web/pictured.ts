/** Views of the page that pictures are taken of. */

type Step = readonly [key: string, ready: string]

/** Name, address, what is there once it can be looked at, and keys with what each of them brings. */
export const PICTURED: Readonly<
  Record<string, readonly [path: string, ready: string, ...keys: Step[]]>
> = {
  home: ['/', '.cards li'],
  search: ['/n/handbook/runbooks/roll-back-a-release.md?q=roll%20back', '.prose'],
  edit: ['/n/handbook/runbooks/roll-back-a-release.md', '[data-tool=edit]', ['e', '.cm-content']],
  graph: ['/graph', '.map[data-labels]'],
  around: ['/graph?node=handbook/glossary.md&depth=1', '.chosen h1'],
  ask: ['/ask?q=when%20may%20we%20roll%20back%3F', '.claims li'],
  table: ['/browse/handbook/decisions/?columns=status%2Cdate', '.notes tbody tr'],
  board: ['/browse/handbook/decisions/?as=board&by=status', '.board-room li'],
  calendar: ['/browse/handbook/decisions/?as=calendar&by=date&month=2025-06', '.calendar td'],
  reports: ['/reports', '.figures'],
  history: ['/history', '.page h1'],
  live: ['/live', '.page h1'],
  inspect: ['/inspect?q=release', '.signals tbody tr'],
  making: ['/', '.cards li', ['n', '.doing datalist option']],
  moving: ['/n/handbook/glossary.md', '.prose', ['r', '.doing datalist option']],
  properties: [
    '/n/handbook/runbooks/roll-back-a-release.md',
    '.prose',
    ['.', '.choices'],
    // Below what edits the text.
    ['ArrowDown', '.choices'],
    ['ArrowDown', '.choices'],
    ['Enter', '.property'],
  ],
}
