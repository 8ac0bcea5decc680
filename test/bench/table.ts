/** Prints the figures, one line each. */
import type { Figure } from './figure.ts'

const WIDTHS = [34, 24, 14, 9, 28, 0]

export function heading(): string {
  return columns(['figure', 'value', 'peer', 'ratio', 'target', ''])
}

export function line({ name, value, unit, peerValue, ratio, target, met }: Figure): string {
  const verdict = met === null ? '' : met ? 'met' : 'NOT MET'
  return columns([
    name,
    `${text(value)} ${unit}`,
    text(peerValue),
    ratio === null ? '' : `${text(ratio)}×`,
    target ?? '',
    verdict,
  ])
}

function columns(cells: readonly string[]): string {
  return `${cells
    .map((cell, index) => cell.padEnd(WIDTHS[index] ?? 0))
    .join(' ')
    .trimEnd()}\n`
}

function text(value: number | null): string {
  return value === null ? '' : value.toLocaleString('en', { maximumSignificantDigits: 4 })
}
