/** A line of a process that may have been killed in the middle of it: then it was not received. */
export function parseWhole(line: string): any {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
