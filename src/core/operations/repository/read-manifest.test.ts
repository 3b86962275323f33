import { expect, it } from 'vitest'
import { readManifest } from './read-manifest.ts'

it.each([
  [
    'web/package.json',
    JSON.stringify({
      dependencies: { react: '^18.2.0', left: '*', here: 'file:../here', tag: 'latest' },
      devDependencies: { jest: '28 || 29', odd: '<5 || 7' },
      peerDependencies: { 'react-dom': '>=16.8 <19' },
      engines: { node: '>=20' },
      version: '3.0.0',
    }),
    ['react 18.2.0 1', 'jest 28 1 for work', 'react-dom 16.8 1', 'node 20 1'],
  ],
  ['package.json', '{ "dependencies": ["react"], "engines": null }', []],
  ['package.json', '{ no json', []],
  [
    'pyproject.toml',
    '[project]\nrequires-python = ">=3.10,<4"\ndependencies = [\n  "django[argon2]>=4.2,<5",\n  "plain",\n]\n[project.optional-dependencies]\ntest = ["pytest~=8.1"]\n',
    ['python 3.10 2', 'django 4.2 1', 'pytest 8.1 1'],
  ],
  [
    'pyproject.toml',
    '[tool.poetry.dependencies]\npython = "^3.9"\nflask = { version = "^0.12", extras = ["x"] }\n[tool.poetry.group.dev.dependencies]\nruff = "0.4"\n',
    ['python 3.9 2', 'flask 0.12 2', 'ruff 0.4 2 for work'],
  ],
  [
    'requirements-dev.txt',
    '# all\nrequests==2.31.0 ; python_version > "3.8"\n-r other.txt\nblack\nnumpy<2\n',
    ['requests 2.31.0 1'],
  ],
  [
    'Cargo.toml',
    '[package]\nname = "x"\nversion = "0.3.0"\nrust-version = "1.80"\n[dependencies]\nserde = "1.0"\ntokio = { version = "1.38", features = ["full"] }\nhere = { path = "../here" }\n[dev-dependencies.insta]\nversion = "0.9"\n',
    ['rust 1.80 2', 'serde 1.0 1', 'tokio 1.38 1', 'insta 0.9 2 for work'],
  ],
  [
    'go.mod',
    'module example.com/x\n\ngo 1.22\n\nrequire github.com/a/b v1.2.3\nrequire (\n\tgithub.com/c/d v0.4.0 // indirect\n)\nreplace github.com/e/f => ../f\nexclude (\n\tgithub.com/g/h v1.0.0\n)\n',
    ['go 1.22 2', 'github.com/a/b 1.2.3 1', 'github.com/c/d 0.4.0 2'],
  ],
])('reads %s: %j', (path, text, expected) => {
  const found = readManifest(path, text) ?? []
  const told = found.map(({ name, lowest, depth, isForWork }) =>
    [name, lowest.join('.'), depth, ...(isForWork ? ['for work'] : [])].join(' '),
  )
  expect(told).toEqual(expected)
})

it('knows what is none, and is bounded', () => {
  expect(readManifest('data.json', '{}')).toBeUndefined()
  expect(readManifest('package-lock.json', '{}')).toBeUndefined()
  const many = Array.from({ length: 5_000 }, (_, n) => `"p${n}": "^${n}.0.0"`).join()
  expect(readManifest('package.json', `{"dependencies":{${many}}}`)).toHaveLength(1_000)
  expect(
    readManifest('Cargo.toml', `[dependencies]\na = [\n${'x = "1"\n'.repeat(50_000)}`),
  ).toEqual([])
  expect(readManifest('package.json', ' '.repeat(300_000))).toEqual([])
})
