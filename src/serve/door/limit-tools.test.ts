import { expect, it } from 'vitest'
import { smallSurface } from '../../../test/transports/small-surface.ts'
import { limitTools } from './limit-tools.ts'

const context = { signal: new AbortController().signal, progress: () => {} }
const names = (only: readonly string[], exclude: readonly string[] = []) =>
  limitTools(smallSurface(), { only, exclude })
    .tools()
    .map(({ name }) => name)

it('leaves what is named, and takes away what is excluded from that', () => {
  expect(names([])).toEqual(
    smallSurface()
      .tools()
      .map(({ name }) => name),
  )
  expect(names(['echo', 'slow'])).toEqual(expect.arrayContaining(['echo', 'slow']))
  expect(names(['echo', 'slow'])).toHaveLength(2)
  expect(names(['echo', 'slow'], ['slow'])).toEqual(['echo'])
  expect(names([], ['slow'])).not.toContain('slow')
})

it('calls nothing else', async () => {
  const surface = limitTools(smallSurface(), { only: ['echo'], exclude: [] })
  expect((await surface.call('echo', { text: 'a' }, context)).isError).toBeFalsy()
  await expect(surface.call('slow', {}, context)).rejects.toThrow('There is no tool "slow"')
})
