/** Texts that make a careless algorithm take the square of their length, or worse. */

export interface HostileText {
  readonly name: string
  readonly text: string
}

/** Each is about so many characters long. */
export function hostileTexts(length: number): readonly HostileText[] {
  const filled = (unit: string): string => unit.repeat(Math.ceil(length / unit.length))
  const numbered = (unit: (index: number) => string): string =>
    Array.from({ length: Math.ceil(length / unit(10_000).length) }, (_, index) => unit(index)).join(
      '',
    )
  const texts: Readonly<Record<string, string>> = {
    // A character behind them keeps patterns that look for the end from being lucky.
    spaces: `a${filled(' ')}a`,
    tabs: `a${filled('\t')}a`,
    'line ends': `a${filled('\n')}a`,
    'carriage returns': `a${filled('\r')}a`,
    slashes: `${filled('/')}a`,
    backslashes: `${filled('\\')}a`,
    'slashes and dots': `${filled('/.')}a`,
    dots: `${filled('.')}a`,
    'exclamation marks': `${filled('!')}a`,
    'question marks': `${filled('?')}a`,
    dashes: `${filled('-')}a`,
    underscores: `a${filled('_')} a`,
    quotes: `${filled('"')}a`,
    'quoted words': filled('"a b" '),
    backticks: numbered((index) => `${'`'.repeat((index % 50) + 1)} a `),
    stars: filled('*a '),
    'opening brackets': `${filled('[')}a`,
    'opening links': `${filled('[[')}a`,
    'opening pictures': `${filled('![')}a`,
    parentheses: `${filled('(')}a`,
    'unfinished links': filled('[a]('),
    braces: `${filled('{')}a`,
    'alternatives of a glob': filled('{a,b}'),
    'stars of a glob': `${filled('*?')}[`,
    'folders of a glob': `${filled('**/')}a`,
    'classes of a glob': filled('[!a-z]*'),
    'long word': filled('a'),
    'letters and capitals': filled('aB'),
    'many words': numbered((index) => `w${index} `),
    'one word again and again': filled('tea '),
    'two words again and again': filled('tea -leaf '),
    numbers: filled('1'),
    dates: filled('2026-01-01T00:00:00 '),
    percents: `${filled('%2e%2f')}a`,
    headings: numbered((index) => `# h ${index}\n`),
    'nested headings': numbered((index) => `${'#'.repeat((index % 6) + 1)} h\n`),
    'path of headings': filled('a > '),
    quotations: `${filled('> ')}a`,
    'nested list': numbered((index) => `${' '.repeat((index % 100) * 2)}- a\n`),
    rows: `| a | b |\n| - | - |\n${filled('| a | b |\n')}`,
    links: filled('[[tea]] '),
    'links elsewhere': numbered((index) => `[a](b${index}.md) `),
    'references to nothing': numbered((index) => `[a][r${index}] `),
    tags: numbered((index) => `#tag${index} `),
    markup: filled('<a '),
    comments: filled('<!-- '),
    entities: filled('&amp'),
    formulas: filled('$a '),
    'front matter of spaces': `---\na: ${filled(' ')}b\n---\n`,
    'front matter of slashes': `---\na: ${filled('/')}\n---\n`,
    'front matter of keys': `---\n${numbered((index) => `k${index}: v\n`)}---\n`,
    'front matter of lists': `---\ntags:\n${numbered((index) => `  - t${index}\n`)}---\n`,
    'front matter without end': `---\n${filled('a: b\n')}`,
    'nested front matter': `---\na: ${filled('[')}\n---\n`,
    'nested JSON': filled('{"a":'),
    'list of JSON': `[${filled('[],')}[]]`,
    'combining marks': `e${filled('\u0301')}`,
    'letters that grow': filled('\u0130\u00df\ufb03'),
    pictographs: filled('👩‍👩‍👧‍👦'),
    'other writing': filled('漢字かな'),
    'from right to left': filled('\u202eא'),
  }
  return Object.entries(texts).map(([name, text]) => ({ name, text }))
}
