/** What is a file of a repository: documentation, code, a test, an interface, settings? */
import { codeLanguageOf, isTestPath } from '../../domain/code.ts'
import { extensionOf } from '../../domain/paths.ts'

export const ARTIFACT_TYPES = ['code', 'doc', 'test', 'proto', 'config', 'other'] as const
export type ArtifactType = (typeof ARTIFACT_TYPES)[number]

const DOCUMENTS = new Set(['md', 'markdown', 'mdx', 'rst', 'txt'])
const SETTINGS = new Set(['yaml', 'yml', 'json', 'toml', 'ini', 'cfg'])

/** The folder says it first; a test beside the code it tests says so by its name. */
export function artifactType(path: string): ArtifactType {
  const [top] = path.split('/')
  if (path.startsWith('docs/')) return 'doc'
  if (path.startsWith('tests/')) return 'test'
  if (top === '.codacy') return 'config'
  if (codeLanguageOf(path) && isTestPath(path)) return 'test'
  if (path.startsWith('src/') && codeLanguageOf(path)) {
    return path.split('/').includes('_generated') ? 'proto' : byName(path)
  }
  return byName(path)
}

function byName(path: string): ArtifactType {
  const extension = extensionOf(path)
  if (extension === 'proto') return 'proto'
  if (DOCUMENTS.has(extension)) return 'doc'
  if (codeLanguageOf(path) || extension === 'sql') return 'code'
  return SETTINGS.has(extension) ? 'config' : 'other'
}
