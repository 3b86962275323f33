// Which libraries are inside the bundle, and under which licences? Their texts travel with the
// package, and so does a bill of materials (CycloneDX) for whoever scans it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))

/** Every library in the output of rolldown, by name: `{ name, version, license, text, within }`. */
export function librariesIn(outputs) {
  const files = outputs.flat().flatMap((chunk) => chunk.moduleIds ?? [])
  const folders = new Set()
  for (const file of files) {
    const folder = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(file)?.[1]
    if (folder) folders.add(folder)
  }
  const installed = [...folders].map(installedLibrary)
  const shipped = files.flatMap((file) => shippedWithin(file, installed))
  const all = new Map(
    [...installed, ...shipped].map((each) => [`${each.name}@${each.version}`, each]),
  )
  return [...all.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

export function noticesOf(libraries) {
  const notices = libraries.map(({ name, version, license, text, within }) => {
    const way = within ? `\nInside ${within} as published.\n` : ''
    return `## ${name} ${version} (${license})\n${way}\n${text}\n`
  })
  return `# Libraries in this build\n\n${notices.join('\n')}`
}

/** No time and no serial number: the same sources give the same file. */
export function billOfMaterials(manifest, libraries) {
  const purl = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`
  const component = (type, { name, version, license }) => ({
    type,
    'bom-ref': purl(name, version),
    name,
    version,
    licenses: [{ license: { id: license } }],
    purl: purl(name, version),
  })
  const main = component('application', manifest)
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: main },
    components: libraries.map((library) => component('library', library)),
    dependencies: [
      { ref: main['bom-ref'], dependsOn: refsOf(libraries, undefined) },
      ...libraries.map(({ name, version }) => ({
        ref: purl(name, version),
        dependsOn: refsOf(libraries, name),
      })),
    ],
  }
  function refsOf(among, within) {
    return among
      .filter((each) => each.within === within)
      .map((each) => purl(each.name, each.version))
  }
}

function installedLibrary(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return { name, version, license, text: licenceText(folder), folder }
}

// A package may hold others prebuilt. Its source maps name the files they were made from, as
// `…/node_modules/.pnpm/ajv@8.18.0/node_modules/ajv/…`.
function shippedWithin(file, installed) {
  const owner = installed.find(({ folder }) => file.startsWith(folder))
  if (!owner || !existsSync(`${file}.map`)) return []
  const { sources } = JSON.parse(readFileSync(`${file}.map`, 'utf8'))
  const found = new Map()
  for (const source of sources) {
    const match = /node_modules\/\.pnpm\/([^/]+)\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)
    if (match) found.set(match[2], /^@?[^@]+@([^_(]+)/.exec(match[1])[1])
  }
  return [...found].map(([name, version]) => ({
    name,
    version,
    within: owner.name,
    ...known(name),
  }))
}

// Its licence is read from a copy of any version among the modules of this repository.
function known(name) {
  const folder = join(ROOT, 'node_modules', name)
  if (!existsSync(folder)) {
    throw new Error(`${name} is inside the bundle: install it, so that its licence can be read`)
  }
  const { license, text } = installedLibrary(folder)
  return { license, text }
}

function licenceText(folder) {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name))
  if (file) return readFileSync(join(folder, file), 'utf8').trim()
  // Some have it as the last words of what they say about themselves.
  const page = readdirSync(folder).find((name) => /^readme/i.test(name))
  const text = page ? readFileSync(join(folder, page), 'utf8') : ''
  const said = /^#+ *licen[cs]e[^\n]*\n([\s\S]+)/im.exec(text)?.[1]?.trim()
  return said || 'No licence text in the package.'
}
