/** Counters, histograms and gauges in the text form that Prometheus reads. */

type Labels = Readonly<Record<string, string>>

export function labels(pairs: Labels): string {
  return Object.entries(pairs)
    .map(([name, value]) => `${name}="${value.replaceAll(/[\\"\n]/g, '_')}"`)
    .join(',')
}

const inBraces = (key: string): string => (key === '' ? '' : `{${key}}`)
const headOf = (name: string, help: string, type: string): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`

export function counter(name: string, help: string) {
  const counts = new Map<string, number>()
  return {
    add(by: Labels, count = 1): void {
      const key = labels(by)
      counts.set(key, (counts.get(key) ?? 0) + count)
    },
    text: (): string =>
      headOf(name, help, 'counter') +
      [...counts].map(([key, count]) => `${name}${inBraces(key)} ${count}\n`).join(''),
  }
}

export function histogram(name: string, help: string, bounds: readonly number[]) {
  const series = new Map<string, { count: number; sum: number; readonly buckets: number[] }>()
  const begin = (by: Labels) => {
    const key = labels(by)
    let known = series.get(key)
    if (!known) series.set(key, (known = { count: 0, sum: 0, buckets: bounds.map(() => 0) }))
    return known
  }
  return {
    begin: (by: Labels): void => void begin(by),
    observe(by: Labels, value: number): void {
      if (!Number.isFinite(value)) return
      const known = begin(by)
      known.count++
      known.sum += value
      for (const [index, bound] of bounds.entries()) if (value <= bound) known.buckets[index]!++
    },
    text: (): string =>
      headOf(name, help, 'histogram') +
      [...series]
        .flatMap(([key, { count, sum, buckets }]) => {
          const also = key === '' ? '' : `${key},`
          return [
            ...bounds.map((bound, at) => `${name}_bucket{${also}le="${bound}"} ${buckets[at]}`),
            `${name}_bucket{${also}le="+Inf"} ${count}`,
            `${name}_sum${inBraces(key)} ${sum}`,
            `${name}_count${inBraces(key)} ${count}`,
          ]
        })
        .map((line) => `${line}\n`)
        .join(''),
  }
}

export function gauges(values: Readonly<Record<string, number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `# TYPE ${name} gauge\n${name} ${value}\n`)
    .join('')
}
