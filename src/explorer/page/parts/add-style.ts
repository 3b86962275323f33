/** Styles of a part that is loaded later: a constructed style sheet, which the page's policy allows. */
const known = new Set<string>()

/** Once for the page; asked again, it does nothing. */
export function addStyle(css: string): void {
  if (known.has(css)) return
  known.add(css)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}
