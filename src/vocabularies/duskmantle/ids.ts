/** Node ids: `<Label>:<key>`, split at the first colon. */
import { quoted } from '../../core/domain/error.ts'
import { LABELS } from '../../core/operations/repository/repository-graph.ts'
import type { GraphNode, Label } from '../../core/operations/repository/repository-graph.ts'
import { InvalidIdentifier } from './errors.ts'

/** What people write for labels. */
const ALIASES: Readonly<Record<string, Label>> = {
  Code: 'SourceFile',
  Doc: 'DesignDoc',
  Test: 'TestCase',
  Config: 'ConfigFile',
}

export function nodeId({ label, key }: Pick<GraphNode, 'label' | 'key'>): string {
  return `${label}:${key}`
}

export function parseNodeId(text: string): { readonly label: Label; readonly key: string } {
  const colon = text.indexOf(':')
  const written = text.slice(0, Math.max(0, colon)).trim()
  const label = ALIASES[written] ?? LABELS.find((each) => each === written)
  const key = text.slice(colon + 1).trim()
  if (colon < 0 || !label || key === '') {
    throw new InvalidIdentifier(
      `${quoted(text)} is no id of a node.`,
      `Write <Label>:<key>, such as DesignDoc:docs/README.md. Labels are ${LABELS.join(', ')}.`,
    )
  }
  return { label, key }
}
