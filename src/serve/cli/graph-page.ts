/** A graph as one HTML file: the page of `assets/graph.html` with the data put in. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { DrawnGraph } from '../../vocabularies/roux/operations/walk-notes.ts'
import { GRAPH_PAGE } from './package-files.ts'

export function graphPage(name: string, { nodes, edges }: DrawnGraph): string {
  const template = readFileSync(GRAPH_PAGE, 'utf8')
  const script = /<script>([\s\S]*?)<\/script>/.exec(template)?.[1] ?? ''
  const data = {
    nodes: nodes.map(({ id, title, tags }) => [id, title, tags]),
    edges: edges.flat(),
  }
  const parts: Readonly<Record<string, string>> = {
    name: escapeHtml(name),
    'script-hash': createHash('sha256').update(script).digest('base64'),
    graph: embeddedJson(data),
  }
  // In one pass, because a folder or a note may be called {{graph}}; by a function, because a dollar
  // sign would mean something in a plain replacement.
  return template.replace(/\{\{([a-z-]+)\}\}/g, (whole, part: string) => parts[part] ?? whole)
}

/** JSON inside a page: no title can end the element it stands in, or begin another. */
function embeddedJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('&', '\\u0026')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!)
}
