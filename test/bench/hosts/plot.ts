/** A plot of the cost of a step over the number of steps, both logarithmic, as SVG. */
import type { Line } from './measure-hosts.ts'

const [WIDTH, HEIGHT] = [860, 520]
const AREA = { left: 70, top: 20, right: 560, bottom: 470 }
const COLORS = [
  '#2563eb',
  '#db2777',
  '#059669',
  '#d97706',
  '#7c3aed',
  '#0891b2',
  '#65a30d',
  '#dc2626',
]

/** The range of an axis in powers of ten. */
type Range = readonly [number, number]
const STEPS: Range = [1, 4]

export function plotOf(lines: readonly Line[]): string {
  const values = lines.flatMap(({ step }) => [...step.values()])
  const times: Range = [
    Math.floor(Math.log10(Math.min(...values))),
    Math.ceil(Math.log10(Math.max(...values))),
  ]
  const x = scale(STEPS, [AREA.left, AREA.right])
  const y = scale(times, [AREA.bottom, AREA.top])
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12" role="img">`,
    '<title>The time of a step over the number of steps</title>',
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    ...grid(STEPS, at => [x(at), AREA.top, x(at), AREA.bottom]),
    ...grid(times, at => [AREA.left, y(at), AREA.right, y(at)]),
    ...powers(STEPS).map(at => label([x(at), AREA.bottom + 18], at.toLocaleString('en'), 'middle')),
    ...powers(times).map(at => label([AREA.left - 8, y(at) + 4], timeText(at), 'end')),
    label([(AREA.left + AREA.right) / 2, HEIGHT - 12], 'steps of a run', 'middle'),
    ...lines.flatMap((line, nth) => curve(line, nth, { x, y })),
    '</svg>',
    '',
  ].join('\n')
}

type Scale = (value: number) => number

const scale =
  ([low, high]: Range, [from, to]: readonly [number, number]): Scale =>
  value =>
    round(from + ((Math.log10(value) - low) / (high - low)) * (to - from))

function curve(line: Line, nth: number, { x, y }: Readonly<Record<'x' | 'y', Scale>>): string[] {
  const color = COLORS[nth % COLORS.length] ?? ''
  // Dashes tell the second and the third line of a color apart.
  const dash = ['none', '6 3', '2 3'][Math.floor(nth / COLORS.length)] ?? 'none'
  const width = line.name.startsWith('escapement') ? 3 : 1.5
  const points = [...line.step].map(([steps, time]) => `${x(steps)},${y(time)}`).join(' ')
  const look = `stroke="${color}" stroke-width="${width}" stroke-dasharray="${dash}" fill="none"`
  const at = AREA.top + 10 + nth * 22
  return [
    `<polyline points="${points}" ${look}/>`,
    `<line x1="${AREA.right + 20}" y1="${at}" x2="${AREA.right + 50}" y2="${at}" ${look}/>`,
    label([AREA.right + 58, at + 4], line.name, 'start'),
  ]
}

const powers = ([low, high]: Range): number[] =>
  Array.from({ length: high - low + 1 }, (_, nth) => 10 ** (low + nth))

const grid = (range: Range, place: (value: number) => readonly number[]): string[] =>
  powers(range).map(at => {
    const [x1, y1, x2, y2] = place(at)
    return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="#d4d4d8"/>`
  })

const label = ([x, y]: readonly [number, number], text: string, anchor: string): string =>
  `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" fill="#27272a">${text}</text>`

const timeText = (micros: number): string =>
  micros < 1_000 ? `${micros} µs` : `${(micros / 1_000).toLocaleString('en')} ms`

const round = (value: number): number => Math.round(value * 10) / 10
