/** Numbers of releases as they compare: `v1.2.x` is 1 and 2, and says nothing of more. */
export type Version = readonly number[]

/** Undefined for what does not begin with a number. */
export function parseVersion(text: string): Version | undefined {
  const [numbers] = /^\d{1,9}(?:\.\d{1,9}){0,3}/.exec(text.replace(/^v/i, '')) ?? []
  return numbers?.split('.').map(Number)
}

/** As far as both say something, and in so many numbers at most. */
export function compareVersions(a: Version, b: Version, depth = Infinity): number {
  for (let at = 0; at < Math.min(a.length, b.length, depth); at++) {
    if (a[at] !== b[at]) return a[at]! - b[at]!
  }
  return 0
}

/** Whether one names the other or a part of it: 1.2 has 1.2.3. */
export function hasVersion(whole: Version, part: Version): boolean {
  return part.length >= whole.length && compareVersions(whole, part) === 0
}
