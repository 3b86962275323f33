/** Opens an address in the browser of whoever sits at this machine. */
import { spawn } from 'node:child_process'

/** Where that does not work, the address has been printed. */
export function openInBrowser(address: string): void {
  const [command, ...args] = opener(address)
  const child = spawn(command, args, { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}

function opener(address: string): readonly [string, ...string[]] {
  switch (process.platform) {
    case 'darwin':
      return ['open', address]
    case 'win32':
      // The empty text is the title of a window, which would otherwise be the address.
      return ['cmd', '/c', 'start', '', address]
    default:
      return ['xdg-open', address]
  }
}
