/** The measured parts of `docs/performance.md`. */
import { cpus } from 'node:os'
import type { WrittenPart } from '../written-part.ts'
import type { Figure } from './figure.ts'
import type { Share } from './profile.ts'

const part = (name: string): WrittenPart => {
  return { page: 'performance.md', name, by: 'npm run bench -- --write' }
}

/** The figures that the page has already, with those that were measured again. */
export function mergedFigures(page: string, figures: readonly Figure[]): string {
  const nameIn = (row: string) => /^\| `(.+?)` /.exec(row)?.[1]
  const fresh = new Map(
    figuresText(figures)
      .split('\n')
      .flatMap(row => {
        const name = nameIn(row)
        return name === undefined ? [] : [[name, row] as const]
      }),
  )
  const rows = page.trimEnd().split('\n')
  const kept = rows.map(row => {
    const name = nameIn(row) ?? ''
    const again = fresh.get(name) ?? row
    fresh.delete(name)
    return again
  })
  return [...kept, ...fresh.values(), ''].join('\n')
}

export const PARTS = { figures: part('figures'), profile: part('profile') }

const ENVIRONMENT = () =>
  `Node.js ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown CPU'}.`

export function figuresText(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, value, unit, peer, peerValue, ratio, target, met }) => {
    const beside = peer === null ? '' : `${peer}: ${text(peerValue)} ${unit}`
    const factor = ratio === null ? '' : `${text(ratio)}`
    const verdict = met === null ? '' : `${target}: ${met ? 'met' : '**missed**'}`
    return `| \`${name}\` | ${text(value)} ${unit} | ${beside} | ${factor} | ${verdict} |`
  })
  const head = ['| figure | escapement | peer | times faster | target |', '|---|---|---|---|---|']
  return [ENVIRONMENT(), '', ...head, ...rows, ''].join('\n')
}

export function profileText(shares: readonly Share[]): string {
  const rows = shares.map(
    ({ part, time, share }) => `| ${part} | ${time.toFixed(1)} µs | ${Math.round(share * 100)} % |`,
  )
  const whole = shares.reduce((sum, { time }) => sum + time, 0)
  const head = ['| part | time of a step | share |', '|---|---|---|']
  return [...head, ...rows, `| all | ${whole.toFixed(1)} µs | 100 % |`, ''].join('\n')
}

const text = (value: number | null): string =>
  value === null ? '' : value.toLocaleString('en', { maximumSignificantDigits: 3 })
