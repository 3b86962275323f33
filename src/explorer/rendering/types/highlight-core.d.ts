/** The part of highlight.js that is used here. Its own types bring those of a browser along. */
import type { Language } from './highlight-language.d.ts'

declare const hljs: {
  registerLanguage(name: string, language: Language): void
  getLanguage(name: string): unknown
  highlight(
    code: string,
    options: { readonly language: string; readonly ignoreIllegals?: boolean },
  ): { readonly value: string }
}
export default hljs
