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
