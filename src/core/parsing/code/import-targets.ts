/**
 * Which files does a statement bring in? Targets are written as paths: `./x` and `../x` from the
 * file itself, `a/b` from wherever the language looks. What leads out of the repository finds
 * nothing later and is nobody's mistake.
 */
import type { CodeLanguage } from '../../domain/code.ts'

export interface ImportTarget {
  readonly target: string
  /** What is taken from there, where the statement says. */
  readonly names: readonly string[]
}

export function importTargets(language: CodeLanguage, statement: string): ImportTarget[] {
  switch (language) {
    case 'python':
      return pythonTargets(statement)
    case 'typescript':
    case 'tsx':
    case 'javascript':
      return scriptTargets(statement)
    case 'rust':
      return rustTargets(statement)
    case 'java':
      return dotted(/import\s+(?:static\s+)?([\w.]+)/.exec(statement)?.[1])
    case 'php':
      return phpTargets(statement)
    case 'cpp':
      return quotedPath(statement).map(relative)
    case 'ruby':
      return quotedPath(statement).map((each) =>
        statement.startsWith('require_relative') ? relative(each) : each,
      )
    case 'bash':
      return spoken(/^(?:source|\.)\s+["']?([^\s"']+)/.exec(statement)?.[1]).map(relative)
    case 'go':
    case 'proto':
      return quotedPath(statement)
    case 'csharp':
      return []
    default:
      return language satisfies never
  }
}

/** `from ..web import route, serve` looks for `../web`, and for `../web/route`, which may be a file. */
function pythonTargets(statement: string): ImportTarget[] {
  const from = /^from\s+(\.*)([\w.]*)\s+import\s+([^]*)$/.exec(statement)
  if (from) {
    const [, dots = '', module = '', list = ''] = from
    const names = namesIn(list)
    const path = module.replaceAll('.', '/')
    const folder = dots === '' ? '' : dots.length === 1 ? './' : '../'.repeat(dots.length - 1)
    const base = `${folder}${path}`
    const inside = names.map((name) => ({
      target: `${base}${base === '' || base.endsWith('/') ? '' : '/'}${name}`,
      names: [],
    }))
    return path === '' ? inside : [{ target: base, names }, ...inside]
  }
  const modules = statement.replace(/^import\s+/, '').split(',')
  return modules.flatMap((each) => dotted(each.trim().split(/\s+as\s+/)[0]))
}

function scriptTargets(statement: string): ImportTarget[] {
  const target = quotedPath(statement)[0]?.target
  if (target === undefined) return []
  const braces = /\{([^}]*)\}/.exec(statement)?.[1] ?? ''
  const whole = /^import\s+(?:type\s+)?([\p{L}_$][\p{L}\p{N}_$]*)/u.exec(statement)?.[1]
  const names = namesIn(braces)
  return [{ target, names: whole && whole !== 'type' ? [whole, ...names] : names }]
}

/** `use crate::a::b::{C, D}` looks for `a/b`; `mod parser;` for the file `parser` beside it. */
function rustTargets(statement: string): ImportTarget[] {
  const module = /^(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)/.exec(statement)?.[1]
  if (module !== undefined) return [{ target: `./${module}`, names: [] }]
  const use = /^(?:pub(?:\([^)]*\))?\s+)?use\s+([\w:]+)/.exec(statement)?.[1]
  if (use === undefined) return []
  const parts = use.split('::').filter((part) => part !== '')
  const names = namesIn(/\{([^}]*)\}/.exec(statement)?.[1] ?? '')
  const path = parts.map((part) => (part === 'super' ? '..' : part === 'self' ? '.' : part))
  const rest = path[0] === 'crate' ? path.slice(1) : path
  if (rest.length === 0) return []
  const here = rest[0] === '..' || rest[0] === '.'
  const whole = rest.join('/')
  const above = rest.slice(0, -1).join('/')
  // The last part may be a module or something inside one.
  return [
    { target: whole, names },
    ...(above === '' || (here && rest.length < 3)
      ? []
      : [{ target: above, names: rest.slice(-1) }]),
  ]
}

function phpTargets(statement: string): ImportTarget[] {
  if (!statement.startsWith('use')) return quotedPath(statement).map(relative)
  const name = /^use\s+(?:function\s+|const\s+)?([\w\\]+)/.exec(statement)?.[1]
  return name === undefined ? [] : [{ target: name.replaceAll('\\', '/'), names: [] }]
}

function dotted(name: string | undefined): ImportTarget[] {
  return spoken(name?.replace(/\.\*$/, '').replaceAll('.', '/'))
}

function spoken(target: string | undefined): ImportTarget[] {
  return target === undefined || target === '' ? [] : [{ target, names: [] }]
}

function quotedPath(statement: string): ImportTarget[] {
  return spoken(/["'`]([^"'`\n]+)["'`]/.exec(statement)?.[1])
}

function relative({ target, names }: ImportTarget): ImportTarget {
  return {
    target: target.startsWith('.') || target.startsWith('/') ? target : `./${target}`,
    names,
  }
}

const MOST_NAMES = 50

/** `a, b as c, type D` names a, b and D. */
function namesIn(list: string): string[] {
  const names = list
    .replace(/#[^\n]*|[()]/g, ' ')
    .split(',')
    .map((each) =>
      each
        .trim()
        .replace(/^type\s+/, '')
        .split(/\s+as\s+/)[0]!
        .trim(),
    )
  return names.filter((name) => /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)).slice(0, MOST_NAMES)
}
