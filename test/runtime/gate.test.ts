/** The gate: one probe at a time, however long it takes, and breakers that outlive a process. */
import { describe, expect, it } from 'vitest'
import { createGate, type Permit, resourceOf } from '../../src/runtime/gate.ts'
import { breakersIn } from '../../src/runtime/circuits.ts'
import type { Row } from '../../src/core/run.ts'
import type { AgentEvent } from '../../src/core/watch/event.ts'
import { drive } from '../../src/runtime/drive.ts'
import { memoryStore } from '../../src/runtime/memory-store.ts'
import { calling, portsOf, START } from './desk.ts'

const terms = (at: number, more = {}) => ({ at, breaker: { threshold: 1, reset: 30_000, probe: 120_000, ...more }, concurrency: 10 })

describe('the probe of a resource', () => {
  const opened = () => {
    const gate = createGate()
    const first = gate.enter('m', terms(0)) as Permit
    first.settle('failure', 0)
    return gate
  }

  it('is the only one for as long as it may take', () => {
    const gate = opened()
    const probe = gate.enter('m', terms(30_000)) as Permit
    expect(probe.kind).toBe('probe')
    expect(gate.enter('m', terms(149_999))).toEqual({ kind: 'refused', why: 'open', retryAt: 150_000 })
    expect(probe.settle('success', 149_999)).toEqual({ change: 'closed' })
    expect(gate.enter('m', terms(150_000)).kind).toBe('pass')
  })

  it('that was lost is followed by another, once it can no longer come back', () => {
    const gate = opened()
    gate.enter('m', terms(30_000))
    expect(gate.enter('m', terms(150_000)).kind).toBe('probe')
  })

  it('may not be given up before the breaker would have let one out', () => {
    const gate = opened()
    gate.enter('m', terms(30_000, { probe: 5 }))
    expect(gate.enter('m', terms(59_999, { probe: 5 })).kind).toBe('refused')
  })
})

describe('the breakers of a thread', () => {
  const call = { effect: 'A#1', region: '', call: 'A#1/1', subject: 'work', key: 'k' }
  const called: AgentEvent = { ...call, type: 'tool.called', args: {}, attempt: 1, effects: 'read', repeatable: true }
  const opened: AgentEvent = { ...call, type: 'circuit.opened', failures: 3, retryAt: 30_005 }
  const rows = (...events: readonly AgentEvent[]) => events.map((event, seq) => ({ seq, event: { ...event, at: 5 } })) as unknown as readonly Row[]

  it('are found again in its journal', () => {
    expect([...breakersIn('g', rows(called, opened))]).toEqual([[resourceOf('g', 'tool', 'work'), { state: 'open', failures: 3, openedAt: 5, retryAt: 30_005 }]])
  })

  it('are forgotten where they have closed since', () => {
    expect(breakersIn('g', rows(called, opened, { ...call, type: 'circuit.halfOpened' }, called, { ...call, type: 'circuit.closed' })).size).toBe(0)
  })

  it('are told apart by graph, and tools from models', () => {
    expect(new Set([resourceOf('g', 'tool', 'a'), resourceOf('h', 'tool', 'a'), resourceOf('g', 'model', 'a')]).size).toBe(3)
  })

  it('are taken over by a fresh gate, and never change what a gate knows itself', async () => {
    const store = memoryStore()
    const dead = calling(async () => Promise.reject(Object.assign(new Error('down'), { status: 503 })))
    const first = portsOf(dead, { store })
    await drive({ ...first, graph: { ...dead, machine: { ...dead.machine, policy: { ...dead.machine.policy, breaker: { threshold: 1, reset: 60_000 } } } } }, 't', {
      ...START,
      leave: AbortSignal.timeout(300),
    }).catch(() => {})
    expect((await store.rows('t')).some(({ event }) => event.type === 'circuit.opened')).toBe(true)
    const next = portsOf(dead, { store })
    await drive(next, 't', { leave: AbortSignal.abort(new Error('only a look')) }).catch(() => {})
    expect([...next.gate.breakers]).toMatchObject([[resourceOf('calling', 'tool', 'work'), { state: 'open' }]])
    next.gate.reset(resourceOf('calling', 'tool', 'work'))
    await drive(next, 't', { leave: AbortSignal.abort(new Error('only a look')) }).catch(() => {})
    expect([...next.gate.breakers]).toMatchObject([[resourceOf('calling', 'tool', 'work'), { state: 'closed' }]])
  })
})
