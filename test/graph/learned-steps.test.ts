/** Learned steps equal those of XState, which is the oracle. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMachine } from 'xstate'
import { channelsOf } from '../../src/core/graph/channels.ts'
import { compile } from '../../src/core/graph/compile.ts'
import { learnSteps } from '../../src/core/graph/learned-steps.ts'
import { type Machine, type MachineEvent, readMachine } from '../../src/core/graph/machine.ts'
import type { Spec } from '../../src/core/graph/spec/spec.ts'
import { anySpec, OUTCOMES } from './any-spec.ts'
import { specOf } from './linted.ts'

function machineOf({ spec }: { spec: Spec }): Machine {
  return readMachine(createMachine(compile(spec, channelsOf(spec.channels))), { checked: true })
}

const learnedOf = (spec: Spec): Machine =>
  learnSteps(machineOf({ spec }), channelsOf(spec.channels).initial)

/** Takes the same random walk twice, so that the second one takes learned steps. */
function walk(spec: Spec, events: readonly MachineEvent[]): void {
  const oracle = machineOf({ spec })
  const learned = learnedOf(spec)
  for (const _ of ['learn', 'apply']) {
    let expected = oracle.start({})
    let step = learned.start({})
    expect(step).toEqual(expected)
    for (const event of events) {
      expect(learned.can(step.snapshot, event)).toBe(oracle.can(expected.snapshot, event))
      expected = oracle.step(expected.snapshot, event)
      step = learned.step(step.snapshot, event)
      expect(step).toEqual(expected)
      expect(learned.active(step.snapshot)).toEqual(oracle.active(expected.snapshot))
    }
  }
}

function events(
  outcomes: readonly string[],
  regions: readonly string[],
  states: readonly string[],
) {
  const region = fc.constantFrom(...regions)
  const outcome = fc.record({
    type: fc.constantFrom(...outcomes),
    region,
    writes: fc.dictionary(fc.constantFrom('a', 'b'), fc.integer()),
  })
  const escape = fc.record({
    type: fc.constant('escape'),
    region,
    rung: fc.constantFrom('alternative', 'rethink', 'review', 'stop'),
    to: fc.constantFrom(...states),
  })
  const event = fc.oneof({ weight: 9, arbitrary: outcome }, { weight: 1, arbitrary: escape })
  return fc.array<MachineEvent>(event, { minLength: 30, maxLength: 60 })
}

describe('learned steps', () => {
  it('equal those of XState in any graph', () => {
    const outcomes = events(OUTCOMES, [''], ['A', 'B', 'C', 'E'])
    fc.assert(fc.property(anySpec, outcomes, walk), { numRuns: 200 })
  })

  it('equal those of XState in a graph with regions', () => {
    const turns = (one: string, other: string, end: string) => ({
      start: one,
      nodes: {
        [one]: { use: 'pass', on: { done: other } },
        [other]: { use: 'pass', on: { done: one, error: end } },
        [end]: { final: 'success' },
      },
    })
    const regions = { left: turns('B', 'C', 'seen'), right: turns('D', 'F', 'made') }
    const spec = specOf({
      nodes: { A: { regions, on: { done: 'E' } }, E: { final: 'success' } },
    })
    const steps = events(['done', 'error.transient'], ['', 'A.left', 'A.right'], ['B', 'F'])
    fc.assert(
      fc.property(steps, each => walk(spec, each)),
      { numRuns: 200 },
    )
  })

  it('read the writes of each event', () => {
    const spec = specOf({
      channels: { n: { type: 'integer' } },
      nodes: { A: { use: './a.ts#a', out: 'n', on: { done: 'A' } } },
    })
    const machine = learnedOf(spec)
    const first = machine.step(machine.start({}).snapshot, done(1))
    expect(machine.step(first.snapshot, done(2)).snapshot.context.n).toBe(2)
    expect(first.snapshot.context.n).toBe(1)
  })
})

function done(n: number): MachineEvent {
  return { type: 'done', region: '', writes: { n } }
}
