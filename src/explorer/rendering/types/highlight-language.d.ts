/** The grammar of one language, as highlight.js reads it. */
export type Language = (hljs: never) => never
declare const language: Language
export default language
