/** What chooses how something is shown. */
export function Choice({
  name,
  value,
  values,
  onChange,
}: {
  readonly name: string
  readonly value: string | undefined
  readonly values: readonly string[]
  readonly onChange: (value: string) => void
}) {
  return (
    <label>
      <span>{name}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {values.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  )
}

export function Check({
  name,
  checked,
  onChange,
}: {
  readonly name: string
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
}) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>{name}</span>
    </label>
  )
}
