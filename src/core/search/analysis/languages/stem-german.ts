/** Light German stemming, after Jacques Savoy's UniNE stemmer: inflection only, no derivation. */

/** Letters after which a final s (or st) is an ending. */
const BEFORE_S = 'bdfghklmnt'

/** `word` is folded, so umlauts are already plain vowels. */
export function stemGerman(word: string): string {
  return dropComparative(dropCase(unifyUmlauts(word)))
}

/** `Haeuser` is `Häuser` on a keyboard without umlauts, which folding turned into `hauser`. */
function unifyUmlauts(word: string): string {
  return word.replace(/ae|oe|(?<![aeiouq])ue/g, (pair) => pair.charAt(0))
}

function dropCase(w: string): string {
  if (w.length > 5 && w.endsWith('ern')) return w.slice(0, -3)
  if (w.length > 4 && /e[mnrs]$/.test(w)) return w.slice(0, -2)
  if (w.length > 3 && w.endsWith('e')) return w.slice(0, -1)
  if (w.length > 3 && w.endsWith('s') && BEFORE_S.includes(w.charAt(w.length - 2))) {
    return w.slice(0, -1)
  }
  return w
}

function dropComparative(w: string): string {
  if (w.length > 5 && w.endsWith('est')) return w.slice(0, -3)
  if (w.length > 4 && /e[nr]$/.test(w)) return w.slice(0, -2)
  if (w.length > 4 && w.endsWith('st') && BEFORE_S.includes(w.charAt(w.length - 3))) {
    return w.slice(0, -2)
  }
  return w
}
