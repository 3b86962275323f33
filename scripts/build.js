// Bundles src/ and the libraries it uses into dist/program/. A few files load in half the time of
// four hundred, for the server and for every process it starts, and nothing else has to be
// installed to run them. Models are optional and stay outside.
import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { minifySync } from 'rolldown/utils'
import { buildPage } from './build-page.js'
import { patternsWhenMet } from './patterns-when-met.js'
import { billOfMaterials, librariesIn, noticesOf } from './third-party.js'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const MANIFEST = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

// What a renamed or deleted source left behind goes first.
rmSync(join(ROOT, 'dist'), { recursive: true, force: true })

// What a thread or a process of its own begins with: each loads its part as the launcher does.
const STARTED = {
  'indexing-worker': 'src/serve/lifecycle/indexing-worker.ts',
  'indexing-process': 'src/serve/lifecycle/indexing-process.ts',
  'inverting-thread': 'src/core/indexing/inverting-thread.ts',
  'learning-thread': 'src/core/indexing/learning-thread.ts',
  'reading-thread': 'src/core/sources/folder/reading-thread.ts',
  'converting-thread': 'src/core/parsing/convert/converting-thread.ts',
}

// It loads the others, which ask it for nothing but itself.
const LOADER = 'src/serve/lifecycle/code-cache.ts'
const besideLoader = {
  name: 'beside-loader',
  resolveId: (id) =>
    id.endsWith('/code-cache.ts') ? { id: './code-cache.js', external: 'absolute' } : undefined,
}

// Short names for what nobody outside a function of a library sees; our own code stays readable.
const shortInLibraries = {
  name: 'short-in-libraries',
  transform: (code, id) =>
    /[\\/]node_modules[\\/].*\.[cm]?js$/.test(id)
      ? minifySync(id, code, {
          compress: false,
          mangle: true,
          codegen: { removeWhitespace: false },
        }).code
      : undefined,
}

