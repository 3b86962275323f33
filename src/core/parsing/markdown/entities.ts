/** Character references (`&amp;`, `&#8212;`, `&#x2014;`) and backslash escapes. */

/*
 * The names of HTML 4, those for ASCII and a few more, each with its code point in hex. HTML 5 has
 * six times as many, nearly all of them mathematical; those stay as written.
 */
const NAMED = new Map<string, string>(
  (
    'quot:22 amp:26 apos:27 lt:3c gt:3e ' +
    'Tab:9 NewLine:a excl:21 QUOT:22 num:23 dollar:24 percnt:25 AMP:26 lpar:28 rpar:29 ' +
    'ast:2a midast:2a plus:2b comma:2c period:2e sol:2f colon:3a semi:3b LT:3c equals:3d ' +
    'GT:3e quest:3f commat:40 lbrack:5b lsqb:5b bsol:5c rbrack:5d rsqb:5d Hat:5e UnderBar:5f ' +
    'lowbar:5f DiacriticalGrave:60 grave:60 lbrace:7b lcub:7b VerticalLine:7c verbar:7c ' +
    'vert:7c rbrace:7d rcub:7d check:2713 checkmark:2713 cross:2717 star:2606 starf:2605 ' +
    'phone:260e female:2640 male:2642 sung:266a flat:266d natural:266e sharp:266f ' +
    'hyphen:2010 dash:2010 horbar:2015 mldr:2026 nldr:2025 numsp:2007 puncsp:2008 ' +
    'hairsp:200a rarrw:219d map:21a6 iff:21d4 Rightarrow:21d2 rightarrow:2192 leftarrow:2190 ' +
    'Leftarrow:21d0 leftrightarrow:2194 uparrow:2191 downarrow:2193 half:bd frac13:2153 ' +
    'frac23:2154 frac15:2155 frac18:215b frac38:215c frac58:215d frac78:215e leq:2264 ' +
    'geq:2265 approx:2248 inodot:131 imath:131 square:25a1 blacksquare:25aa bullet:2022 ' +
    'caret:2041 copysr:2117 circledR:ae ohm:3a9 angst:c5 planck:210f ell:2113 Dot:a8 dot:2d9 ' +
    'lbbrk:2772 rbbrk:2773 ' +
    runOfNames(
      160,
      'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg ' +
        'plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 ' +
        'iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml ' +
        'Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave ' +
        'Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil ' +
        'egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ' +
        'ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml',
    ) +
    runOfNames(
      913,
      'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho',
    ) +
    runOfNames(931, 'Sigma Tau Upsilon Phi Chi Psi Omega') +
    runOfNames(
      945,
      'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho ' +
        'sigmaf sigma tau upsilon phi chi psi omega',
    ) +
    runOfNames(8592, 'larr uarr rarr darr harr') +
    runOfNames(8656, 'lArr uArr rArr dArr hArr') +
    'OElig:152 oelig:153 Scaron:160 scaron:161 Yuml:178 fnof:192 circ:2c6 tilde:2dc ' +
    'thetasym:3d1 upsih:3d2 piv:3d6 ensp:2002 emsp:2003 thinsp:2009 zwnj:200c zwj:200d ' +
    'lrm:200e rlm:200f ndash:2013 mdash:2014 lsquo:2018 rsquo:2019 sbquo:201a ldquo:201c ' +
    'rdquo:201d bdquo:201e dagger:2020 Dagger:2021 bull:2022 hellip:2026 permil:2030 ' +
    'prime:2032 Prime:2033 lsaquo:2039 rsaquo:203a oline:203e frasl:2044 euro:20ac ' +
    'image:2111 weierp:2118 real:211c trade:2122 alefsym:2135 crarr:21b5 forall:2200 ' +
    'part:2202 exist:2203 empty:2205 nabla:2207 isin:2208 notin:2209 ni:220b prod:220f ' +
    'sum:2211 minus:2212 lowast:2217 radic:221a prop:221d infin:221e ang:2220 and:2227 ' +
    'or:2228 cap:2229 cup:222a int:222b there4:2234 sim:223c cong:2245 asymp:2248 ne:2260 ' +
    'equiv:2261 le:2264 ge:2265 sub:2282 sup:2283 nsub:2284 sube:2286 supe:2287 oplus:2295 ' +
    'otimes:2297 perp:22a5 sdot:22c5 lceil:2308 rceil:2309 lfloor:230a rfloor:230b lang:27e8 ' +
    'rang:27e9 loz:25ca spades:2660 clubs:2663 hearts:2665 diams:2666'
  )
    .trim()
    .split(/\s+/)
    .map((pair) => {
      const [name = '', code = ''] = pair.split(':')
      return [name, String.fromCodePoint(Number.parseInt(code, 16))]
    }),
)

function runOfNames(first: number, names: string): string {
  return `${names
    .split(' ')
    .map((name, i) => `${name}:${(first + i).toString(16)}`)
    .join(' ')} `
}

const REFERENCE = /&(?:#[xX]([0-9a-fA-F]{1,6})|#([0-9]{1,7})|([a-zA-Z][a-zA-Z0-9]{1,31}));/y
const ESCAPE_OR_REFERENCE =
  /\\([!-/:-@[-`{-~])|&(?:#[xX][0-9a-fA-F]{1,6}|#[0-9]{1,7}|[a-zA-Z][a-zA-Z0-9]{1,31});/g

export interface Reference {
  readonly end: number
  readonly text: string
}

/** The character reference at `at`, where the text has an `&`. */
export function referenceAt(text: string, at: number): Reference | undefined {
  REFERENCE.lastIndex = at
  const match = REFERENCE.exec(text)
  if (!match) return undefined
  const [whole, hex, decimal, name] = match
  const end = at + whole.length
  if (name !== undefined) {
    const known = NAMED.get(name)
    return known === undefined ? undefined : { end, text: known }
  }
  const code = hex === undefined ? Number.parseInt(decimal ?? '0', 10) : Number.parseInt(hex, 16)
  return { end, text: characterOf(code) }
}

function characterOf(code: number): string {
  const invalid = code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)
  return invalid ? '\uFFFD' : String.fromCodePoint(code)
}

/** Resolves backslash escapes and character references, as in destinations and info strings. */
export function unescapeMarkdown(text: string): string {
  if (!text.includes('\\') && !text.includes('&')) return text
  return text.replace(ESCAPE_OR_REFERENCE, (whole: string, escaped: string | undefined) => {
    if (escaped !== undefined) return escaped
    return referenceAt(whole, 0)?.text ?? whole
  })
}
