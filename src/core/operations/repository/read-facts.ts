/** What the text of an artifact says by itself. */
import type { TextFacts } from './model.ts'
import { windowsOf } from './windows.ts'
import type { WindowSettings } from './windows.ts'

const MESSAGE = /\b[A-Z]\w*Message\b/g
const TELEMETRY = /\bTelemetry\w+/g

/** A file that names more is a list made by a machine. */
const MOST_NAMES = 200

export function readFacts(text: string, windows: WindowSettings): TextFacts {
  return {
    length: text.length,
    chunks: windowsOf(text, windows).length,
    lines: text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0),
    messages: namesIn(text, MESSAGE),
    telemetry: namesIn(text, TELEMETRY),
  }
}

function namesIn(text: string, pattern: RegExp): string[] {
  const names = new Set<string>()
  for (const [name] of text.matchAll(pattern)) {
    names.add(name)
    if (names.size === MOST_NAMES) break
  }
  return [...names].toSorted()
}
