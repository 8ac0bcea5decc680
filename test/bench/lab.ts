/**
 * `lab.run30`: the CPU time of one simulated run of 30 steps, with faults, the journal and every detector on, in one thread. Beside
 * it, XState's pure `transition()` for 30 steps of an equal cycle: the least that any runtime on XState can take.
 */
import { createMachine, initialTransition, transition } from 'xstate'
import type { Graph, Model } from '../../src/runtime/ports.ts'
import { simulate } from '../../src/simulate/run/simulate.ts'
import { modelOf } from '../../src/testing/scripted-model.ts'
import { shop, subjectOf } from '../simulate/fixture.ts'
import { type Figure, figure } from './figure.ts'
import { median } from './measure.ts'

const STEPS = 30
const RUNS = 100
const ROUNDS = 5

/** It searches for one item after another, and stops after 15 searches. It has no state: a graph is bound once for all runs. */
const model: Model = Object.assign(modelOf([]), {
  ask: async ({ messages }: Parameters<Model['ask']>[0]) => {
    const lap = messages.filter(({ role }) => role === 'assistant').length
    const args = { item: `the clock of room ${lap}` }
    const calls = lap < STEPS / 2 ? [{ id: `call-${lap}`, tool: 'stock', args }] : []
    return { text: calls.length > 0 ? '' : 'All rooms are searched.', calls }
  },
})

const faults = [
  { id: 'storm', on: 'tool:*', how: { p: 0.05 }, what: { error: 'transient' } },
  { id: 'slow', on: 'tool:*', how: { p: 0.1 }, what: { latency: '2s' } },
] as const

const CYCLE = createMachine({
  initial: 'plan',
  states: { plan: { on: { done: 'act' } }, act: { on: { done: 'plan' } } },
})

export async function simulating(): Promise<readonly Figure[]> {
  // As in the workers of the lab: a simulated failure needs no stack.
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  const graph: Graph = { ...shop(), models: { fast: model } }
  const subject = subjectOf(graph, { faults: [...faults] })
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const since = process.cpuUsage()
    for (let seed = 0; seed < RUNS; seed++) await simulate(subject, { seed })
    ours.push(cpuSince(since))
    theirs.push(transitions())
  }
  Error.stackTraceLimit = stackTraceLimit
  const peer = { name: 'XState transition() ×30', value: median(theirs.slice(1)) }
  return [
    figure({ name: `lab.run${STEPS}`, value: median(ours.slice(1)), unit: 'ms', peer, atMost: 2 }),
  ]
}

function transitions(): number {
  const since = process.cpuUsage()
  for (let run = 0; run < RUNS; run++) {
    let [snapshot] = initialTransition(CYCLE)
    for (let step = 0; step < STEPS; step++)
      [snapshot] = transition(CYCLE, snapshot, { type: 'done' })
  }
  return cpuSince(since)
}

/** CPU time of one of the runs, in ms. */
function cpuSince(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1_000 / RUNS
}
