// Lazy initialisation of patterns: V8 reads a pattern when its literal is met, and one with classes
// of Unicode asks ICU for each of them. Most of a program's few hundred are never used by a process,
// and all of them were read before its first answer.
import { parseAst } from 'rolldown/parseAst'

/** Those that cost something: classes of Unicode, and letters in either case. */
const IS_DEAR = /[uv]/

export function patternsWhenMet(code) {
  const { body } = parseAst(code)
  const candidates = new Map()
  for (const { type, kind, declarations, start, end } of body) {
    if (type !== 'VariableDeclaration' || kind !== 'const' || declarations.length !== 1) continue
    const [{ id, init }] = declarations
    if (id.type === 'Identifier' && init && isPattern(init)) {
      candidates.set(id.name, {
        id,
        start,
        end,
        text: code.slice(init.start, init.end),
        uses: [],
      })
    }
  }
  const taken = new Set()
  const named = new Set()
  walk(body, (node, parent, key) => {
    if (node.type === 'ObjectPattern') {
      for (const { value } of node.properties)
        if (value?.type === 'Identifier') taken.add(value.name)
    }
    if (node.type !== 'Identifier') return
    named.add(node.name)
    const candidate = candidates.get(node.name)
    if (!candidate || node === candidate.id || isName(node, parent, key)) return
    // Whoever else goes by that name, or gives it another value, keeps it as it is.
    if (isBinding(parent, key)) taken.add(node.name)
    else
      candidate.uses.push({
        node,
        isShort: parent.type === 'Property' && parent.shorthand,
      })
  })
  const changes = []
  for (const [name, { start, end, text, uses }] of candidates) {
    const kept = `${name}$kept`
    if (taken.has(name) || named.has(kept)) continue
    const lazily = `let ${kept};\nfunction ${name}() {\n\treturn ${kept} ??= ${text};\n}`
    changes.push({ start, end, text: lazily })
    for (const { node, isShort } of uses) {
      changes.push({
        start: node.end,
        end: node.end,
        text: isShort ? `: ${name}()` : '()',
      })
    }
  }
  let [written, at] = ['', 0]
  for (const { start, end, text } of changes.toSorted((a, b) => a.start - b.start)) {
    written += code.slice(at, start) + text
    at = end
  }
  return written + code.slice(at)
}

const isPattern = ({ type, regex }) => type === 'Literal' && !!regex && IS_DEAR.test(regex.flags)

function walk(node, visit, parent, key) {
  if (Array.isArray(node)) {
    for (const each of node) walk(each, visit, parent, key)
  } else if (typeof node?.type === 'string') {
    visit(node, parent, key)
    for (const [name, child] of Object.entries(node)) {
      // Of `{ pattern }` key and value are one place in the text.
      const isTwice = node.type === 'Property' && node.shorthand && name === 'key'
      if (typeof child === 'object' && !isTwice) walk(child, visit, node, name)
    }
  }
}

/** `found.pattern` and `{ pattern: … }` name something else. */
function isName(_node, parent, key) {
  if (key === 'property') return parent.type === 'MemberExpression' && !parent.computed
  const isKey = ['Property', 'MethodDefinition', 'PropertyDefinition'].includes(parent.type)
  return key === 'key' && isKey && !parent.computed
}

const BINDS = {
  VariableDeclarator: ['id'],
  FunctionDeclaration: ['id', 'params'],
  FunctionExpression: ['id', 'params'],
  ArrowFunctionExpression: ['params'],
  ClassDeclaration: ['id'],
  ClassExpression: ['id'],
  CatchClause: ['param'],
  AssignmentExpression: ['left'],
  AssignmentPattern: ['left'],
  UpdateExpression: ['argument'],
  RestElement: ['argument'],
  ArrayPattern: ['elements'],
  LabeledStatement: ['label'],
  ForInStatement: ['left'],
  ForOfStatement: ['left'],
}

function isBinding(parent, key) {
  return BINDS[parent.type]?.includes(key) ?? false
}
