/**
 * The packages that run models are not installed with Cairn. Where they are, or where
 * ONNX_PACKAGES names a folder that has them in node_modules, a real model runs in the real
 * runtime; everywhere else a stand-in with the runtime's interface takes its place:
 *
 *     npm install --ignore-scripts --prefix /tmp/onnx onnxruntime-node @huggingface/tokenizers
 *     ONNX_PACKAGES=/tmp/onnx npx vitest run src/models/onnx
 */
import { createRequire } from 'node:module'
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { standIn, type StandInOptions } from '../../../../test/support/onnx-stand-in.ts'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { tinyOnnxModel, type TinyModelOptions } from '../../../../test/support/tiny-onnx-model.ts'
import { KnowledgeError } from '../../domain/error.ts'
import { packagesIn } from './load-packages.ts'
import type { ImportPackage } from './load-packages.ts'
import { createOnnxEmbedder, isOnnxEmbedder, openOnnxEmbedder } from './onnx-embedder.ts'

const installed: ImportPackage = (name) => {
  const folder = process.env['ONNX_PACKAGES']
  if (!folder) return import(name)
  const { resolve } = createRequire(join(folder, 'package.json'))
  return import(pathToFileURL(resolve(name)).href)
}

const isInstalled = await installed('onnxruntime-node').then(
  () => true,
  () => false,
)

const document = (title: string, ...texts: string[]) => ({
  title,
  passages: texts.map((text) => ({ text, headingPath: [] })),
})

async function failureOf(work: Promise<unknown>): Promise<KnowledgeError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(KnowledgeError)
  return error as KnowledgeError
}

const modelFolder = (options?: TinyModelOptions, more = {}) =>
  temporaryFolder({ ...tinyOnnxModel(options), ...more })

