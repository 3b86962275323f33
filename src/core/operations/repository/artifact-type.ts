/** What is a file of a repository: documentation, code, a test, an interface, settings? */
import { codeLanguageOf, isTestPath } from '../../domain/code.ts'
import { kindOf } from '../../kit/paths.ts'

export const ARTIFACT_TYPES = ['code', 'doc', 'test', 'proto', 'config', 'other'] as const
export type ArtifactType = (typeof ARTIFACT_TYPES)[number]

const DOCUMENTS =
  /^(?:md|markdown|mdx|rst|txt|adoc|asciidoc|org|tex|readme|changelog|licen[cs]e|notice|authors|contributors|todo)$/
const SETTINGS =
  /^(?:ya?ml|json|toml|ini|cfg|properties|conf|tf|hcl|nix|plist|mod|gradle|cmake|mk|makefile|dockerfile|containerfile|jenkinsfile|vagrantfile|procfile|gemfile|justfile|brewfile|caddyfile|codeowners)$/
/** Programs in languages whose symbols nobody reads here. */
const PROGRAMS =
  /^(?:sql|kts?|swift|scala|groovy|lua|p[lm]|r|jl|dart|exs?|erl|hs|clj|ml|fs|vb|mm?|zig|nim|sol|asm|psm?1|bat|cmd|zsh|fish|awk|bzl|css|scss|sass|less|vue|svelte|astro|graphql|gql|prisma|thrift|rakefile)$/

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
  const kind = kindOf(path).replace('/', '')
  if (kind === 'proto') return 'proto'
  if (DOCUMENTS.test(kind)) return 'doc'
  if (codeLanguageOf(path) || PROGRAMS.test(kind)) return 'code'
  return SETTINGS.test(kind) ? 'config' : 'other'
}
