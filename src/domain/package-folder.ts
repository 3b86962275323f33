/** Where the package's own files are: its assets, its built pages and its manifest. */
export const PACKAGE_FOLDER = new URL('../../', import.meta.url)
