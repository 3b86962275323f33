// Builds the page for people into dist/web/: a script and what it loads later, a style sheet, an icon,
// each named by its content so that browsers may keep it for ever, and compressed here, once for all
// servers. Then once more in one piece, dist/chat.html, for chats.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { rolldown } from 'rolldown'

export async function buildPage(root) {
  const output = await bundled(root, false)
  const out = join(root, 'dist', 'web')
  mkdirSync(out, { recursive: true })

  const source = join(root, 'src', 'explorer', 'page')
  const chatStyle = shortCss(readFileSync(join(source, 'style.css'), 'utf8'))
  const style = chatStyle + shortCss(readFileSync(join(source, 'browse.css'), 'utf8'))
  const [entry, ...later] = output
  const files = {
    script: { name: entry.fileName, text: entry.code },
    style: hashed('app', '.css', style),
    icon: hashed('icon', '.svg', readFileSync(join(source, 'icon.svg'), 'utf8')),
  }
  const [drawing] = await bundled(root, false, true)
  const chunks = later.map(({ fileName: name, code: text }) => ({ name, text }))
  const build = createHash('sha256')
    .update([...Object.values(files), ...chunks].map(({ name }) => name).join())
    .digest('hex')
    .slice(0, 12)
  const page = readFileSync(join(source, 'index.html'), 'utf8')
    .replace('{{build}}', build)
    .replaceAll(/\{\{(script|style|icon)\}\}/g, (_, kind) => `/web/assets/${files[kind].name}`)
  for (const { name, text } of [
    ...Object.values(files),
    ...chunks,
    { name: 'index.html', text: page },
    // Only ever read by the server, which puts it into a document of its own.
    { name: 'frame.js', text: drawing.code },
  ]) {
    writeFileSync(join(out, `${name}.br`), brotliCompressSync(text, BEST))
  }
  const [{ code }] = await bundled(root, true)
  writeFileSync(join(root, 'dist', 'chat.html'), inlined(page, chatStyle, code))
  return output
}

async function bundled(root, inChat, inFrame = false) {
  const entry = inFrame ? 'diagrams/frame.ts' : inChat ? 'chat/main.tsx' : 'main.tsx'
  const bundle = await rolldown({
    cwd: root,
    input: `src/explorer/page/${entry}`,
    platform: 'browser',
    tsconfig: false,
    transform: {
      jsx: { runtime: 'automatic', importSource: 'preact' },
      target: 'es2022',
      define: { CAIRN_IN_CHAT: String(inChat) },
    },
    // Styles that belong to what is loaded later: `parts/add-style.ts` hands them to the document.
    plugins: [{ name: 'short-css', load: (id) => (id.endsWith('.css') ? cssModule(id) : null) }],
    resolve: { mainFields: ['module', 'main'] },
  })
  const { output } = await bundle.generate({
    format: inFrame ? 'iife' : 'esm',
    minify: true,
    ...(inChat
      ? { codeSplitting: false }
      : {
          entryFileNames: 'app-[hash].js',
          chunkFileNames: 'later-[name]-[hash].js',
          // A first visit asks for one script, whatever shares parts of it later.
          codeSplitting: inFrame ? false : { groups: [{ name: 'app', test: /[\\/]main\.tsx$/ }] },
        }),
  })
  await bundle.close()
  return output
}

/** One document that loads nothing, as chats want it. A script goes last: it looks for the page. */
function inlined(page, style, script) {
  if (/<\/style/i.test(style)) throw new Error('the style would end too early')
  const safe = script.replaceAll(/<(?=\/script|!--|script)/gi, '\\x3c')
  return page
    .replaceAll(/ *<link [^>]*>\n/g, '')
    .replace(/ *<script [^]*?<\/script>\n/, () => `<style>${style}</style>\n`)
    .replace('</body>', () => `<script type="module">${safe}</script>\n</body>`)
}

const BEST = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }

function hashed(name, ending, text) {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 10)
  return { name: `${name}-${hash}${ending}`, text }
}

function cssModule(file) {
  const css = shortCss(readFileSync(file, 'utf8'))
  return { code: `export default ${JSON.stringify(css)}`, moduleType: 'js' }
}

function shortCss(css) {
  return (
    css
      .replaceAll(/\/\*[\s\S]*?\*\//g, '')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/ ?([{};,]) ?/g, '$1')
      // No selector has a space behind a colon, and no text of ours a colon.
      .replaceAll(': ', ':')
      .replaceAll(';}', '}')
      .trim()
  )
}
