/** Learned steps equal those of XState, which is the oracle. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMachine } from 'xstate'
import { parse } from 'yaml'
import { channelsOf } from '../../src/core/graph/channels.ts'
import { compile } from '../../src/core/graph/compile.ts'
import { learnSteps } from '../../src/core/graph/learned-steps.ts'
import { type Machine, type MachineEvent, readMachine } from '../../src/core/graph/machine.ts'
import type { Spec } from '../../src/core/graph/spec/spec.ts'
import { anySpec, OUTCOMES } from './any-spec.ts'
import { specOf } from './linted.ts'

function machineOf({ spec }: { spec: Spec }): Machine {
  return readMachine(createMachine(compile(spec, channelsOf(spec.channels))), true)
}

/** Takes the same random walk twice, so that the second one takes learned steps. */
function walk(spec: Spec, events: readonly MachineEvent[]): void {
  const oracle = machineOf({ spec })
  const learned = learnSteps(machineOf({ spec }))
  for (const _ of ['learn', 'apply']) {
    let expected = oracle.start({})
    let step = learned.start({})
    for (const event of events) {
      expect(learned.can(step.snapshot, event)).toBe(oracle.can(expected.snapshot, event))
      expected = oracle.step(expected.snapshot, event)
      step = learned.step(step.snapshot, event)
      expect(step).toEqual(expected)
      expect(learned.active(step.snapshot)).toEqual(oracle.active(expected.snapshot))
    }
  }
}

const events = (
  outcomes: readonly string[],
  regions: readonly string[],
  states: readonly string[],
) =>
  fc.array(
    fc.record(
      {
        type: fc.constantFrom(...outcomes, 'escape', 'unknown'),
        region: fc.constantFrom(...regions),
        writes: fc.dictionary(fc.constantFrom('a', 'b'), fc.integer()),
        rung: fc.constantFrom('alternative', 'rethink', 'review', 'stop'),
        to: fc.constantFrom(...states),
      },
      { requiredKeys: ['type', 'region'] },
    ),
    { maxLength: 40 },
  )

describe('learned steps', () => {
  it('equal those of XState in any graph', () => {
    const outcomes = events(OUTCOMES, [''], ['A', 'B', 'C', 'E'])
    fc.assert(fc.property(anySpec, outcomes, walk), { numRuns: 200 })
  })

  it('equal those of XState in a graph with regions', () => {
    const spec = specOf(parse(readFileSync('graphs/release.yaml', 'utf8')))
    const machine = machineOf({ spec })
    const states = machine.chart.states.map(({ id }) => id)
    const regions = ['', ...new Set(machine.chart.states.map(({ region }) => region))]
    const types = [...new Set(machine.chart.edges.map(({ event }) => event))]
    fc.assert(
      fc.property(events(types, regions, states), steps => walk(spec, steps)),
      { numRuns: 200 },
    )
  })

  it('read the writes of each event', () => {
    const spec = specOf({
      channels: { n: { type: 'integer' } },
      nodes: { A: { use: './a.ts#a', out: 'n', on: { done: 'A' } } },
    })
    const machine = learnSteps(machineOf({ spec }))
    const first = machine.step(machine.start({}).snapshot, done(1))
    expect(machine.step(first.snapshot, done(2)).snapshot.context.n).toBe(2)
    expect(first.snapshot.context.n).toBe(1)
  })
})

function done(n: number): MachineEvent {
  return { type: 'done', region: '', writes: { n } }
}
