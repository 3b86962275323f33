/** Text from elsewhere in a Markdown text: it says what it said, and is no markup by accident. */
export function plain(text: string): string {
  if (!MAYBE.test(text)) return text
  return text
    .replaceAll(/<(?=[a-z/!?])/gi, '\\<')
    .replaceAll('[[', '\\[[')
    .replaceAll('%%', '%\\%')
    .replaceAll(/(^|[\s(])#(?=[\p{L}_])/gu, '$1\\#')
    .replaceAll(/^([ \t]*)(#{1,6}(?=\s)|```|~~~|[-=_*]{3,}[ \t]*$|>)/gm, '$1\\$2')
}

/** Nearly all texts have none of these. */
const MAYBE = /[<#%`~>]|\[\[|[-=_*]{3}/

/** The same on one line, for a heading, a cell or a link. */
export function plainLine(text: string): string {
  return plain(text.replaceAll(/\s+/g, ' ').trim())
}
