/** Hand-written statecharts: they load as machines, and `advance` runs them. */
import { describe, expect, test } from 'vitest'
import { agent } from '../machines/agent.ts'
import { incident } from '../machines/incident.ts'
import { advance } from '../src/core/advance.ts'
import type { AgentMachine } from '../src/core/graph/agent-machine.ts'
import { machineOf } from '../src/core/graph/agent-machine.ts'
import { type Run, initialRun } from '../src/core/run/run.ts'
import type { AgentEvent, Stamped } from '../src/core/watch/event/event.ts'
import { classify } from '../src/core/watch/failure/failure.ts'
import type { Json } from '../src/core/watch/data/json.ts'
import { POLICY, type Policy } from '../src/core/watch/policy/policy.ts'

/** A thread that receives one event per second. */
function threadOf(machine: AgentMachine, input: Json, policy: Policy = POLICY) {
  const start = {
    type: 'thread.started' as const,
    input,
    seed: 1,
    specHash: machine.hash,
    policy,
    versions: {},
    at: 0,
  }
  let run: Run = advance(machine, initialRun(start), start)
  const send = (event: AgentEvent): Run => {
    run = advance(machine, run, { ...event, at: run.at + 1_000 } as Stamped)
    return run
  }
  const effectOf = (node: string) =>
    run.pending.find(effect => effect.node === node) ?? { id: `${node} is not pending`, region: '' }
  return {
    run: () => run,
    pending: () => run.pending.map(({ node }) => node).sort(),
    done(node: string, output: Json = {}, label?: string) {
      const { id, region } = effectOf(node)
      return send({
        type: 'node.done',
        effect: id,
        region,
        output,
        ...(label === undefined ? {} : { label }),
      })
    },
    failed(node: string, status: number) {
      const { id, region } = effectOf(node)
      const facts = { name: 'ServiceError', message: 'no', status }
      return send({
        type: 'node.failed',
        effect: id,
        region,
        failure: { ...facts, ...classify(facts, policy.failures) },
      })
    },
    answered: (node: string, decision: 'approved' | 'rejected' | 'stop') =>
      send({ type: 'resume', effect: effectOf(node).id, decision }),
    cancelled: () => send({ type: 'cancel', reason: 'enough' }),
  }
}

const assistant = (content: string): Json => ({ role: 'assistant', content, calls: [] })

describe('machines/agent.ts', () => {
  const machine = machineOf(agent, { version: '1' })

  test('goes plan → act → observe → check, and back to plan until the goal is reached', () => {
    const thread = threadOf(machine, { goal: 'know' })
    expect(thread.pending()).toEqual(['plan'])
    for (const lap of ['first', 'second']) {
      thread.done('plan', { message: assistant(lap) }, 'command')
      expect(thread.pending()).toEqual(['act'])
      thread.done('act', { messages: [{ role: 'tool', content: lap }] })
      thread.done('observe')
      expect(thread.pending()).toEqual(['check'])
      thread.done('check', {}, lap === 'second' ? 'goal' : undefined)
    }
    expect(thread.run().ended).toMatchObject({ outcome: 'success', reason: 'goal' })
    expect(thread.run().snapshot.context).toMatchObject({
      goal: 'know',
      messages: [
        assistant('first'),
        { role: 'tool', content: 'first' },
        assistant('second'),
        { role: 'tool', content: 'second' },
      ],
    })
  })

  test('keeps the final answer', () => {
    const thread = threadOf(machine, { goal: 'know' })
    thread.done('plan', { message: assistant('I know') }, 'command')
    thread.done('act', { messages: [], completed: { result: '42' } }, 'completed')
    expect(thread.run().snapshot.context.answer).toEqual({ result: '42' })
  })

  test('leaves a loop for another plan', () => {
    const thread = threadOf(machine, { goal: 'know' })
    const lap = () => {
      thread.done('plan', { message: assistant('again') })
      return thread.done('check')
    }
    // The messages grow at every lap; the chart says itself that they do not count.
    const runs = Array.from({ length: 6 }, lap)
    expect(
      runs.map(({ last }) => last.verdict).find(({ kind }) => kind === 'escape'),
    ).toMatchObject({ route: { rung: 'alternative' }, because: [{ detector: 'recurrence' }] })
    expect(thread.pending()).toEqual(['replan'])
  })

  test('takes another plan after a failure without an edge, and finally a review or a stop', () => {
    const asking = {
      ...POLICY,
      escape: {
        ...POLICY.escape,
        budget: { ...POLICY.escape.budget, alternative: { perLoop: 1, total: 1 } },
        review: { deadline: 60_000, otherwise: 'stop' as const },
      },
    }
    const thread = threadOf(machine, { goal: 'know' }, asking)
    thread.failed('plan', 401)
    expect(thread.pending()).toEqual(['replan'])
    thread.failed('replan', 401)
    expect(thread.pending()).toEqual(['review'])
    thread.answered('review', 'approved')
    expect(thread.pending()).toEqual(['replan'])
    expect(threadOf(machine, { goal: 'know' }).cancelled().ended).toMatchObject({
      outcome: 'cancelled',
    })
  })
})

describe('machines/incident.ts', () => {
  const machine = machineOf(incident, { version: '1' })

  test('works in two regions at the same time and ends when both are done', () => {
    const thread = threadOf(machine, { service: 'shop' })
    expect(thread.pending()).toEqual(['announce', 'diagnose'])
    thread.done('diagnose')
    expect(thread.pending()).toEqual(['announce', 'mitigate'])
    thread.done('announce')
    thread.done('inform')
    expect(thread.pending()).toEqual(['mitigate'])
    thread.done('mitigate')
    thread.done('verify', {}, 'healthy')
    expect(thread.pending()).toEqual(['report'])
    thread.done('report')
    expect(thread.run().ended).toMatchObject({
      outcome: 'success',
      reason: 'goal',
      result: { service: 'shop' },
    })
  })

  test('an escape of one region leaves the other where it is', () => {
    const thread = threadOf(machine, { service: 'shop' })
    const { last } = thread.failed('diagnose', 401)
    expect(last.verdict).toMatchObject({
      kind: 'escape',
      route: { rung: 'alternative', region: 'incident.handling.investigate' },
    })
    expect(thread.pending()).toEqual(['announce', 'rollback'])
  })

  test('a loop without progress rolls back to the previous version', () => {
    const thread = threadOf(machine, { service: 'shop' })
    for (let lap = 0; lap < 3 && thread.pending().includes('diagnose'); lap++) {
      thread.done('diagnose')
      thread.failed('mitigate', 401)
    }
    expect(thread.run().last.findings).toMatchObject([
      { detector: 'recurrence', region: 'incident.handling.investigate' },
    ])
    expect(thread.pending()).toEqual(['announce', 'rollback'])
  })

  test('a rollback that fails asks an expert, while the other region goes on', () => {
    const thread = threadOf(machine, { service: 'shop' })
    thread.failed('diagnose', 401)
    thread.failed('rollback', 401)
    expect(thread.pending()).toEqual(['announce', 'expert'])
    thread.done('announce')
    thread.answered('expert', 'approved')
    thread.done('inform')
    expect(thread.pending()).toEqual(['report'])
  })

  test('a cancel ends both regions', () => {
    const run = threadOf(machine, { service: 'shop' }).cancelled()
    expect(run.ended).toMatchObject({ outcome: 'cancelled' })
    expect(run.pending).toEqual([])
  })
})
