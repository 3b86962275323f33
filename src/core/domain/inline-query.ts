/**
 * Dataview's expression in a line, such as `= this.status` between backticks. Code may begin with a
 * sign of equality, too: only what speaks of its own note, of another one or of a date is a query.
 */
export function inlineQuery(code: string): string | undefined {
  const [, expression = ''] = /^=\s*([^=\s].{0,1000})$/s.exec(code.trim()) ?? []
  return /\bthis\s*[.[]|\[\[|\bdate\(/.test(expression) ? expression : undefined
}
