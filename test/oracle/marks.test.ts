import { describe, expect, it } from 'vitest'
import { openMarks } from './marks.ts'

const SINCE = Date.parse('2026-11-18T11:12:13.500Z')

const check = (text: string, expected: string) =>
  it(`makes ${expected} of ${text}`, () => {
    const marks = openMarks({ since: SINCE, known: new Map([['/tmp/x-1', '<root>']]) })
    expect(marks.apply(text)).toBe(expected)
  })

describe('what came with this run', () => {
  check('"at":"2026-11-18T11:12:13.600Z"', '"at":"<time>"')
  // Rounded down, it seems to be older than the run.
  check('2026-11-18T11:12:13Z', '<time>')
  check('2026-11-18T11:12:14.123456', '<time>')
  check('day=2026-11-18', 'day=<day>')
  check('relations/2026-11.jsonl', 'relations/<month>.jsonl')
  check('{"started_at":1795000333.6}', '{"started_at":<time>}')
  check('{"at":1795000334000}', '{"at":<time>}')
  check('note-20261118111214.md', 'note-<time>.md')
  check('coverage_20261118111214123.json', 'coverage_<time>.json')
  check('cairn-backup-20261118-111214.tgz', 'cairn-backup-<time>.tgz')
  check('{\\"took_ms\\":12.5,\\"ms\\":3}', '{\\"took_ms\\":<duration>,\\"ms\\":<duration>}')
  check('/tmp/x-1/handbook', '<root>/handbook')
  check('operation=20261118T111214-57d2d014', 'operation=<id 1>')
  check('"run_id":"ac759716fdac5853fa3476b62414aed8"', '"run_id":"<id 1>"')
  check('plan=341347d25ce69558', 'plan=<id 1>')
})

describe('what was there before', () => {
  for (const text of [
    '2026-11-18T11:12:12Z',
    '2026-02-14T09:00:00.000Z',
    '2026-11-17',
    '2027-05-01',
    '2025-02.jsonl',
    '"git_timestamp":1740816000',
    '"size":1234567890',
    '"id":"c1a7e550-d363-453f-870c-334b5e178bc4"',
    '65cdfb3b8ed509d7f8dbe43e02c93fe6e7f5ef16',
    '20250101T000000-00000000',
  ]) {
    check(text, text)
  }
})

it('numbers ids by what they are, through a whole sequence', () => {
  const marks = openMarks({ since: SINCE })
  const [one, two] = ['20261118T111214-00000001', '20261118T111214-00000002']
  expect(marks.apply(`${one} ${two}`)).toBe('<id 1> <id 2>')
  expect(marks.apply(`${two} ${one}`)).toBe('<id 2> <id 1>')
})

it('marks numbers under keys that a call names', () => {
  const marks = openMarks({ since: SINCE })
  expect(marks.apply('{"bytes":12,"files":3}', ['bytes'])).toBe('{"bytes":<number>,"files":3}')
})
