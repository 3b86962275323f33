import { expect, it } from 'vitest'
import { memoryPlace } from './place.ts'

it('goes back and forward like a browser', () => {
  const place = memoryPlace()
  const returns: string[] = []
  place.onReturn(() => returns.push(place.url()))
  place.push('/a')
  place.push('/b')
  place.replace('/c#h-x')
  place.back()
  place.back()
  place.back()
  place.forward()
  place.forward()
  expect(place.url()).toBe('/c#h-x')
  place.back()
  place.push('/d')
  place.forward()
  expect(place.url()).toBe('/d')
  expect(returns).toEqual(['/a', '/', '/a', '/c#h-x', '/a'])
})
