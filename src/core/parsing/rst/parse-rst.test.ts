import { expect, it } from 'vitest'
import { parseRst } from './parse-rst.ts'

const parse = (text: string) => parseRst(text, 'a.rst').document

/** `level text@line`, links as `kind target label`. */
function check(name: string, text: string, headings: readonly string[], links: readonly string[]) {
  it(name, () => {
    const document = parse(text)
    expect(document.headings.map((each) => `${each.level} ${each.text}@${each.line}`)).toEqual(
      headings,
    )
    const shown = document.links.map(({ kind, target, fragment, label }) =>
      [kind, fragment === undefined ? target : `${target}#${fragment}`, label]
        .filter((part) => part !== undefined)
        .join(' '),
    )
    expect(shown).toEqual(links)
    for (const { start, end, line } of document.links) {
      expect(end).toBeGreaterThan(start)
      expect(text.slice(0, start).split('\n')).toHaveLength(line)
    }
  })
}

check('nothing', '', [], [])
check(
  'headings by the order in which their signs come',
  '====\nTea\n====\n\nIntro\n\nPots\n====\n\nx\n\nIron *pots*\n-----------\n\nCups\n====\n',
  ['1 Tea@2', '2 Pots@7', '3 Iron pots@12', '2 Cups@15'],
  [],
)
check('a rule is no heading', 'Tea\n\n-----\n\nMilk\n', [], [])
check('nor is the last line of a paragraph', 'Tea and\nmilk\n----\n', [], [])
check('nor a line that is marked too short', 'A long line of tea\n---\n', [], [])
check('letters that are two columns wide', '緑茶\n====\n', ['1 緑茶@1'], [])
check(
  'roles of Sphinx',
  'See :doc:`setup`, :doc:`the guide </guide/index>`, :ref:`iron-pots`, :ref:`here <cups>`,\n:py:class:`Pot`, :ref:`genindex`, :ref:`python:pots` and :download:`it <files/a.zip>`.\n',
  [],
  [
    'markdown setup.rst',
    'markdown /guide/index.rst the guide',
    'wiki iron-pots',
    'wiki cups here',
    'markdown files/a.zip it',
  ],
)
check(
  'links with their target, by name, and bare',
  'See `this <green tea_>`_.\n`Tea <https://tea.example/a_b>`_ and `pots <pots.html#iron>`__, Tea_ again, `green tea`_,\nand https://x.example/y.\n\n.. _green tea: green.html\n.. _unused: https://z.example\n',
  [],
  [
    'markdown green.html green tea',
    'url https://tea.example/a_b Tea',
    'markdown pots.html#iron pots',
    'url https://tea.example/a_b Tea',
    'markdown green.html green tea',
    'url https://x.example/y',
  ],
)
check(
  'a list of files, pictures and what is included',
  '.. toctree::\n   :maxdepth: 2\n\n   setup\n   The guide <guide/index>\n   api/*\n   Home <https://x.example>\n\n.. image:: img/pot.png\n   :alt: An iron pot\n\n.. figure:: img/cup.png\n   :width: 50%\n\n   A cup\n\n.. include:: end.txt\n',
  [],
  [
    'markdown setup.rst',
    'markdown guide/index.rst The guide',
    'url https://x.example Home',
    'image img/pot.png An iron pot',
    'image img/cup.png A cup',
    'markdown end.txt',
  ],
)
check(
  'nothing in code',
  'Run::\n\n  Not\n  ===\n\n  `a <b.html>`_\n\n.. code-block:: Python\n   :linenos:\n\n   x_ = "https://x.example"\n\n``y <https://y.example>`` is code too, `z <z.html>`_ is not.\n\n.. A comment\n   with `w <w.html>`_\n',
  [],
  ['markdown z.html z'],
)

it('knows code, labels and what a file says of itself', () => {
  const text =
    ':Author: Ada\n:Date: 2024-02-03\n\n.. _brewing:\n.. _Tea: https://tea.example\n\nTea\n===\n\n.. meta::\n   :description: How to brew\n   :keywords: tea, pots\n\n.. code-block:: Python\n   :linenos:\n\n   boil()\n   pour()\n\nEnd.\n'
  const { title, aliases, tags, description, properties, codeBlocks } = parse(text)
  expect({ title, aliases, tags, description }).toEqual({
    title: 'Tea',
    aliases: ['brewing'],
    tags: ['tea', 'pots'],
    description: 'How to brew',
  })
  expect(properties).toMatchObject({ author: 'Ada', date: '2024-02-03' })
  expect(codeBlocks).toHaveLength(1)
  const [{ language, start, end } = { language: '', start: 0, end: 0 }] = codeBlocks
  expect([language, text.slice(start, end)]).toEqual(['python', '   boil()\n   pour()'])
})

it('reads comments of a blog for what its page is', () => {
  const { title, tags } = parse('.. title: Tea\n.. slug: tea\n.. tags: a, b\n\nText.\n')
  expect([title, tags]).toEqual(['Tea', ['a', 'b']])
})

it.each([
  ['a line of a million signs', '='.repeat(1_000_000)],
  ['half a million accents', '`'.repeat(500_000)],
  ['lines of accents', '`a <'.repeat(200) + '\n'.concat(':a:`'.repeat(900))],
  ['underscores', `${'a_'.repeat(1_900)}\n`.repeat(300)],
  [
    'directives in each other',
    Array.from({ length: 3_000 }, (_, n) => `${' '.repeat(n)}.. note::\n`).join(''),
  ],
  [
    'lists of files in each other',
    Array.from({ length: 2_000 }, (_, n) => `${' '.repeat(n)}.. toctree::\n`).join(''),
  ],
  ['a hundred thousand headings', '=\nA\n=\n\n'.repeat(100_000)],
])('reads %s', (_, text) => {
  const { chunks } = parse(text)
  expect(chunks.length).toBeGreaterThan(0)
})
