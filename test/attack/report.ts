/** The tables of an attack, in Markdown. */
import type { InputsReport } from './inputs/inputs.ts'
import type { KillsReport } from './kills/kills.ts'
import type { StormsReport } from './storms/storms.ts'
import { seenInGraph, seenInTrace } from './loop-paths.ts'
import { LOOPS, seenAt } from './loops.ts'

/** The ways to die, in words. */
export const KILLED: Readonly<Record<string, string>> = {
  service: 'a service, by SIGKILL',
  pair: 'one of two services on one store, by SIGKILL',
  terminated: 'a service, by SIGTERM',
  stopped: 'a service, suspended by SIGSTOP past its lease, continued beside its successor',
  successor: 'the successor of a suspended service, by SIGKILL',
}

export const count = (number: number) => number.toLocaleString('en-US')

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escape).join(' | ')} |\n`
  return [head, head.map(() => '---'), ...rows].map(line).join('')
}

const escape = (cell: string) => cell.replaceAll('|', '\\|')

export function killsText({ kills, interrupted, threads, rows, writes }: KillsReport): string {
  const all = kills.reduce((sum, { times }) => sum + times, 0)
  const units = interrupted.filter(({ times }) => times > 0)
  const list = units.map(({ what, times }) => `${count(times)} × ${what}`).join(', ')
  return [
    table(
      ['killed', 'times'],
      [
        ...kills.map(({ what, times }) => [
          KILLED[what] ?? `\`${what}\`, by SIGKILL`,
          count(times),
        ]),
        ['all', count(all)],
      ],
    ),
    `\nThe kills of services interrupted ${list}.\n`,
    `The stores held ${count(threads)} threads with ${count(rows)} events and ${count(writes)} external writes.\n`,
  ].join('')
}

export function stormsText({ kinds, payments, forks }: StormsReport): string {
  const rows = Object.entries(kinds).toSorted()
  const all = rows.reduce((sum, [, times]) => sum + times, 0)
  const lines = [...rows, ['all', all] as const].map(([kind, times]) => [kind, count(times)])
  return `${table(['graph', 'storms'], lines)}
The storms made ${count(payments)} payments and ${count(forks)} forks.
`
}

export function inputsText({ targets, parsed, growth }: InputsReport): string {
  const rows = Object.entries(targets)
    .sort(([, one], [, other]) => other.parsed - one.parsed)
    .map(([name, { parsed, refused, unparsed, slowest }]) => [
      ...[name, count(parsed), refused > 0 ? count(refused) : '–', count(unparsed)],
      `${Math.ceil(slowest)} ms`,
    ])
  return [
    table(['input', 'validated', 'thrown errors', 'not parsed (not counted)', 'slowest'], rows),
    `\n${count(parsed)} inputs reached the validation. The heap grew by at most ${Math.ceil(growth / 1e6)} MB in 50,000 inputs.\n`,
  ].join('')
}

/** The table of loops is the same in every run. */
export async function loopsText(): Promise<string> {
  const rows = LOOPS.map(async shape => [
    shape.healthy ? `healthy: ${shape.name}` : shape.name,
    seenText(seenAt(shape)),
    seenText(seenInTrace(shape)),
    seenText(await seenInGraph(shape)),
  ])
  return table(['shape', 'wrapped agent', 'recorded trace', 'graph agent'], await Promise.all(rows))
}

type Seen = { readonly lap: number; readonly detector: string } | 'never' | 'other' | undefined

function seenText(seen: Seen): string {
  if (seen === 'other') return '–'
  return seen === undefined || seen === 'never' ? 'never' : `${seen.lap}, \`${seen.detector}\``
}
