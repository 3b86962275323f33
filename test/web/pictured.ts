/** Views of the page that pictures are taken of. */

type Step = readonly [key: string, ready: string]

/** Name, address, what is there once it can be looked at, and keys with what each of them brings. */
export const PICTURED: Readonly<
  Record<string, readonly [path: string, ready: string, ...keys: Step[]]>
> = {
  home: ['/', '.cards li'],
  search: ['/n/handbook/runbooks/roll-back-a-release.md?q=roll%20back', '.prose'],
  graph: ['/graph', '.map[data-labels]'],
  around: ['/graph?node=handbook/glossary.md&depth=1', '.chosen h1'],
  ask: ['/ask?q=when%20may%20we%20roll%20back%3F', '.claims li'],
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
    ['Enter', '.property'],
  ],
}
