/** A language model that says the same to the same question, over the wire of OpenAI. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Model {
  readonly env: Readonly<Record<string, string>>
  close(): Promise<void>
}

export async function startModel(): Promise<Model> {
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (piece: string) => (text += piece))
    request.on('end', () => {
      const content = replyTo(text)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }] }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    env: {
      CAIRN_ANSWERER: 'openai',
      CAIRN_ANSWERER_BASE_URL: `http://127.0.0.1:${port}`,
      CAIRN_ANSWERER_MODEL: 'parrot-1',
      OPENAI_API_KEY: 'key-of-nobody',
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** In the form that was asked for; what it says is in the handbook, or is dropped by the program. */
function replyTo(asked: string): string {
  if (/summar/i.test(asked)) {
    return JSON.stringify({ summary: 'Rolling back is never a failure; waiting is.' })
  }
  if (/tags/i.test(asked)) return JSON.stringify({ tags: ['incident', 'runbook', 'rollback'] })
  if (/entit|organi[sz]ation/i.test(asked)) {
    return JSON.stringify({ entities: [{ name: 'Rafi', type: 'person' }] })
  }
  return 'Rolling back is never a failure; waiting is. [1]'
}
