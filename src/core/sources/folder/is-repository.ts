/** Whether a folder is that of a program rather than of notes: then its settings are knowledge too. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** What the tools of each language look for at the top of a project. */
const MANIFESTS = [
  'package.json',
  'pyproject.toml',
  'setup.py',
  'setup.cfg',
  'go.mod',
  'Cargo.toml',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'CMakeLists.txt',
  'Makefile',
  'Gemfile',
  'composer.json',
  '.metadata/subsystems.json',
  'docs/subsystems.json',
] as const

/** Notes are kept in git as well, so that alone says nothing. */
export function isRepository(root: string): boolean {
  return MANIFESTS.some((name) => existsSync(join(root, name)))
}
