/** The table of the hosts in `docs/performance.md`, and its plot. */
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Figure, figure } from '../figure.ts'
import { type HostResults, LENGTHS, type Line } from './measure-hosts.ts'
import { plotOf } from './plot.ts'

const PLOT = resolve(import.meta.dirname, '../../../docs/performance-hosts.svg')

const WORTH = 'LangGraph, PostgresSaver'

export function hostFigures({ lines, host }: HostResults): readonly Figure[] {
  const lineOf = (name: string): Line => {
    const line = lines.find(each => each.name === name)
    if (!line) throw new Error(`${name} was not measured`)
    return line
  }
  const stepOf = (name: string, steps: number) => lineOf(name).step.get(steps) ?? Number.NaN
  const ours = stepOf('escapement, Postgres', 400)
  const resumeOf = (name: string) => {
    const { steps, resume } = lineOf(name).longest
    if (steps !== 10_000) throw new Error(`${name} was measured up to ${steps} steps only`)
    return resume ?? Number.NaN
  }
  return [
    figure({
      name: 'hosts.langgraph.added',
      value: (host.ours / host.bare - 1) * 100,
      unit: '%',
      atMost: 25,
    }),
    figure({
      name: 'hosts.postgres.400',
      value: ours,
      unit: 'µs',
      peer: { name: WORTH, value: stepOf(WORTH, 400) },
      timesBetter: 4,
    }),
    figure({
      name: 'hosts.postgres.growth',
      value: stepOf('escapement, Postgres', 10_000) / ours,
      unit: 'times',
      atMost: 1.1,
    }),
    figure({
      name: 'hosts.sqlite.resume.10000',
      value: resumeOf('escapement, SQLite'),
      unit: 'ms',
      atMost: 50,
    }),
    figure({
      name: 'hosts.postgres.resume.10000',
      value: resumeOf('escapement, Postgres'),
      unit: 'ms',
      atMost: 100,
    }),
  ]
}

/** Two tables: steps and bytes of each runtime, and threads a second of the workers. */
export function hostsText({ lines, host, workers }: HostResults): string {
  const head = [
    `| runtime | survives | ${LENGTHS.map(count => `${text(count)} steps`).join(' | ')} | longest run | bytes a step | read again |`,
    `|---|---|${'---|'.repeat(LENGTHS.length + 3)}`,
  ]
  const rows = lines.map(({ name, survives, step, longest }) => {
    const cells = LENGTHS.map(count => (step.has(count) ? `${text(step.get(count))} µs` : ''))
    const { steps, bytes, resume } = longest
    const size = bytes === undefined ? '' : text(bytes / steps)
    const again = resume === undefined ? '' : `${text(resume)} ms`
    return `| ${name} | ${survives} | ${cells.join(' | ')} | ${text(steps)} | ${size} | ${again} |`
  })
  const rates = workers.map(({ name, one, two }) => `| ${name} | ${text(one)} | ${text(two)} |`)
  return [
    ...['![The time of a step over the number of steps](performance-hosts.svg)', ''],
    ...[...head, ...rows, ''],
    `At 200 µs of work in each node, a step takes ${text(host.bare)} µs in LangGraph and ${text(host.ours)} µs in LangGraph with escapement.`,
    ...['', '| threads a second | one worker | two workers |', '|---|---|---|', ...rates, ''],
  ].join('\n')
}

export function writePlot({ lines }: HostResults): void {
  writeFileSync(PLOT, plotOf(lines))
}

const text = (value = Number.NaN): string =>
  value.toLocaleString('en', { maximumSignificantDigits: 3 })
