/** Views over notes in a file of their own, as Obsidian's Bases writes them. */
export function isBaseFile(path: string): boolean {
  return /\.base$/i.test(path)
}
