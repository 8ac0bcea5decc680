/** The progress in the state of a thread: steps of their limit, failed rounds in a row, and the reported completion. */
import { expect, test } from 'vitest'
import { progressOf } from '../src/core/run/progress.ts'
import { eventOf } from '../src/host/thread/thread.ts'
import { journalOf } from './inspector/journals.ts'

const { rows, runs } = await journalOf('agent.yaml', 1)

const progressAt = (at: number) => {
  const run = runs[at]
  if (!run) throw new Error(`event ${at} is missing`)
  return progressOf(run, rows.slice(0, at + 1))
}

const last = rows.length - 1

test('counts the steps of their limit', () => {
  expect(progressAt(0)).toEqual({ steps: 0, stepsMax: 80, failedRounds: 0 })
  expect(progressAt(last).steps).toBe(runs[last]?.watch.account.spent.steps)
  expect(progressAt(last).steps).toBeGreaterThan(10)
})

test('counts consecutive rounds in which all calls failed, up to a success or an escape', () => {
  const counts = rows.map((_, at) => progressAt(at).failedRounds)
  const changes = counts.filter((count, at) => at > 0 && count !== counts[at - 1])
  expect(changes.slice(0, 3)).toEqual([1, 2, 0])
  const escaped = rows.findIndex(({ verdict }) => verdict.kind === 'escape')
  expect(counts[escaped]).toBe(0)
})

test('reports each failed round with its number and its limit, before it is a finding', () => {
  const reported = rows.flatMap((row, at) => {
    const run = runs[at]
    const event = run && eventOf('t', { kind: 'row', row, run })
    return event?.type === 'mistake' ? [[row.event.type, event.count, event.limit]] : []
  })
  expect(reported).toEqual([
    ['tool.failed', 1, 8],
    ['circuit.refused', 2, 8],
  ])
})

test('has the result and the command of the completion, in the round that reported it', () => {
  expect(progressAt(last - 10).completed).toBeUndefined()
  expect(progressAt(last).completed).toEqual({
    result: expect.stringContaining('escapement is a runtime'),
    command: 'npm test',
  })
})
