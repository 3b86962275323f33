/** The base over plain addresses, for programs that speak no MCP. */
import { expect, it } from 'vitest'
import { serveFolder } from '../support/serve-folder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

// Put together here, so that nobody takes this file for one that holds any.
const AWS = `AKIA${'IOSFODNN7EXAMPLE'}`

async function serve(files: Record<string, string>, flags = {}) {
  const folder = temporaryFolder(files)
  const { url } = await serveFolder(folder, flags, { given: { folders: [`notes=${folder}`] } })
  const { origin } = new URL(url!)
  const get = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${origin}${path}`, init)
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      text: await response.text(),
    }
  }
  return { origin, get }
}

it('lists the documents with the addresses that their texts are at', async () => {
  const { origin, get } = await serve({
    'tea.md': '---\ndescription: A drink\n---\n# Tea [green]\n\nSee [[pots/kettle]].\n',
    'pots/big kettle.md': `# Kettle\n\nBoils. Key ${AWS}.\n`,
  })
  const list = await get('/llms.txt')
  expect([list.status, list.type]).toEqual([200, 'text/markdown; charset=utf-8'])
  expect(list.text).toMatch(/^# Cairn\n\n> .+\/mcp/)
  expect(list.text.split('\n').slice(4)).toEqual([
    '## notes',
    '',
    `- [Kettle](${origin}/llms/notes/pots/big%20kettle.md)`,
    `- [Tea \\[green\\]](${origin}/llms/notes/tea.md): A drink`,
    '',
  ])
  const kettle = await get('/llms/notes/pots/big%20kettle.md')
  expect([kettle.status, kettle.text]).toEqual([200, '# Kettle\n\nBoils. Key [masked AWS key].\n'])
  expect((await get('/llms/notes/tea.md?lines=4')).text).toContain('# Tea [green]')
  const full = await get('/llms-full.txt')
  expect(full.text).toContain(`Source: ${origin}/llms/notes/tea.md\nTitle: Tea [green]\n`)
  expect(full.text).toContain('Boils. Key [masked AWS key].')
})

it('says what is not there, and takes nothing', async () => {
  const { get } = await serve({ 'tea.md': '# Tea\n' })
  const wrong = ['/llms/notes/../../etc/passwd', '/llms/notes/nope.md']
  for (const path of wrong) expect([path, (await get(path)).status]).toEqual([path, 404])
  for (const path of ['/llms/', '/llms/%ff', '/llms/notes/tea.md?lines=x']) {
    expect([path, (await get(path)).status]).toEqual([path, 400])
  }
  expect((await get('/llms.txt', { method: 'POST', body: '' })).status).toBe(405)
})

it('sends so much at once, and says how much is left', async () => {
  const line = 'A word of many.\n'
  const files = Object.fromEntries(
    Array.from({ length: 30 }, (_, n) => [`n${n}.md`, line.repeat(3_000)]),
  )
  const { origin, get } = await serve(files)
  const { text } = await get('/llms-full.txt')
  expect(text.length).toBeLessThan(1_100_000)
  expect(text).toMatch(new RegExp(`\\d+ more are listed in ${origin}/llms\\.txt\\.\\n$`))
})

it('sends the other texts where the name of one is masked', async () => {
  const { origin, get } = await serve({ [`${AWS}.md`]: '# Named\n', 'tea.md': '# Tea\n\nGreen.\n' })
  const { text } = await get('/llms-full.txt')
  expect(text).toContain('Green.')
  expect(text).not.toContain(AWS)
  expect(text).toContain(`1 more are listed in ${origin}/llms.txt.`)
})

it('is there without the page', async () => {
  const { get } = await serve({ 'tea.md': '# Tea\n' }, { web: false })
  expect((await get('/llms.txt')).status).toBe(200)
  expect((await get('/')).status).toBe(404)
})
