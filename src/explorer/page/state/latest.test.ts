import { expect, it, onTestFinished, vi } from 'vitest'
import { latest } from './latest.ts'

function harness() {
  const asked: string[] = []
  const open: { resolve: (value: string) => void; reject: (error: Error) => void }[] = []
  const answers: string[] = []
  const asking = latest<string, string>(
    (question) => {
      asked.push(question)
      return new Promise((resolve, reject) => open.push({ resolve, reject }))
    },
    (result, question) => answers.push(`${question}=${result}`),
    (error, question) => answers.push(`${question}!${String((error as Error).message)}`),
  )
  const settle = () => new Promise((resolve) => setTimeout(resolve))
  return { asked, open, answers, asking, settle }
}

it('asks one question at a time, and of those that wait only the newest', async () => {
  const { asked, open, answers, asking, settle } = harness()
  for (const question of ['p', 'pr', 'pro']) asking.ask(question)
  expect(asked).toEqual(['p'])
  open[0]!.resolve('1')
  await settle()
  expect(asked).toEqual(['p', 'pro'])
  open[1]!.resolve('2')
  await settle()
  expect(answers).toEqual(['p=1', 'pro=2'])
})

it('goes on after a failure', async () => {
  const { open, answers, asking, settle } = harness()
  asking.ask('a')
  asking.ask('b')
  open[0]!.reject(new Error('cut off'))
  await settle()
  open[1]!.resolve('2')
  await settle()
  expect(answers).toEqual(['a!cut off', 'b=2'])
})

it('lets go of a question that hangs when there is a newer one', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const { asked, open, answers, asking, settle } = harness()
  asking.ask('a')
  vi.setSystemTime(Date.now() + 1_000)
  asking.ask('b')
  expect(asked).toEqual(['a'])
  vi.setSystemTime(Date.now() + 5_000)
  asking.ask('c')
  await settle()
  expect(asked).toEqual(['a', 'c'])
  open[1]!.resolve('3')
  open[0]!.resolve('1')
  await settle()
  expect(answers).toEqual(['c=3'])
})

it('says nothing more once it was stopped', async () => {
  const { open, answers, asking, settle } = harness()
  asking.ask('a')
  asking.stop()
  open[0]!.resolve('1')
  await settle()
  expect(answers).toEqual([])
  asking.ask('b')
  open[1]!.resolve('2')
  await settle()
  expect(answers).toEqual(['b=2'])
})
