/** Where a script, a fake system or a journal takes the place of a tool, none of its functions that reach an external system runs. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createAgent, defineGraph, node, tool } from '../../src/index.ts'
import type { Graph, Reconciliation } from '../../src/index.ts'
import { type CreateSystem, parseScenario, replayThread, simulate } from '../../src/simulate.ts'
import type { ScenarioInput } from '../../src/simulate.ts'
import { calls, fails, hangs, modelOf, play, returns, says } from '../../src/testing.ts'
import type { ToolScript, TurnInput } from '../../src/testing.ts'

const turns = [calls('pay', { amount: 5 }), says('Paid.')]
const failing = async () => {
  throw Object.assign(new Error('HTTP 500'), { status: 500 })
}

/** A tool that pays. `real` lists its functions that ran. */
function payment() {
  const real: string[] = []
  const runs = async <T>(name: string, result: T) => {
    real.push(name)
    return result
  }
  const pay = tool({
    description: 'Pays.',
    inputSchema: z.object({ amount: z.number() }),
    effects: 'write',
    execute: () => runs('execute', { paid: 0 }),
    reconcile: () => runs<Reconciliation>('reconcile', { answer: 'applied' }),
    compensate: () => runs('compensate', undefined),
  })
  return { real, pay }
}

function desk(script: readonly TurnInput[] = []) {
  const { real, pay } = payment()
  return { real, agent: createAgent({ id: 'desk', model: modelOf(script), tools: { pay } }) }
}

async function played(pay: ToolScript, model: readonly TurnInput[] = turns) {
  const { real, agent } = desk()
  const given = { input: { goal: 'Pay.' }, model, tools: { pay } }
  return { ...(await play(agent, given)), real }
}

const lost: ScenarioInput['faults'] = [
  { id: 'lost', on: 'tool:pay', how: { first: 1 }, what: { lostAck: true } },
]

function simulated(create: CreateSystem, faults = lost) {
  const { real, agent } = desk(turns)
  const scenario = parseScenario({
    ...{ scenario: 1, name: 'desk', graph: './desk.ts', input: { goal: 'Pay.' } },
    faults,
  })
  const subject = { scenario, policy: 'default', graph: agent, system: create }
  return simulate(subject, { seed: 1 }).then(run => ({ ...run, real }))
}

describe('a tool with a script', () => {
  test.each<readonly [string, ToolScript]>([
    ['fails(500)', fails(500)],
    ['hangs()', hangs()],
    ['a function', failing],
    ['execute alone', { execute: fails(500) }],
  ])('does not run the real reconcile, and asks a person: %s', async (_, script) => {
    const { outcome, questions, real } = await played(script)
    expect(real).toEqual([])
    expect(outcome).toBeUndefined()
    expect(questions.map(({ about }) => about)).toEqual(['call'])
  })

  test('may have a reconcile of its own', async () => {
    const result = { paid: 5 }
    const reconcile = ({ amount }: { amount: number }) =>
      ({ answer: 'applied', result: { paid: amount } }) as const
    const { outcome, calls, real } = await played({ execute: fails(500), reconcile })
    expect({ outcome, real, result: calls[0]?.result }).toEqual({
      ...{ outcome: 'success', real: [], result },
    })
  })

  test('whose reconcile says that nothing happened is called again', async () => {
    const reconcile = async () => ({ answer: 'not-applied' }) as const
    const execute = [fails(503), returns({ paid: 5 })]
    const { calls, real } = await played({ execute, reconcile })
    expect(real).toEqual([])
    expect(calls).toMatchObject([{ attempts: 2, result: { paid: 5 } }])
  })

  test.each([
    [{ execute: [], reconsile: () => {} }, "tools.pay: reconsile is unknown; did you mean 'recon"],
    [{ reconcile: () => {} }, 'tools.pay: execute is missing'],
    [{ execute: [], reconcile: { answer: 'applied' } }, 'tools.pay: reconcile: expected a functi'],
  ])('is refused with a wrong field: %j', async (script, message) => {
    await expect(played(script as never)).rejects.toThrow(message)
  })
})

