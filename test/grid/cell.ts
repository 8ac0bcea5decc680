/** The cells of the grid: which fault, for how long, in which task. */
import { parseScenario, type Scenario } from '../../src/simulate/scenario/scenario.ts'
import { type Task, TASKS } from './task.ts'

export const SIGNALS = ['explicit', 'implicit'] as const
export const SPANS = ['transient', 'persistent'] as const

export interface Cell {
  readonly signal: (typeof SIGNALS)[number]
  readonly span: (typeof SPANS)[number]
  readonly task: Task
  readonly scenario: Scenario
}

/** A transient fault hits the first call, and then each call with this probability. */
const AGAIN = 0.3

/** The other way fails at times, too. */
const OTHER = 0.1

/** An explicit fault is an error. An implicit one is a plausible wrong answer. */
const WHAT = { explicit: { error: 'transient' }, implicit: { wrong: 'plausible' } } as const

export const CELLS: readonly Cell[] = SIGNALS.flatMap(signal =>
  SPANS.flatMap(span =>
    TASKS.map((task): Cell => {
      const how = span === 'persistent' ? 'always' : { any: [{ first: 1 }, { p: AGAIN }] }
      const scenario = parseScenario({
        scenario: 1,
        name: `${signal}-${span}-${task.topology.replace(' ', '-')}`,
        graph: './grid.yaml',
        faults: [
          { id: 'fault', on: `tool:${task.main}`, how, what: WHAT[signal] },
          { id: 'other', on: `tool:${task.backup}`, how: { p: OTHER }, what: WHAT.explicit },
        ],
      } as never)
      return { signal, span, task, scenario }
    }),
  ),
)
