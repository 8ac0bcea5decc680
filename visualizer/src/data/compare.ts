/** Two runs side by side: the steps they have in common, and the first one in which they differ. */
import type { Row } from '../../../src/core/run/run.ts'
import { canonical } from '../../../src/core/watch/data/json.ts'
import { eventLine } from './event-line.ts'

/** A step of a run, and what it is compared by. */
export interface ComparedStep {
  readonly seq: number
  readonly type: string
  readonly text: string
  readonly sign: string
}

export interface Comparison {
  /** The number of steps that both runs begin with. */
  readonly common: number
  readonly a: readonly ComparedStep[]
  readonly b: readonly ComparedStep[]
}

export function compareRuns(a: readonly Row[], b: readonly Row[]): Comparison {
  const [stepsOfA, stepsOfB] = [stepsIn(a), stepsIn(b)]
  const least = Math.min(stepsOfA.length, stepsOfB.length)
  let common = 0
  while (common < least && stepsOfA[common]?.sign === stepsOfB[common]?.sign) common++
  return { common, a: stepsOfA, b: stepsOfB }
}

/** Calls, answers, outcomes and escapes. Times, ids and the bookkeeping of drivers are not compared. */
function stepsIn(rows: readonly Row[]): readonly ComparedStep[] {
  return rows.flatMap(row => {
    const content = contentOf(row)
    if (content === undefined) return []
    const { seq, event, edges } = row
    const sign = canonical([event.type, content, edges])
    return [{ seq, type: event.type, text: eventLine(row), sign }]
  })
}

function contentOf({ event, verdict }: Row): unknown {
  switch (event.type) {
    case 'tool.called':
      return [event.subject, event.args]
    case 'tool.done':
      return [event.subject, event.result]
    case 'tool.failed':
    case 'model.failed':
    case 'circuit.refused':
      return [event.subject, event.failure.class, event.failure.message]
    case 'model.done':
      return [event.subject, event.text, event.calls.map(({ tool, args }) => [tool, args])]
    case 'node.done':
      return [event.effect, event.label]
    case 'node.failed':
      return [event.effect, event.failure.class]
    case 'child.done':
      return [event.subject, event.outcome]
    case 'resume':
      return [event.effect, event.decision]
    case 'message':
      return [event.input]
    default:
      return verdict.kind === 'escape' ? [verdict.route] : undefined
  }
}
