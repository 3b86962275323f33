/** Which folders does a `pyproject.toml` say are its packages? Read line by line, as far as needed. */

const SECTION = /^\s*\[{1,2}([^\]]+)\]+\s*(?:#[^]*)?$/
const ENTRY = /^\s*([\w.-]+)\s*=\s*([^]*)$/

/** Paths such as `src/shop`, without a slash at the end; each may be there or not. */
export function packagesNamedIn(pyproject: string): readonly string[] {
  const values = entriesOf(pyproject)
  const folders = new Set<string>()
  const add = (name: string, base: string): void => {
    const path = name.trim().replace(/\.\*$/, '').replaceAll('.', '/').replaceAll('-', '_')
    if (path === '' || path.includes('*')) return
    const below = base.replace(/^\.?\/?/, '').replace(/\/+$/, '')
    folders.add(below === '' ? path : `${below}/${path}`)
  }
  for (const section of ['project', 'tool.poetry']) {
    for (const name of texts(values.get(`${section}.name`))) {
      add(name, 'src')
      add(name, '')
    }
  }
  for (const table of (values.get('tool.poetry.packages') ?? '').matchAll(/\{([^{}]*)\}/g)) {
    const from = /\bfrom\s*=\s*["']([^"']*)["']/.exec(table[1]!)?.[1] ?? ''
    const include = /\binclude\s*=\s*["']([^"']+)["']/.exec(table[1]!)?.[1]
    if (include !== undefined) add(include, from)
  }
  const where = texts(values.get('tool.setuptools.packages.find.where'))
  for (const include of texts(values.get('tool.setuptools.packages.find.include'))) {
    for (const base of where.length > 0 ? where : ['src']) add(include, base)
  }
  for (const name of texts(values.get('tool.setuptools.packages'))) add(name, '')
  return [...folders]
}

/** `section.key` and what stands behind it; a list may go over several lines. */
export function entriesOf(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  let section = ''
  let open: string | undefined
  for (const line of text.split('\n')) {
    if (open !== undefined) {
      values.set(open, `${values.get(open)!}\n${line}`)
      if (CLOSES.test(line)) open = undefined
      continue
    }
    const named = SECTION.exec(line)?.[1]
    if (named !== undefined) section = named.trim()
    const entry = named === undefined ? ENTRY.exec(line) : null
    if (!entry) continue
    const key = `${section}.${entry[1]}`
    const value = entry[2]!
    values.set(key, value)
    if (value.trimStart().startsWith('[') && !CLOSES.test(value)) open = key
  }
  return values
}

const CLOSES = /\]\s*(?:#[^]*)?$/

export function texts(value: string | undefined): string[] {
  return [...(value ?? '').matchAll(/["']([^"']*)["']/g)].map(([, text]) => text!)
}
