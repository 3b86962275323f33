import { describe, expect, it } from 'vitest'
import { findSecrets, isMasked, named, putBack, takeOut, withoutSecrets } from './secrets.ts'

// Put together here, so that nobody takes this file for one that holds any.
const LINES = Array.from({ length: 26 }, (_, n) =>
  `${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC+/'}${n}`.padEnd(64, 'xY7'),
)
const BODY = [...LINES, 'c2hvcnQ='].join('\n')
const BEGIN = `-----BEGIN ${'PRIVATE'} KEY-----`
const END = `-----END ${'PRIVATE'} KEY-----`
const PEM = `${BEGIN}\n${BODY}\n${END}`
const AWS = `AKIA${'IOSFODNN7EXAMPLE'}`
const KEYS: readonly [string, string][] = [
  ['AWS key', AWS],
  ['GitHub token', `ghp_${'a1B2'.repeat(9)}`],
  ['AWS key', `ASIA${'IOSFODNN7EXAMPLE'}`],
  ...['o', 'u', 's', 'r'].map((kind): [string, string] => [
    'GitHub token',
    `gh${kind}_${'a1B2'.repeat(9)}`,
  ]),
  ['GitHub token', `github_${'pat'}_${'a1B2'.repeat(9)}`],
  ['GitLab token', `glpat-${'a1B2'.repeat(6)}`],
  ['Google key', `AIza${'a1B2c'.repeat(7)}`],
  ['npm token', `npm_${'a1B2'.repeat(9)}`],
  ['Cairn token', `cairn_${'abcdef12'}_${'a1B2'.repeat(11).slice(1)}`],
  ['Slack token', `xoxb-${'1234567890-abcdef'}`],
  ['Anthropic key', `sk-ant-${'api03-abcdefghijklmnop'}`],
  ['OpenAI key', `sk-${'abcdefghijklmnopqrstuvwx'}`],
  ['Stripe key', `sk_live_${'abcdefghijklmnop1234'}`],
  ['Stripe key', `rk_live_${'abcdefghijklmnop1234'}`],
  ['private key', PEM],
  [
    'private key',
    `-----BEGIN OPENSSH ${'PRIVATE'} KEY-----\n${'A'.repeat(64)}\n-----END OPENSSH ${'PRIVATE'} KEY-----`,
  ],
  [
    'private key',
    `-----BEGIN PGP ${'PRIVATE'} KEY BLOCK-----\n\n${BODY}\n=njUN\n-----END PGP ${'PRIVATE'} KEY BLOCK-----`,
  ],
  ['private key', PEM.replaceAll('\n', '\\n')],
  [
    'JSON web token',
    `eyJ${'hbGciOiJIUzI1NiJ9'}.eyJ${'zdWIiOiIxMjM0NTY3ODkwIn0'}.${'x'.repeat(30)}`,
  ],
]

const pieces = (text: string, key: string): string[] => {
  const flat = key.replaceAll(/\s|\\n/g, '')
  return Array.from({ length: Math.max(0, flat.length - 11) }, (_, at) =>
    flat.slice(at, at + 12),
  ).filter((piece) => text.replaceAll(/\s/g, '').includes(piece))
}

describe('a secret', () => {
  it.each(KEYS)('is found and taken out, and nothing moves: %s', (kind, key) => {
    const text = `before\n${key} after\nand more`
    expect(findSecrets(text)).toEqual([{ kind, start: 7, end: 7 + key.length }])
    const out = withoutSecrets(text)
    expect([out.length, out.split('\n').length]).toEqual([text.length, text.split('\n').length])
    expect([out.slice(0, 7), out.slice(7 + key.length)]).toEqual(['before\n', ' after\nand more'])
    expect(pieces(out, key)).toEqual([])
    expect(isMasked(out)).toBe(true)
  })

  it.each(KEYS)('has a name, in whatever piece of it is shown: %s', (kind, key) => {
    const out = withoutSecrets(key)
    for (let from = 3; from < key.length - 4; from += 7) {
      const shown = named(out.slice(from, from + 100))
      expect(shown.trim()).toBe(`[masked ${kind}]`)
    }
    expect(named(out).split('\n')).toHaveLength(key.split('\n').length)
  })
})

