/**
 * Which file does a test put to the test, where it need not bring it in? Tests of Go and Java are of
 * the same package as what they test, and those of Ruby find it by a path of the same name.
 */
import type { CodeLanguage } from '../../domain/code.ts'
import { lastSegment } from '../../kit/paths.ts'

/** As an import would write it; it may lead nowhere. */
export function testedFile(language: CodeLanguage, path: string, text: string): string | undefined {
  const stem = lastSegment(path).replace(/\.[^.]*$/, '')
  switch (language) {
    case 'go':
      return stem.endsWith('_test') ? `./${stem.slice(0, -'_test'.length)}.go` : undefined
    case 'java': {
      const name = stem.replace(/(?:Tests?|IT)$/, '').replace(/^Test(?=[A-Z])/, '')
      const folder = /^\s*package\s+([\w.]+)\s*;/m.exec(text)?.[1]
      if (name === stem || name === '' || folder === undefined) return undefined
      return `${folder.replaceAll('.', '/')}/${name}`
    }
    case 'ruby': {
      const below = /(?:^|\/)(?:spec|test)\/(.+)$/.exec(path)?.[1]?.replace(/\.rb$/, '')
      const tested = below?.replace(/_(?:spec|test)$/, '').replace(/(^|\/)test_(?=[^/]*$)/, '$1')
      return tested === below ? undefined : tested
    }
    default:
      return undefined
  }
}
