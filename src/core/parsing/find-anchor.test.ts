import { expect, it } from 'vitest'
import { atOnce } from '../kit/slices.ts'
import { gatherAnchors } from './find-anchor.ts'
import { parseMarkdown } from './markdown/parse-markdown.ts'

const TEXT = `# Setup

## Linux & macOS

Text. ^first

- item ^second-1
^alone

## Linux & macOS

A ^middle one.

# C > D {#here}

<a id="there"></a>
`
const anchors = (text: string) =>
  atOnce(gatherAnchors(text, parseMarkdown(text, 'a.md').document.headings))

it.each([
  ['Setup', true],
  ['setup', true],
  ['Setup > Linux & macOS', true],
  ['Setup#linux-macos', true],
  ['linux-macos-1', true],
  ['linux-macos-7', true],
  ['> Setup', true],
  ['> Linux & macOS', false],
  ['Linux & macOS > Setup', false],
  ['C > D', true],
  ['here', true],
  ['there', true],
  ['nowhere', false],
  ['^first', true],
  ['^second-1', true],
  ['^alone', true],
  ['^middle', false],
  ['^rst', false],
])('says of #%s whether it is there: %s', (fragment, found) => {
  expect(anchors(TEXT)(fragment)).toBe(found)
})

it('gathers the names of a text once, however many links ask', () => {
  const text = Array.from({ length: 2_000 }, (_, at) => `# Heading ${at}\n\nText ^b${at}\n`).join(
    '',
  )
  const { headings } = parseMarkdown(text, 'a.md').document
  let looks = 0
  const watched = headings.map(
    (heading) =>
      new Proxy(heading, {
        get(target, name) {
          looks++
          return Reflect.get(target, name) as unknown
        },
      }),
  )
  const has = atOnce(gatherAnchors(text, watched))
  for (let at = 0; at < 2_000; at++) {
    expect(has(`Heading ${at}`)).toBe(true)
    expect(has(`^b${at}`)).toBe(true)
    expect(has(`No heading ${at}`)).toBe(false)
  }
  expect(looks).toBe(2_000)
})
