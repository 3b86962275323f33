/** Where a page begins, as URL-safe base64. What cannot be read means the beginning. */

export function makeCursor(offset: number | undefined): string | null {
  return offset === undefined ? null : Buffer.from(String(offset)).toString('base64url')
}

export function parseCursor(cursor: string | null | undefined): number {
  const text = Buffer.from(cursor ?? '', 'base64url').toString('utf8')
  return /^\d{1,9}$/.test(text) ? Number(text) : 0
}
