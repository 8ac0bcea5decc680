/** The grid: every arm runs the same agent, and the published figures are those of the command. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseScenario } from '../src/simulate/scenario/scenario.ts'
import { CELLS } from './grid/cell.ts'
import { ARMS, figuresOf, measureCell } from './grid/measure.ts'
import { rowOf, SEEDS, SUMMARY } from './grid/page.ts'
import { TASKS } from './grid/task.ts'
import { readPart } from './written-part.ts'

const calm = parseScenario({ scenario: 1, name: 'calm', graph: './grid.yaml' })
const armOf = (name: string) => ARMS.find(arm => arm.name === name) as (typeof ARMS)[number]
const cellOf = (signal: string, span: string, topology: string) =>
  CELLS.find(
    cell => cell.signal === signal && cell.span === span && cell.task.topology === topology,
  ) as (typeof CELLS)[number]

describe.each(ARMS)('$name', arm => {
  test.each(TASKS)(
    'without a fault: completes the task $topology, and detects nothing',
    async task => {
      const cell = { signal: 'explicit', span: 'transient', task, scenario: calm } as const
      const { trials } = await measureCell(cell, arm, 4)
      expect(trials.filter(({ claimed, correct }) => !claimed || !correct)).toEqual([])
      expect(trials.filter(({ detected }) => detected)).toEqual([])
    },
  )

  test('with a dead tool: meets the same fault in each run', async () => {
    const { trials } = await measureCell(cellOf('explicit', 'persistent', 'line'), arm, 4)
    expect(trials.every(({ detected }) => detected)).toBe(true)
  })
})

test('all frameworks without the watchdog, and without retries, make the same calls', async () => {
  const cell = cellOf('explicit', 'persistent', 'cycle')
  const names = ['loop by hand', 'LangGraph', 'AI SDK', 'OpenAI Agents', 'escapement, no ladder']
  const runs = await Promise.all(names.map(name => measureCell(cell, armOf(name), 10)))
  const [first, ...others] = runs.map(({ trials }) => trials.map(({ calls }) => calls))
  for (const other of others) expect(other).toEqual(first)
})

describe('docs/grid.md', () => {
  const page = readFileSync('docs/grid.md', 'utf8')
  const sectionOf = (title: string) => page.split(`## ${title}\n`)[1]?.split('\n## ')[0]

  test('has a table of every cell, and says what the figures are about', () => {
    expect(page.match(/^## /gm)).toHaveLength(CELLS.length)
    expect(page.match(/^\| [a-zA-Z]/gm)).toHaveLength(CELLS.length * ARMS.length)
    expect(page).toContain('not comparable with figures of live models')
    expect(readPart(SUMMARY)).toContain('not comparable with figures of live models')
  })

  test.each([
    ['explicit', 'persistent', 'line', 'loop by hand, wrapped'],
    ['implicit', 'transient', 'cycle', 'loop by hand'],
    ['implicit', 'persistent', 'branch', 'escapement, finish gate'],
  ])(
    'has the figures that the command measures: %s, %s, %s, %s',
    async (signal, span, topology, name) => {
      const { trials } = await measureCell(cellOf(signal, span, topology), armOf(name), SEEDS)
      const title = `${signal.charAt(0).toUpperCase()}${signal.slice(1)}, ${span}: ${topology}`
      expect(sectionOf(title)).toContain(rowOf(name, figuresOf(trials)))
    },
  )
})
