// Bundles src/ and the libraries it uses into dist/program/. A few files load in half the time of
// four hundred, for the server and for every process it starts, and nothing else has to be
// installed to run them. Models are optional and stay outside.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const MANIFEST = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

// What a renamed or deleted source left behind goes first.
rmSync(join(ROOT, 'dist'), { recursive: true, force: true })

const bundle = await rolldown({
  cwd: ROOT,
  input: ['src/cli/main.ts', 'src/app/indexing-worker.ts', 'src/app/indexing-process.ts'],
  platform: 'node',
  external: Object.keys(MANIFEST.peerDependencies),
})
// One folder as deep as those of src/, so that paths to the package's own files hold in both.
const { output } = await bundle.write({ dir: 'dist/program', format: 'esm' })
await bundle.close()
writeFileSync(join(ROOT, 'dist', 'THIRD-PARTY.md'), thirdPartyNotices(output))

// The libraries inside the bundle ask for their licence to travel with them.
function thirdPartyNotices(output) {
  const folders = new Set()
  for (const chunk of output) {
    for (const file of chunk.moduleIds ?? []) {
      const folder = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(file)?.[1]
      if (folder) folders.add(folder)
    }
  }
  const notices = [...folders].toSorted().map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    )
    return `## ${name} ${version} (${license})\n\n${licenceText(folder)}\n`
  })
  return `# Libraries in this build\n\n${notices.join('\n')}`
}

function licenceText(folder) {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name))
  return file ? readFileSync(join(folder, file), 'utf8').trim() : 'No licence text in the package.'
}
