import { expect, it } from 'vitest'
import { openLog } from './log.ts'

const logged = (options: Parameters<typeof openLog>[0], message: string): string[] => {
  const lines: string[] = []
  const log = openLog(options, (line) => lines.push(line))
  log('error', message)
  log('info', 'quiet')
  return lines
}

it('writes lines for people, without what a terminal would obey', () => {
  expect(logged({ logLevel: 'warn' }, 'a\u001b[2Jb')).toEqual(['cairn: error: a\uFFFD[2Jb\n'])
})

it('writes an object a line for machines', () => {
  const [line = '', ...others] = logged({ logLevel: 'error', logFormat: 'json' }, 'a\nb')
  expect([JSON.parse(line), others]).toEqual([
    { time: expect.any(String), level: 'error', message: 'a\nb' },
    [],
  ])
})
