/**
 * Draws the figures of a run as one SVG: panels of grouped bars on a logarithmic scale, readable on
 * a light and on a dark page.
 */
import type { Panel } from './harness.ts'

const WIDTH = 860
const LEFT = 58
const RIGHT = 12
const PLOT_HEIGHT = 200
const PANEL_HEIGHT = PLOT_HEIGHT + 78
const TOP = 46

/** Told apart in both modes, and by people who do not tell red from green. */
const COLOURS: Readonly<Record<string, string>> = {
  Cairn: '#2f81f7',
  FTS5: '#d29922',
  MiniSearch: '#a371b7',
  Orama: '#6e7781',
}

const STYLE = `
    text { font: 12px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: #1f2328; }
    .title { font-size: 14px; font-weight: 600; }
    .value { font-size: 10px; }
    .faint { fill: #59636e; }
    .grid { stroke: #d1d9e0; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3; }
      .faint { fill: #9198a1; }
      .grid { stroke: #3d444d; }
    }`

export function renderChart(title: string, panels: readonly Panel[]): string {
  const height = TOP + panels.length * PANEL_HEIGHT
  const names = [...new Set(panels.flatMap(({ series }) => series))]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escaped(title)}">`,
    `  <title>${escaped(title)}</title>`,
    `  <style>${STYLE}\n  </style>`,
    ...legend(names),
    ...panels.flatMap((panel, i) => drawPanel(panel, TOP + i * PANEL_HEIGHT)),
    '</svg>',
    '',
  ].join('\n')
}

function legend(names: readonly string[]): string[] {
  return names.flatMap((name, i) => {
    const x = LEFT + i * 110
    return [
      `  <rect x="${x}" y="14" width="12" height="12" rx="2" fill="${colourOf(name)}"/>`,
      `  <text x="${x + 18}" y="24">${escaped(name)}</text>`,
    ]
  })
}

function drawPanel({ title, unit, series, groups }: Panel, top: number): string[] {
  const values = groups.flatMap((group) => group.values).filter((value) => value !== null)
  const scale = logScale(values)
  const floor = top + 34 + PLOT_HEIGHT
  const y = (value: number): number => floor - scale.place(value) * PLOT_HEIGHT
  const groupWidth = (WIDTH - LEFT - RIGHT) / groups.length
  const barWidth = Math.min(34, (groupWidth - 14) / series.length)
  return [
    `  <text class="title" x="${LEFT}" y="${top + 16}">${escaped(title)}</text>`,
    `  <text class="faint" x="${WIDTH - RIGHT}" y="${top + 16}" text-anchor="end">${unit}, logarithmic; shorter is better</text>`,
    ...scale.ticks.flatMap((tick) => [
      `  <line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${round(y(tick))}" y2="${round(y(tick))}"/>`,
      `  <text class="faint" x="${LEFT - 6}" y="${round(y(tick) + 4)}" text-anchor="end">${tick}</text>`,
    ]),
    ...groups.flatMap(({ label, values }, g) => {
      const middle = LEFT + (g + 0.5) * groupWidth
      const start = middle - (series.length * barWidth) / 2
      return [
        ...values.flatMap((value, s) =>
          drawBar(value, start + s * barWidth, barWidth, floor, y, colourOf(series[s]!)),
        ),
        `  <text x="${round(middle)}" y="${floor + 18}" text-anchor="middle">${escaped(label)}</text>`,
      ]
    }),
  ]
}

function drawBar(
  value: number | null,
  x: number,
  width: number,
  floor: number,
  y: (value: number) => number,
  colour: string,
): string[] {
  const middle = round(x + width / 2)
  if (value === null) {
    return [
      `  <text class="value faint" x="${middle}" y="${floor - 4}" text-anchor="middle">–</text>`,
    ]
  }
  const top = round(y(value))
  return [
    `  <rect x="${round(x + 1)}" y="${top}" width="${round(width - 2)}" height="${round(floor - top)}" rx="1.5" fill="${colour}"/>`,
    `  <text class="value" x="${middle}" y="${round(top - 4)}" text-anchor="middle">${shortNumber(value)}</text>`,
  ]
}

/** Whole powers of ten around the values; `place` is 0 at the lowest and 1 at the highest. */
export function logScale(values: readonly number[]): {
  readonly ticks: readonly number[]
  place(value: number): number
} {
  const logs = values.filter((value) => value > 0).map(Math.log10)
  const low = Math.floor(Math.min(0, ...logs) - 1e-9)
  const high = Math.max(low + 1, Math.ceil(Math.max(...logs, low + 1) + 0.1))
  return {
    ticks: Array.from({ length: high - low + 1 }, (_, i) => Number(`1e${low + i}`)),
    place: (value) => Math.max(0, (Math.log10(Math.max(value, 10 ** low)) - low) / (high - low)),
  }
}

export function shortNumber(value: number): string {
  const digits = Math.max(0, 1 - Math.floor(Math.log10(value)))
  return value.toFixed(Math.min(value >= 10 ? 0 : digits, 3))
}

function colourOf(name: string): string {
  return COLOURS[name] ?? '#6e7781'
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