describe('a fake system', () => {
  const paying = (): CreateSystem => {
    return () => {
      let paid = 0
      return { tools: { pay: () => ({ paid: ++paid }) }, facts: () => paid }
    }
  }

  test('answers reconcile from what returned: an applied call is not made again', async () => {
    const { outcome, journal, real } = await simulated(paying())
    expect(real).toEqual([])
    expect(outcome).toBe('success')
    expect(journal.map(({ event }) => event)).toContainEqual(
      expect.objectContaining({
        ...{ type: 'call.reconciled', answer: 'applied', result: { paid: 1 } },
      }),
    )
  })

  test('answers reconcile from what threw: the call had no effect', async () => {
    const create: CreateSystem = () => {
      let times = 0
      return { tools: { pay: () => (++times > 1 ? { paid: 1 } : failing()) } }
    }
    const { outcome, journal, real } = await simulated(create, [])
    expect({ outcome, real }).toEqual({ outcome: 'success', real: [] })
    expect(journal.map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ type: 'call.reconciled', answer: 'not-applied' }),
    )
  })

  test('may have a reconcile of its own', async () => {
    const reconcile = () => ({ answer: 'unknown' }) as const
    const create = () => ({ tools: { pay: { execute: () => ({ paid: 1 }), reconcile } } })
    const { journal, real } = await simulated(create)
    expect(real).toEqual([])
    expect(journal.map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ type: 'call.reconciled', answer: 'unknown' }),
    )
  })

  test('is refused with a wrong field', async () => {
    const create = () => ({ tools: { pay: { execute: () => 1, undo: () => 1 } } })
    await expect(simulated(create)).rejects.toThrow('tools.pay: undo is unknown; expected one of')
  })
})

describe('a rollback', () => {
  /** Pays, and repeats a read until the write is undone. */
  function looping() {
    const { real, pay } = payment()
    const look = tool({
      ...{ description: 'Looks.', inputSchema: z.object({}), effects: 'read' },
      execute: () => 'the same',
    })
    const graph = defineGraph({
      ...{ id: 'shop', start: 'begin', progress: 'n' },
      channels: { n: { type: 'integer', default: 0 } },
      nodes: {
        begin: { use: node(async () => ({ n: 1 })), out: ['n'], on: { done: 'act' } },
        act: { use: 'tool', tool: 'pay', args: { amount: 5 }, on: { done: 'loop' } },
        loop: { use: 'tool', tool: 'look', on: { done: 'loop' } },
      },
      tools: { pay, look },
    } as never)
    return { real, graph: graph as Graph }
  }
  const undone = expect.objectContaining({ type: 'tool.done', compensates: 'act#1/1' })

  test('of a scripted call undoes nothing in the external system', async () => {
    const { real, graph } = looping()
    const run = await play(graph, { input: {}, tools: { pay: returns({ paid: 5 }) } })
    expect(real).toEqual([])
    expect(run.events.map(({ event }) => event)).toContainEqual(undone)
  })

  test('undoes a call in the fake system, and is answered by the journal of a replay', async () => {
    let paid = 0
    const { real, graph } = looping()
    const scenario = parseScenario({ scenario: 1, name: 'shop', graph: './shop.ts' })
    const pay = {
      execute: () => ({ paid: ++paid }),
      compensate: (args: { amount: number }) => {
        paid -= args.amount / 5
      },
    }
    const system = () => ({ tools: { pay } })
    const run = await simulate({ scenario, policy: 'default', graph, system }, { seed: 1 })
    expect(real).toEqual([])
    expect(run.journal.map(({ event }) => event)).toContainEqual(undone)
    const after = paid
    const replayed = await replayThread({ graph, rows: run.journal })
    expect({ real, paid }).toEqual({ real: [], paid: after })
    expect(replayed.divergence).toBeUndefined()
    expect(replayed.differsAt).toBeUndefined()
  })
})

test('a journal answers reconcile of a replayed thread', async () => {
  const create = () => ({ tools: { pay: () => ({ paid: 1 }) } })
  const { journal } = await simulated(create)
  const { real, agent } = desk()
  const run = await replayThread({ graph: agent, rows: journal })
  expect({ real, outcome: run.outcome }).toEqual({ real: [], outcome: 'success' })
  expect(run.divergence).toBeUndefined()
  expect(run.differsAt).toBeUndefined()
})
