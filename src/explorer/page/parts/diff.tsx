/** A unified diff, coloured, with signs for those who see no colours. */
const MOST_LINES = 1_000

export function Diff({ text, cut = false }: { readonly text: string; readonly cut?: boolean }) {
  if (text.trim() === '') return <p class="hint">No text is different.</p>
  const lines = text.replace(/\n$/, '').split('\n')
  return (
    <pre class="diff" tabIndex={0} role="region" aria-label="Difference">
      {lines.slice(0, MOST_LINES).map((line, index) => (
        <span key={index} class={kindOf(line)}>
          {`${line.slice(0, 2_000)}\n`}
        </span>
      ))}
      {cut && <span class="at">… the rest is not shown</span>}
      {lines.length > MOST_LINES && (
        <span class="at">{`… ${lines.length - MOST_LINES} more lines`}</span>
      )}
    </pre>
  )
}

function kindOf(line: string): string {
  if (line.startsWith('+++') || line.startsWith('---')) return 'file'
  if (line.startsWith('+')) return 'added'
  if (line.startsWith('-')) return 'removed'
  return line.startsWith('@@') ? 'at' : 'same'
}