describe('a private key that is not whole', () => {
  it.each([
    ['without an end', `${BEGIN}\n${BODY}`, 'Then other words.'],
    ['without an end, quoted', `${BEGIN}\n> ${LINES.join('\n> ')}`, 'Then other words.'],
    ['without an end, in a string', `${BEGIN}\\n${LINES.join('\\n')}`, '", and so on.'],
    ['without a beginning', `${BODY}\n${END}`, 'Then other words.'],
    [
      'in two pieces',
      `${BEGIN}\n${LINES.slice(0, 9).join('\n')}`,
      `here follows some pause\n${LINES.slice(9).join('\n')}\n${END}`,
    ],
  ])('is taken out as far as there is key: %s', (_, key, rest) => {
    const text = `Some words before.\n${key}\n\n${rest}`
    const out = withoutSecrets(text)
    expect(pieces(out, BODY)).toEqual([])
    expect(out).toMatch(/^Some words before\.\n/)
    if (/words|so on/.test(rest)) expect(out.endsWith(rest)).toBe(true)
    else expect(out).toContain('here follows some pause')
  })

  it.each([
    `A key begins with ${BEGIN} and ends with ${END}.`,
    `Paste it between \`${BEGIN}\` and\n\n\`${END}\`, with no blanks.`,
    `${BEGIN}\n...\n${END}`,
    `The line ${BEGIN}\nis the first one of the file, and what follows is in base64.`,
    `Look for ${END} at the bottom of the file.`,
  ])('is none where a text only speaks of it: %j', (text) => {
    expect(withoutSecrets(text)).toBe(text)
  })
})

it.each([`key_${AWS}`, `${AWS}_old`, `old_${AWS}-2`, `("${AWS}")`])(
  'finds the key in %j',
  (text) => {
    expect(findSecrets(text).map(({ start, end }) => text.slice(start, end))).toEqual([AWS])
  },
)

it.each([`X${AWS}`, `${AWS}9`])('takes a longer word for no key: %j', (text) => {
  expect(findSecrets(text)).toEqual([])
})

it.each([`AKIAIOSF\u200bODNN7EXAMPLE`, `AKIA\\\nIOSFODNN7EXAMPLE`, `<b>AKIA</b>IOSFODNN7EXAMPLE`])(
  'is found where nobody sees that it is in two pieces: %j',
  (written) => {
    const out = withoutSecrets(`one ${written} two`)
    expect(pieces(out, AWS)).toEqual([])
    expect(out).toMatch(/^one .* two$/s)
  },
)

it.each([
  'password: hunter2',
  'sk-short',
  'AKIA is how they begin',
  'eyJ.eyJ.x',
  'task-force-alpha',
  'a\u200bb and <b>c</b> \\\n d',
])('leaves other words alone: %s', (text) => {
  expect([withoutSecrets(text), isMasked(text)]).toEqual([text, false])
})

describe('an edit of a text without its secrets', () => {
  const text = `# A\n${AWS}\n\n## B\n${PEM}\n\n## C\n${AWS}x ${AWS}\nend\n`
  const secrets = findSecrets(text)
  const out = takeOut(text, secrets)
  const back = (edited: string) => putBack(edited, text, secrets)

  it('gets them back where they were', () => {
    expect(back(out)).toBe(text)
    expect(back(`new\n${out.replace('end', 'last')}`)).toBe(`new\n${text.replace('end', 'last')}`)
    const at = out.indexOf('## B')
    const to = out.indexOf('## C')
    expect(back(out.slice(0, at) + out.slice(to))).toBe(text.slice(0, at) + text.slice(to))
  })

  it('is refused where it cut one', () => {
    const { start, end } = secrets[1]!
    expect(back(out.slice(0, start + 40) + out.slice(end))).toBeUndefined()
    expect(back(out.slice(0, start) + out.slice(start + 40))).toBeUndefined()
    expect(back(out.slice(0, start) + out.slice(end - 10))).toBeUndefined()
  })
})

it('reads a long text without a secret at once', () => {
  expect(withoutSecrets(`eyJ${'A'.repeat(2_000_000)}`)).toHaveLength(2_000_003)
  expect(findSecrets(BEGIN.repeat(20_000))).toEqual([])
  expect(findSecrets(END.repeat(20_000))).toEqual([])
  expect(findSecrets(`${BEGIN} a `.repeat(20_000))).toEqual([])
  expect(findSecrets('<b>\u200b\\\n'.repeat(100_000))).toEqual([])
  expect(findSecrets(`${AWS}\n`.repeat(20_000))).toHaveLength(20_000)
  const many = `${AWS} <b>\n`.repeat(20_000)
  expect(putBack(withoutSecrets(many), many, findSecrets(many))).toBe(many)
})
