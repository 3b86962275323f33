/** Where an editor opens a symbol. */
import type { CodeSymbol } from '../../core/domain/code.ts'

export interface EditorPlace {
  readonly path: string
  readonly root: string
  readonly symbol: Pick<CodeSymbol, 'lineStart' | 'lineEnd'>
}

/** Undefined for a template with a placeholder that nobody fills. */
export function editorUri(
  template: string,
  { path, root, symbol }: EditorPlace,
): string | undefined {
  const values: Readonly<Record<string, string>> = {
    path,
    abs_path: `${root}/${path}`,
    line: String(symbol.lineStart),
    line_start: String(symbol.lineStart),
    line_end: String(symbol.lineEnd),
  }
  const unknown = [...template.matchAll(/\{([^{}]*)\}/g)].some(
    ([, name]) => !Object.hasOwn(values, name ?? ''),
  )
  const unbalanced = /[{}]/.test(template.replace(/\{[^{}]*\}/g, ''))
  if (template.trim() === '' || unknown || unbalanced) return undefined
  return template.replace(/\{([^{}]*)\}/g, (_, name: string) => values[name]!)
}
