/** Where the package's own files are: its assets, its built pages and its manifest. */
const ABOVE = import.meta.url.endsWith('.ts') ? '../../../' : '../../'

export const PACKAGE_FOLDER = new URL(ABOVE, import.meta.url)
