/** A style sheet as text; see `parts/add-style.ts`. */
declare module '*.css' {
  const css: string
  export default css
}
