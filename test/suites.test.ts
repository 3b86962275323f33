/** The suites are all the tests there are, and the quick one is what it says. */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import {
  IN_PASSING,
  importsOf,
  listFiles,
  listSuites,
  LONG,
  SLOW,
  STARTERS,
  startersOf,
} from './suites.ts'

const ROOT = resolve(import.meta.dirname, '..')
const PACKAGES = STARTERS.filter((each) => !each.startsWith('src/'))

it('holds every test in one suite', () => {
  const { quick, full, apart, long } = listSuites()
  const tests = listFiles().filter((path) => path.endsWith('.test.ts'))
  expect([...quick, ...full, ...apart, ...long].toSorted()).toEqual(tests.toSorted())
  expect(Math.min(quick.length, full.length, apart.length, long.length)).toBeGreaterThan(0)
})

it('names only files that are there', () => {
  const named = [...LONG, ...SLOW, ...IN_PASSING, ...STARTERS.filter((each) => /\//.test(each))]
  const files = named.filter((each) => /^(?:src|test)\//.test(each))
  expect(files.filter((each) => !existsSync(resolve(ROOT, each)))).toEqual([])
  expect(files.length).toBe(new Set(files).size)
  // Who starts something need not be named.
  expect(SLOW.filter((each) => startersOf(each).length > 0)).toEqual([])
})

it('knows every part of the program that starts something', () => {
  const starting = listFiles().filter(
    (path) =>
      path.startsWith('src/') &&
      !path.endsWith('.test.ts') &&
      importsOf(path).some((each) => PACKAGES.includes(each)),
  )
  const known = [...STARTERS, ...IN_PASSING]
  expect(starting.filter((path) => !known.includes(path))).toEqual([])
  expect(IN_PASSING.filter((path) => !starting.includes(path))).toEqual([])
})

it.each([
  ['itself', 'test/launcher.test.ts', 'node:child_process'],
  ['by way of a helper', 'test/end-to-end/stdio.test.ts', 'node:child_process'],
  ['by way of a helper of a helper', 'test/contract/stores-postgres.test.ts', 'node:child_process'],
  ['a browser', 'test/web/page.test.ts', 'playwright-core'],
  ['a server in its own process', 'test/access/http.test.ts', 'src/serve/wiring/start-server.ts'],
])('sees what a test starts: %s', (_, file, starter) => {
  expect(startersOf(file)).toContain(starter)
})

it('is run as a whole by `.ci/run`', () => {
  const { scripts } = JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8'))
  const steps = readFileSync(resolve(ROOT, '.ci/run'), 'utf8')
  const run = ['test', 'test:long'].flatMap((name) => {
    expect(steps).toMatch(new RegExp(`^step npm (?:run )?${name}$`, 'm'))
    return [...scripts[name].matchAll(/--project (\w+)/g)].map((match) => match[1])
  })
  expect(run).toEqual(['quick', 'full', 'apart', 'long'])
})
