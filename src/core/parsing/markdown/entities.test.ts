import { expect, it } from 'vitest'
import { unescapeMarkdown } from './entities.ts'

function check(text: string, expected: string): void {
  it(text, () => expect(unescapeMarkdown(text)).toBe(expected))
}

check('plain', 'plain')
check('\\*a\\* \\a \\\\', '*a* \\a \\')
check('&amp;&lt;&gt;&quot;&apos;', '&<>"\'')
check('&auml;&Ouml;&szlig;&eacute;', 'äÖßé')
check('&alpha;&Omega;&rarr;&hArr;', 'αΩ→⇔')
check('&mdash;&hellip;&euro;&trade;', '—…€™')
check('&lbrack;&num;&check;', '[#✓')
check('&#8212; &#x2014; &#X1F600;', '— — 😀')
check('&#0; &#xD800; &#x110000;', '\uFFFD \uFFFD \uFFFD')
check('&unknown; &amp &; &#; &#x; &#12345678;', '&unknown; &amp &; &#; &#x; &#12345678;')
check('\\&amp;', '&amp;')
