import fc from 'fast-check'
import { expect, it } from 'vitest'
import { chatPictureUri, chatReadUri, CHAT_PAGE, parseChatUri } from './chat-page.ts'

it('says every read of the page as an address', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.jsonValue(), (name, value) => {
      fc.pre(name.isWellFormed() && JSON.stringify(value).isWellFormed())
      expect(parseChatUri(chatReadUri(name, { value }))).toEqual({
        kind: 'read',
        name,
        args: JSON.stringify({ value }),
      })
    }),
  )
})

it('knows the page and the pictures of notes, and nothing else', () => {
  expect(parseChatUri(CHAT_PAGE)).toEqual({ kind: 'page' })
  expect(parseChatUri(chatPictureUri('notes/a%20b.png?from=x.md'))).toEqual({
    kind: 'picture',
    place: 'notes/a%20b.png?from=x.md',
  })
  for (const uri of ['ui://cairn', 'ui://cairn/page/', 'ui://cairn/read/%', 'kb://a/b.md', '']) {
    expect(parseChatUri(uri)).toBeUndefined()
  }
})
