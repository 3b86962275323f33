// Bundles src/ and the libraries it uses into dist/program/. A few files load in half the time of
// four hundred, for the server and for every process it starts, and nothing else has to be
// installed to run them. Models are optional and stay outside.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { buildPage } from './build-page.js'
import { billOfMaterials, librariesIn, noticesOf } from './third-party.js'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const MANIFEST = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

// What a renamed or deleted source left behind goes first.
rmSync(join(ROOT, 'dist'), { recursive: true, force: true })

const bundle = await rolldown({
  cwd: ROOT,
  input: [
    'src/serve/cli/main.ts',
    'src/serve/cli/recall-quick.ts',
    'src/serve/lifecycle/indexing-worker.ts',
    'src/serve/lifecycle/indexing-process.ts',
    'src/core/indexing/inverting-thread.ts',
    'src/core/indexing/learning-thread.ts',
    'src/core/parsing/convert/converting-thread.ts',
  ],
  platform: 'node',
  // Its paths are for the type checker.
  tsconfig: false,
  external: Object.keys(MANIFEST.peerDependencies),
})
// `core/kit/package-folder.ts` finds the package's own files two folders above.
const { output } = await bundle.write({
  dir: 'dist/program',
  format: 'esm',
  // Notes for those who read the sources; licences stay.
  comments: { jsdoc: false },
  // Few files, because finding and opening one takes longer than reading a hundred kilobytes more;
  // and for each who waits a file of what others need: a hook, a version, a question from a shell,
  // a server. Each group takes along what its files import, unless a group before it has that.
  codeSplitting: {
    groups: [
      // Libraries that several of those below read.
      { name: 'schemas', test: /node_modules[\\/]zod[\\/]/, priority: 9 },
      { name: 'yaml', test: /node_modules[\\/]yaml[\\/]/, priority: 9 },
      // A hook that a prompt waits for reads these two and nothing else.
      {
        name: 'recall',
        test: /src[\\/](keep[\\/](recall[\\/]recall-door|clients[\\/]hooks)|serve[\\/]cli[\\/]hook-input)\.ts$/,
        priority: 8,
      },
      // What every command reads, and every part of the program.
      {
        name: 'common',
        test: /src[\\/](core[\\/](domain|kit)[\\/][^\\/]+|serve[\\/]config[\\/](user-folder|settings|trust|sources|find-base)|vocabularies[\\/](vocabularies|acdc[\\/]start[\\/]acdc-settings)|serve[\\/](access[\\/]open-tokens|cli[\\/](command|terminal|tool-errors))|core[\\/]editing[\\/]diff-lines)\.ts$/,
        priority: 7,
      },
      {
        name: 'indexing',
        test: /src[\\/](core[\\/]operations[\\/]view[\\/]kept-links|serve[\\/](lifecycle[\\/](keep-current|run-errand)|parts[\\/](models|sources|stores|formats)))\.ts$/,
        priority: 6,
      },
      // Without a server, a hook reads the index itself: without tools, schemas and transports.
      { name: 'reading', test: /src[\\/]keep[\\/]recall[\\/]recall-here\.ts$/, priority: 5 },
      // A question from a shell needs the native tools, and no wire.
      {
        name: 'tools',
        test: /src[\\/]serve[\\/](wiring[\\/](native-tools|open-base)|config[\\/]load-config)\.ts$/,
        priority: 4,
      },
      {
        name: 'server',
        test: /src[\\/]serve[\\/](wiring[\\/]start-server|transports[\\/]stdio[\\/]serve-stdio)\.ts$/,
        priority: 3,
      },
    ],
  },
})
await bundle.close()

// The libraries inside the bundle ask for their licence to travel with them.
const libraries = librariesIn([output, await buildPage(ROOT)])
const words = readFileSync(join(ROOT, 'assets', 'words.NOTICE.md'), 'utf8')
writeFileSync(join(ROOT, 'dist', 'THIRD-PARTY.md'), `${noticesOf(libraries)}\n${words}`)
const bill = billOfMaterials(MANIFEST, libraries)
writeFileSync(join(ROOT, 'dist', 'sbom.cdx.json'), `${JSON.stringify(bill, undefined, 2)}\n`)
