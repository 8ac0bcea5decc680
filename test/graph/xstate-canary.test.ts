/**
 * What the machine uses of XState beside its documented functions: one actor scope for all steps (`stepperOf` in machine.ts), the
 * active nodes of a snapshot, and the parts of combined guards (draw/config.ts). These tests say first which of them a new XState changes.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AnyMachineSnapshot, type AnyStateMachine, and, createMachine } from 'xstate'
import { initialTransition, matchesState, not, or, stateIn, transition } from 'xstate'
import { type MachineEvent, readMachine } from '../../src/core/graph/machine.ts'
import { incident } from '../../machines/incident.ts'
import { walksOf } from './statechart.ts'

const source = incident as unknown as AnyStateMachine
const machine = readMachine(source)
/** The same states for XState's public functions. */
const twin = (createMachine(machine.config) as AnyStateMachine).provide({
  guards: {
    mine: ({ event }: never, { region }: never) =>
      (event as { region: string }).region === '' ||
      (event as { region: string }).region === region,
    route: ({ event }: never, { rung }: never) => (event as { rung?: string }).rung === rung,
  },
} as never)

type Stepped = readonly [AnyMachineSnapshot, unknown]

describe('XState 5', () => {
  it('steps with one actor scope as `transition` does with a new one: the same snapshots and actions', () => {
    fc.assert(
      fc.property(walksOf(machine.chart), walk => {
        let ours = machine.start({})
        let [theirs, actions] = initialTransition(twin, {}) as unknown as Stepped
        for (const event of [undefined, ...walk]) {
          if (event) {
            ours = machine.step(ours.snapshot, event)
            ;[theirs, actions] = transition(twin, theirs, event as never) as unknown as Stepped
          }
          expect(ours.snapshot.value).toEqual(theirs.value)
          expect(ours.snapshot.status).toBe(theirs.status)
          const edges = (actions as { type: string; params: { id: string } }[]).flatMap(action =>
            action.type === 'edge' ? action.params.id : [],
          )
          expect(ours.edges).toEqual(edges)
        }
      }),
    )
  })

  it('keeps the active nodes of a snapshot in `_nodes`', () => {
    const [snapshot] = initialTransition(twin, {}) as readonly [AnyMachineSnapshot, unknown]
    const ids = snapshot._nodes.map(({ id }) => id)
    expect(ids).toContain('incident.handling.communicate.announce')
    expect(matchesState({ handling: { communicate: 'announce' } }, snapshot.value)).toBe(true)
  })

  it('keeps the parts of a combined guard on its function', () => {
    const parts = (guard: unknown) =>
      guard as { check: unknown; guards: unknown; stateValue: unknown }
    expect(parts(and(['a', 'b'])).guards).toEqual(['a', 'b'])
    expect(parts(not('a')).guards).toEqual(['a'])
    expect(parts(stateIn('#x')).stateValue).toBe('#x')
    const checks = [and([]), or([]), not('a'), and([])].map(guard => parts(guard).check)
    expect(new Set(checks).size).toBe(3)
    expect(checks[0]).toBe(checks[3])
  })
})

/** The functions that the core imports. */
const USED = ['and', 'assign', 'createActor', 'createMachine', 'not', 'or', 'stateIn']

/** Steps the incident with another XState. Returns the first difference, or its error. */
function differenceIn(
  next: Pick<typeof import('xstate'), 'createMachine' | 'initialTransition' | 'transition'>,
  walk: readonly MachineEvent[],
): string | undefined {
  try {
    const other = next.createMachine(machine.config).provide(twin.implementations as never)
    let ours = machine.start({}).snapshot
    let [theirs] = next.initialTransition(other) as readonly [AnyMachineSnapshot, unknown]
    for (const event of walk) {
      ours = machine.step(ours, event).snapshot
      theirs = (next.transition(other, theirs, event as never) as unknown as Stepped)[0]
      const [value, otherValue] = [ours.value, theirs.value].map(each => JSON.stringify(each))
      if (value !== otherValue) return `After ${event.type}: ${otherValue}, not ${value}`
    }
    return undefined
  } catch (error) {
    return String(error)
  }
}

describe('XState 6, in alpha', () => {
  it('is reported, and fails no build', async ({ annotate }) => {
    const name = 'xstate6'
    const next = await import(/* @vite-ignore */ name).catch(() => undefined)
    if (!next) return annotate('XState 6 is not installed')
    const missing = USED.filter(used => !(used in next))
    if (missing.length > 0) return annotate(`XState 6 has no ${missing.join(', ')}`)
    const walks = fc.sample(walksOf(machine.chart), { numRuns: 50, seed: 1 })
    const differences = walks.flatMap(walk => differenceIn(next, walk) ?? [])
    const [first = ''] = differences
    return annotate(
      `XState 6 reaches the same states in ${walks.length - differences.length} of ${walks.length} walks. ${first}`,
    )
  })
})
