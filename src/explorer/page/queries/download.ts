/** What is shown as a file of one's own: it is made here and goes nowhere else. */
export function download(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name.replaceAll(/[^\p{L}\p{N}._ -]+/gu, '-').slice(0, 100) || 'notes'
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