const bundle = await rolldown({
  cwd: ROOT,
  plugins: [besideLoader, shortInLibraries],
  input: {
    main: 'src/serve/cli/main.ts',
    'recall-quick': 'src/serve/cli/recall-quick.ts',
    ...Object.fromEntries(Object.entries(STARTED).map(([name, file]) => [`${name}-part`, file])),
  },
  platform: 'node',
  // Its paths are for the type checker.
  tsconfig: false,
  external: Object.keys(MANIFEST.peerDependencies),
})
// `core/kit/package-folder.ts` finds the package's own files two folders above.
const { output } = await bundle.write({
  dir: 'dist/program',
  // Scripts, of which V8 keeps the code that ran; of modules it keeps what runs while they load.
  format: 'cjs',
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
      // What every command reads, every part of the program, and the thread that reads files.
      {
        name: 'common',
        test: /src[\\/](core[\\/](domain|kit)[\\/][^\\/]+|serve[\\/]config[\\/](user-folder|settings|trust|sources|find-base)|vocabularies[\\/](vocabularies|acdc[\\/]start[\\/]acdc-settings)|serve[\\/](access[\\/]open-tokens|lifecycle[\\/](collect-garbage|last-compiler)|cli[\\/](command|terminal|tool-errors))|core[\\/]editing[\\/]diff-lines|core[\\/]sources[\\/]folder[\\/](read-elsewhere|held-folder|paths|reasons))\.ts$/,
        priority: 7,
      },
      // The thread that sorts words needs no parser, store or model.
      {
        name: 'sorting',
        test: /src[\\/]core[\\/](search[\\/]segment[\\/]compiled-builder|indexing[\\/]inverter)\.ts$/,
        priority: 6.5,
      },
      {
        name: 'indexing',
        test: /src[\\/](core[\\/]operations[\\/]view[\\/](kept-links|keep-mentions)|serve[\\/](lifecycle[\\/](keep-current|run-errand)|parts[\\/](models|sources|stores|formats)))\.ts$/,
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

const PROGRAM = join(ROOT, 'dist', 'program')
// A text with one other letter takes two bytes a letter in memory, and is read more slowly.
const inAscii = (code) => {
  const escaped = /(?<!\\)(?:\\\\)*\\[\u007f-\uffff].*/.exec(code)
  if (escaped) throw new Error(`An escape of a letter beyond ASCII would get lost: ${escaped[0]}`)
  return code.replace(
    /[\u007f-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
// What is never given another value is handed over as it is, without a function in between.
const EXPORTED =
  /^Object\.defineProperty\(exports, "([\w$]+)", \{\n\tenumerable: true,\n\tget: function\(\) \{\n\t\treturn ([\w$]+);\n\t\}\n\}\);$/gm
const handedOver = (code) =>
  code.replace(EXPORTED, (asked, name, local) => {
    const at = local.replaceAll('$', '\\$')
    const isFixed = new RegExp(
      `^(?:const|class|(?:async )?function\\*?) ${at}(?![\\w$])`,
      'm',
    ).test(code)
    return isFixed ? `exports.${name} = ${local};` : asked
  })
// YAML is read by whoever meets some first: most questions meet none.
const yamlWhenMet = (code) => {
  const read = /^const require_yaml = (require\("\.\/yaml-[\w-]+\.js"\));\n/m.exec(code)
  const known = /^var (import_dist(?:\$\d+)?) = require_yaml\.require_dist\(\);\n/m.exec(code)
  if (!read || !known) return code
  return code
    .replace(read[0], '')
    .replace(known[0], '')
    .replaceAll(`${known[1]}.`, `${read[1]}.require_dist().`)
}
const WITHOUT_SPACE = { compress: false, mangle: false, codegen: { removeWhitespace: true } }
const digest = createHash('sha256')
for (const { type, fileName, code } of output) {
  if (type !== 'chunk') continue
  // Lines of what was one line when it came help nobody.
  const isDense = fileName.startsWith('pdfjs-')
  const text = isDense
    ? minifySync(fileName, code, WITHOUT_SPACE).code
    : handedOver(yamlWhenMet(patternsWhenMet(code)))
  // Each is a function of what it may ask for, as its loader calls it.
  const part = `(function (exports, require, module, __filename, __dirname) {${text}\n})`
  const written = inAscii(part)
  // Of what is run: V8 tells texts of one length apart by nothing else.
  digest.update(fileName).update(written)
  writeFileSync(join(PROGRAM, fileName), written)
}
const loader = await rolldown({ cwd: ROOT, input: LOADER, platform: 'node', tsconfig: false })
const [{ code: loading }] = (await loader.generate({ format: 'cjs', comments: false })).output
await loader.close()
const build = digest.digest('hex').slice(0, 16)
writeFileSync(join(PROGRAM, 'code-cache.js'), loading.replace('"unbuilt"', `"${build}"`))
for (const name of Object.keys(STARTED)) {
  const part = `require('./code-cache.js').loadProgram(__dirname, '${name}-part.js', '${name}')\n`
  writeFileSync(join(PROGRAM, `${name}.js`), part)
}
writeFileSync(join(PROGRAM, 'package.json'), '{ "type": "commonjs" }\n')

// The libraries inside the bundle ask for their licence to travel with them.
const libraries = librariesIn([output, await buildPage(ROOT)])
const notices = ['words', 'inverting-core'].map((name) =>
  readFileSync(join(ROOT, 'assets', `${name}.NOTICE.md`), 'utf8'),
)
writeFileSync(
  join(ROOT, 'dist', 'THIRD-PARTY.md'),
  `${noticesOf(libraries)}\n${notices.join('\n')}`,
)
const bill = billOfMaterials(MANIFEST, libraries)
writeFileSync(join(ROOT, 'dist', 'sbom.cdx.json'), `${JSON.stringify(bill, undefined, 2)}\n`)
