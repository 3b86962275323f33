/** Cosine similarity of two vectors; 0 where one has no direction. */
export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let product = 0
  let squares = 0
  let others = 0
  for (let at = 0; at < a.length; at++) {
    const other = b[at] ?? 0
    product += a[at]! * other
    squares += a[at]! * a[at]!
    others += other * other
  }
  const length = Math.sqrt(squares * others)
  return length > 0 ? product / length : 0
}
