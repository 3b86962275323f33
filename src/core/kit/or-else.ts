/** What can be had, or something else where it cannot: for questions whose failure is an answer. */
export function orElse<Value, Other>(ask: () => Value, otherwise: Other): Value | Other {
  try {
    return ask()
  } catch {
    return otherwise
  }
}
