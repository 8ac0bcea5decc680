/** Exploration finds a planted defect, and shrinking keeps it. */
import { describe, expect, test } from 'vitest'
import { parseSpec } from '../../src/core/graph/spec/read.ts'
import { bindGraph } from '../../src/kit/bind/bind.ts'
import { runTrial, type Trial } from '../../src/simulate/monte/monte.ts'
import type { Subject } from '../../src/simulate/run/simulate.ts'
import { simulate } from '../../src/simulate/run/simulate.ts'
import { EFFECTS, explore } from '../../src/simulate/search/explore.ts'
import { fingerprintOf } from '../../src/simulate/search/fingerprint.ts'
import { shrink } from '../../src/simulate/search/shrink.ts'
import { modelOf } from '../../src/testing/scripted-model.ts'
import { subjectOf } from './fixture.ts'

/** The way out of `look` reaches the goal without the order. */
function planted(faults: Parameters<typeof subjectOf>[1]['faults'] = []): Subject {
  const flaky = { use: 'flaky', with: { p: 0 }, retry: { attempts: 2 } } as const
  const spec = parseSpec({
    escapement: 1,
    id: 'planted',
    start: 'look',
    nodes: {
      look: { use: 'tool', tool: 'search', args: {}, on: { done: 'buy' } },
      buy: { use: 'tool', tool: 'order', args: {}, on: { done: 'end' } },
      skip: { use: 'pass', on: { done: 'end' } },
      end: { final: 'success' },
    },
    tools: { search: flaky, order: flaky },
    escape: { alternatives: { look: ['skip'] } },
  })
  const graph = bindGraph(spec, { model: () => modelOf([]) })
  return subjectOf(graph, { faults }, () => {
    let orders = 0
    return {
      tools: { order: () => ({ number: ++orders }) },
      correct: () => orders === 1,
      facts: () => ({ orders }),
    }
  })
}

const explored = (faults: number, subject = planted(), effects = EFFECTS) =>
  explore({
    policy: 'default',
    seed: 1,
    faults,
    calls: 4,
    effects,
    run: (trials: readonly Trial[]) =>
      Promise.all(trials.map(trial => runTrial({ default: subject }, trial))),
  })

describe('explore', () => {
  test('covers every tape with at most one fault: calls times effects', async () => {
    const { runs, outcomes, failures } = await explored(1)
    // Two calls of tools with five effects each, and the run without faults.
    expect(runs).toBe(1 + 2 * 5)
    expect(Object.values(outcomes).reduce((sum, count) => sum + count, 0)).toBe(runs)
    // A single lost reply of the order makes a second one.
    expect(failures.flatMap(({ tape }) => tape.map(({ target }) => target))).not.toContain(
      'nothing',
    )
  })

  test('finds the planted way out with a tape of at most two faults', async () => {
    const { failures } = await explored(2)
    const skipped = failures.find(({ tape }) =>
      tape.every(({ target }) => target === 'tool:search'),
    )
    expect(skipped?.fingerprint).toMatch(/^silently wrong/)
    expect(skipped?.tape.length).toBeLessThanOrEqual(2)
  })

  test('tapes with equal journals are continued once', async () => {
    const stale = { stale: 0 }
    const { pruned, runs } = await explored(2, planted(), [stale])
    // Two calls without an earlier answer: the fault does nothing.
    expect({ pruned, runs }).toEqual({ pruned: 2, runs: 3 })
  })
})

describe('shrink', () => {
  const noise = { on: 'tool:*', how: { p: 0.5 }, what: { latency: '2s' } } as const
  const down = {
    id: 'down',
    on: 'tool:search',
    how: { p: 0.9 },
    what: { error: 'transient' },
  } as const

  test('drops the faults and the occurrences that do not matter', async () => {
    const subject = planted([{ id: 'slow', ...noise }, down, { id: 'slower', ...noise }])
    const seeds = Array.from({ length: 20 }, (_, index) => index + 1)
    const runs = await Promise.all(seeds.map(seed => simulate(subject, { seed })))
    const failing = runs.find(
      ({ outcome, tape }) => outcome === 'silently wrong' && tape.length > 3,
    )
    if (!failing) throw new Error('no seed fails')
    const { faults, tape, before, fingerprint } = await shrink(subject, { seed: failing.seed })
    expect(fingerprint).toBe(fingerprintOf(failing))
    expect(before.tape).toBe(failing.tape.length)
    expect(tape.length).toBeLessThanOrEqual(2)
    expect(faults.map(({ id, on }) => [id, on])).toEqual([['down', 'tool:search']])
  })

  test('a failure at every call becomes one process', async () => {
    const always = { ...down, how: 'always' } as const
    const { faults } = await shrink(planted([always, { id: 'slow', ...noise }]), { seed: 1 })
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatchObject({ on: 'tool:search' })
  })

  test('drops many faults that do not matter in few runs, and ends with its signal', async () => {
    const always = { ...down, how: 'always' } as const
    const many = Array.from({ length: 200 }, (_, index) => ({ id: `slow${index}`, ...noise }))
    const subject = planted([...many, always])
    const { runs, faults } = await shrink(subject, { seed: 1 })
    expect(faults).toHaveLength(1)
    expect(runs).toBeLessThan(100)
    const signal = AbortSignal.abort(new Error('stopped'))
    await expect(shrink(subject, { seed: 1, signal })).rejects.toThrow('stopped')
  })
})
