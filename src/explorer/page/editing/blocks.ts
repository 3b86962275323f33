/** What `/` offers besides templates. */
export interface Block {
  readonly name: string
  readonly detail: string
  /** Begins with a line end where it stands on a line of its own; `¦` is where the cursor goes. */
  readonly make: (today: string) => string
}

const fixed = (text: string) => () => text

export const BLOCKS: readonly Block[] = [
  { name: 'heading', detail: '##', make: fixed('\n## ¦') },
  { name: 'subheading', detail: '###', make: fixed('\n### ¦') },
  { name: 'list', detail: '-', make: fixed('\n- ¦') },
  { name: 'numbers', detail: '1.', make: fixed('\n1. ¦') },
  { name: 'task', detail: '- [ ]', make: fixed('\n- [ ] ¦') },
  { name: 'quote', detail: '>', make: fixed('\n> ¦') },
  { name: 'callout', detail: '> [!note]', make: fixed('\n> [!note] ¦\n> ') },
  { name: 'code', detail: '```', make: fixed('\n```¦\n\n```\n') },
  { name: 'table', detail: 'two columns', make: fixed('\n| ¦ | |\n| --- | --- |\n| | |\n') },
  { name: 'line', detail: '---', make: fixed('\n---\n¦') },
  { name: 'footnote', detail: '^[…]', make: fixed('^[¦]') },
  { name: 'formula', detail: '$$', make: fixed('\n$$\n¦\n$$\n') },
  { name: 'link', detail: '[[…', make: fixed('[[¦') },
  { name: 'today', detail: 'the date', make: (today) => today },
]
