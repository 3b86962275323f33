import { expect, it } from 'vitest'
import { packagesNamedIn } from './named-packages.ts'

it.each([
  ['[project]\nname = "My-Shop"\n', ['src/My_Shop', 'My_Shop']],
  [
    '[tool.poetry]\npackages = [{ include = "shop", from = "lib" }, { include = "till" }]\n',
    ['lib/shop', 'till'],
  ],
  [
    '[tool.setuptools.packages.find]\nwhere = ["code"]\ninclude = [\n  "a.b*",\n  "shop.core",\n]\n',
    ['code/shop/core'],
  ],
  ['[tool.setuptools]\npackages = ["shop"]\n', ['shop']],
  ['[other]\nname = "x"\n', []],
  ['no toml at all [[[', []],
])('reads %j', (text, folders) => {
  expect(packagesNamedIn(text)).toEqual(folders)
})

it.each([
  ['sections that do not end', '['],
  ['lists that do not end in comments', ']#', 'a = [\n', '\rx'],
  ['tables that do not end', '{', '[tool.poetry]\npackages = '],
])('reads %s in proportion to their length', (_, part, before = '', behind = '') => {
  // Each would take minutes where every mark is followed to the end of the line.
  expect(packagesNamedIn(`${before}${part.repeat(500_000)}${behind}`)).toEqual([])
})