describe('a model on disk, with a stand-in for the runtime', () => {
  it('gives every passage the mean of its tokens, without the padding', async () => {
    const embedder = await openOnnxEmbedder({ folder: modelFolder() }, standIn())
    expect(embedder.dimensions).toBe(4)
    const [first, second] = await embedder.embedDocuments([
      document('', 'car', 'car tea tea tea'),
      document('', 'doctor'),
    ])
    expect(first!.map((row) => [...row])).toEqual([
      [0, 1, 0, 0],
      [0, 0.25, 0.75, 0],
    ])
    expect([...second![0]!]).toEqual([0, 0, 0, 1])
  })

  it('feeds what the model wants, and takes a finished vector as it is', async () => {
    const fed: NonNullable<StandInOptions['fed']> = []
    const inputNames = ['input_ids', 'attention_mask', 'token_type_ids']
    const find = standIn({ inputNames, outputNames: ['sentence_embedding'], sentence: true, fed })
    const embedder = createOnnxEmbedder({ folder: modelFolder(), dimensions: 4 }, find)
    expect([...(await embedder.embedQuery('tea tea'))]).toEqual([0, 0, 2, 0])
    expect(Object.keys(fed[0]!)).toEqual(inputNames)
    expect([...fed[0]!['attention_mask']!.data]).toEqual([1n, 1n])
  })

  it('lets the first token speak where the folder says so, and cuts what is too long', async () => {
    const fed: NonNullable<StandInOptions['fed']> = []
    const pooling = { '1_Pooling/config.json': '{"pooling_mode_cls_token":true}' }
    const embedder = await openOnnxEmbedder(
      { folder: modelFolder({}, pooling), queryPrefix: 'doctor ' },
      standIn({ fed }),
    )
    expect([...(await embedder.embedQuery('tea '.repeat(100)))]).toEqual([0, 0, 0, 1])
    expect(fed.at(-1)!['input_ids']!.dims).toEqual([1, 16])
  })

  it('is another embedder when the file, the folder or a prefix is another', async () => {
    const folder = modelFolder()
    const { id } = await openOnnxEmbedder({ folder }, standIn())
    expect(createOnnxEmbedder({ folder, dimensions: 4 }).id).toBe(id)
    expect(isOnnxEmbedder(id, { folder })).toBe(true)
    expect(isOnnxEmbedder(id, { folder, queryPrefix: 'q' })).toBe(false)
    expect(isOnnxEmbedder(id, { folder: modelFolder() })).toBe(false)
    expect(isOnnxEmbedder('openai:[]', { folder })).toBe(false)
    utimesSync(join(folder, 'model.onnx'), 1, 1)
    expect(isOnnxEmbedder(id, { folder })).toBe(false)
  })

  it('says what to install', async () => {
    const missing: ImportPackage = (name) =>
      Promise.reject(Object.assign(new Error(name), { code: 'ERR_MODULE_NOT_FOUND' }))
    const { message, hint } = await failureOf(openOnnxEmbedder({ folder: modelFolder() }, missing))
    expect(message).toContain('are not installed')
    expect(hint).toContain('npm install --ignore-scripts onnxruntime-node @huggingface/tokenizers')
  })

  it('finds packages in a folder of their own, beside which nothing is installed or removed', async () => {
    const folder = temporaryFolder({
      'node_modules/cairn-test-runtime/package.json': '{"main":"index.cjs"}',
      'node_modules/cairn-test-runtime/index.cjs': 'module.exports = { runs: true }',
      'node_modules/cairn-test-broken/package.json': '{"main":"index.cjs"}',
      'node_modules/cairn-test-broken/index.cjs': 'throw new Error("no such processor")',
    })
    const find = packagesIn(folder)
    expect(await find('cairn-test-runtime')).toMatchObject({ default: { runs: true } })
    const missing = await failureOf(find('cairn-test-missing'))
    expect(missing.message).toContain('are not installed')
    expect(missing.hint).toBe(
      `Run: npm install --prefix "${folder}" --ignore-scripts onnxruntime-node @huggingface/tokenizers`,
    )
    const broken = await failureOf(find('cairn-test-broken'))
    expect(broken.message).toContain('cannot be loaded')
    expect(broken.message).toContain('no such processor')
  })

  it('looks for the packages again after it did not find them', async () => {
    let there = false
    const find: ImportPackage = (name) =>
      there ? standIn()(name) : Promise.reject(new Error('not yet'))
    const embedder = createOnnxEmbedder({ folder: modelFolder(), dimensions: 4 }, find)
    expect((await failureOf(embedder.embedQuery('tea'))).message).toContain('cannot be loaded')
    there = true
    expect([...(await embedder.embedQuery('tea'))]).toEqual([0, 0, 1, 0])
  })

  it.each([
    [{}, 'no readable model.onnx'],
    [{ 'model.onnx': 'x' }, 'no readable tokenizer.json'],
    [{ 'model.onnx': 'x', 'tokenizer.json': '{' }, 'no readable tokenizer.json'],
  ])('says what the folder lacks: %j', async (files, reason) => {
    const folder = temporaryFolder(files)
    expect((await failureOf(openOnnxEmbedder({ folder }, standIn()))).message).toContain(reason)
  })

  it('refuses a model of another kind, and vectors of another length', async () => {
    const folder = modelFolder()
    const pictures = standIn({ inputNames: ['pixel_values'] })
    expect((await failureOf(openOnnxEmbedder({ folder }, pictures))).message).toContain('input_ids')
    const longer = createOnnxEmbedder({ folder, dimensions: 3 }, standIn())
    expect((await failureOf(longer.embedQuery('tea'))).message).toContain('4 dimensions')
  })
})

describe.runIf(isInstalled)('a model on disk, in the real runtime', () => {
  it('finds the same concept in other words', async () => {
    const embedder = await openOnnxEmbedder({ folder: modelFolder() }, installed)
    expect(embedder.dimensions).toBe(3)
    const [[garage, kitchen] = []] = await embedder.embedDocuments([
      document('', 'Automobile', 'A brew, a brew and another brew'),
    ])
    // [CLS] auto ##mobile [SEP]
    expect([...garage!]).toEqual([0.5, 0, 0])
    expect(kitchen![1]).toBeGreaterThan(0.2)
    expect([...(await embedder.embedQuery('TEA'))][1]).toBeCloseTo(1 / 3)
  })

  it('says what is wrong with a file that is no model', async () => {
    const folder = modelFolder({}, { 'model.onnx': 'not a model' })
    const { message } = await failureOf(openOnnxEmbedder({ folder }, installed))
    expect(message).toContain('cannot be used')
  })
})
