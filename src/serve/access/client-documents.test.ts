import { expect, it } from 'vitest'
import { documentAddress, isPublic, openClientDocuments } from './client-documents.ts'

const ID = 'https://client.example/oauth/client.json'
const DOCUMENT = {
  client_id: ID,
  client_name: 'Chat',
  redirect_uris: ['https://client.example/back'],
}

it.each([
  [ID, true],
  ['http://client.example/a', false],
  ['https://client.example/', false],
  ['https://client.example', false],
  ['https://user@client.example/a', false],
  ['https://client.example/a?b', false],
  ['https://client.example/a#b', false],
  ['https://client.example/a/../b', false],
  ['https://127.0.0.1/a', false],
  ['https://[::1]/a', false],
  [`https://client.example/${'a'.repeat(600)}`, false],
])('fetches no address but a plain one: %s', (id, expected) => {
  expect(documentAddress(id) !== undefined).toBe(expected)
})

it.each([
  ['93.184.216.34', true],
  ['127.0.0.1', false],
  ['10.1.2.3', false],
  ['169.254.169.254', false],
  ['172.31.0.1', false],
  ['192.168.1.1', false],
  ['2606:2800:220:1::1', true],
  ['::1', false],
  ['fe80::1', false],
  ['fd00::1', false],
  ['::ffff:127.0.0.1', false],
  ['2002:7f00:1::', false],
])('connects to public machines alone: %s', (address, expected) => {
  expect(isPublic(address)).toBe(expected)
})

it('reads a document once, and believes only one that names its own address', async () => {
  const loaded: string[] = []
  const open = (document: unknown) =>
    openClientDocuments({
      load: async (url) => {
        loaded.push(url.href)
        return JSON.stringify(document)
      },
    })
  const documents = open(DOCUMENT)
  for (let n = 0; n < 3; n++) {
    expect(await documents.find(ID, 'a')).toEqual({
      name: 'Chat',
      redirects: DOCUMENT.redirect_uris,
    })
  }
  expect(loaded).toEqual([ID])
  const wrong = [
    { ...DOCUMENT, client_id: 'https://other.example/a' },
    { client_id: ID },
    'nonsense',
    null,
  ]
  for (const document of wrong) expect(await open(document).find(ID, 'a')).toBeUndefined()
})

it('asks for no more than a few for each address', async () => {
  let loads = 0
  const documents = openClientDocuments({
    load: async () => {
      loads++
      throw new Error('not there')
    },
  })
  for (let n = 0; n < 30; n++) await documents.find(`${ID}/${n}`, 'a')
  expect(loads).toBe(10)
  await documents.find(ID, 'b')
  expect(loads).toBe(11)
})
