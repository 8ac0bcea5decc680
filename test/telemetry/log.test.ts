/** The log of a service: the level of each line. */
import { expect, test } from 'vitest'
import type { Row, Run } from '../../src/core/run/run.ts'
import { createLog, logRows } from '../../src/adapters/telemetry/log.ts'
import { Metrics } from '../../src/adapters/telemetry/metrics.ts'

const itemOf = (row: object) => ({
  row: { seq: 3, findings: [], verdict: { kind: 'continue' }, edges: [], ...row } as unknown as Row,
  run: {} as Run,
})

const END = { event: { type: 'node.done' } }

test.each([
  ['error', 'error', 'no-model'],
  ['info', 'success', 'goal'],
  ['info', 'stopped', 'loop'],
])('logs at level %s the end of a thread with the outcome %s', (level, outcome, reason) => {
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  const log = createLog({ level: 'info', write, redact: value => value })
  const items = [itemOf({ ...END, ended: { outcome, reason } })]
  logRows(log, { kind: 'rows', thread: 't', graph: 'shop', items })
  expect(lines.map(line => JSON.parse(line))).toEqual([
    expect.objectContaining({ level, msg: 'ended', thread: 't', seq: 3, outcome, reason }),
  ])
})

test.each([
  [false, /^escapement_usd_total\{.*\} 2$/m],
  [true, /^(?!.*escapement_usd_total\{)/s],
])(
  'an answer that a fork takes from its parent (%s) costs nothing again',
  async (recorded, shown) => {
    const metrics = new Metrics()
    const usage = { input: 9, output: 1, cached: 0, usd: 2 }
    const event = { type: 'model.done', subject: 'm', call: 'a#1/1', effect: 'a#1', usage }
    const items = [itemOf({ event: { ...event, ...(recorded && { recorded }) } })]
    metrics.observe({ kind: 'rows', thread: 't', graph: 'shop', items })
    expect(await metrics.registry.metrics()).toMatch(shown)
  },
)
