/** A finish gate: what passes, what is sent back, and what is a failure of the gate itself. */
import { describe, expect, test } from 'vitest'
import { lint } from '../../src/core/graph/lint/lint.ts'
import { worstCaseOf } from '../../src/core/graph/worst-case/worst-case.ts'
import { readSpec } from '../../src/core/graph/spec/read.ts'
import { workingNodes } from '../../src/core/graph/spec/spec.ts'
import { rejectionsAfter } from '../../src/core/run/rejections.ts'
import { defined, type Json } from '../../src/core/watch/data/json.ts'
import { bindGraph, CannotBind } from '../../src/kit/bind/bind.ts'
import { nestedOf } from '../../src/kit/bind/nested.ts'
import { verifyNode } from '../../src/kit/nodes/verify.ts'
import { done, Failing, failing } from '../../src/runtime/outcome.ts'
import { setup } from 'xstate'
import { tool } from '../../src/kit/tool.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import { fakeTask, NO } from './fake.ts'

type Change = Readonly<Record<string, unknown>>

const value = (check: Change, spec: Change = {}): unknown => ({
  escapement: 1,
  id: 'gate',
  start: 'offer',
  channels: { goal: {}, price: { default: null } },
  nodes: {
    offer: { use: 'pass', on: { done: 'check' } },
    check: { use: 'verify', in: ['price'], on: EDGES, ...check },
    end: { final: 'success' },
  },
  tools: { tests: { use: 'flaky' } },
  models: { judge: { id: 'judge', context: 1_000, price: { input: 1, output: 1 } } },
  ...spec,
})
const EDGES = { done: 'end', 'done.rejected': 'offer' }

function specOf(check: Change, spec?: Change) {
  const read = readSpec(value(check, spec))
  if (read.faults) throw new Error(JSON.stringify(read.faults))
  return read.spec
}

const faultsOf = (check: Change, spec?: Change) =>
  readSpec(value(check, spec)).faults?.map(({ path, message }) => `${path}: ${message}`)

function gate(check: Change) {
  const spec = specOf(check)
  const node = workingNodes(spec).find(([name]) => name === 'check')?.[1]
  return verifyNode(spec, node as Parameters<typeof verifyNode>[1])
}

const tests = tool({
  name: 'tests',
  description: 'Runs the tests.',
  inputSchema: { type: 'object' },
  effects: 'read',
  execute: async () => true,
})
const PASSED = { passed: true, reasons: [], messages: [] }
const reasonsOf = (ended: unknown) =>
  (ended as { output: { reasons: readonly string[] } }).output.reasons

describe('a rubric', () => {
  const rubric = { priced: 'price > 0', round: 'price % 10 == 0' }

  test('passes if all conditions hold, and else names those that do not', async () => {
    expect(await gate({ rubric })(fakeTask({ input: { price: 40 } }).task)).toEqual(PASSED)
    const rejected = await gate({ rubric })(fakeTask({ input: { price: -7 } }).task)
    expect(rejected).toMatchObject({ label: 'rejected' })
    expect(reasonsOf(rejected)).toEqual([
      'priced: `price > 0` does not hold',
      'round: `price % 10 == 0` does not hold',
    ])
  })

  test('rejects what it cannot check, and what is not true but only a value', async () => {
    const cannot = await gate({ rubric: { named: 'price.name == "x"' } })(
      fakeTask({ input: { price: 1 } }).task,
    )
    expect(reasonsOf(cannot)[0]).toMatch(/^named: `price.name == "x"` cannot be checked: /)
    const number = await gate({ rubric: { truthy: 'price' } })(
      fakeTask({ input: { price: 1 } }).task,
    )
    expect(reasonsOf(number)).toEqual(['truthy: `price` does not hold'])
  })

  test('reads the inputs by the names that the node gives them', () => {
    expect(faultsOf({ rubric: { a: 'cost > 0' }, in: { cost: 'price' } })).toBeUndefined()
    expect(faultsOf({ rubric: { a: 'price > 0' }, in: { cost: 'price' } })?.[0]).toMatch(
      /^nodes\.check\.rubric\.a: CEL: Unknown variable: price/,
    )
  })
})

describe('the bound', () => {
  const check = { rubric: { priced: 'price > 0' }, attempts: 3 }

  test('is a failure with the reason, at the last attempt in a row', async () => {
    const at = (rejections: number) =>
      gate(check)(fakeTask({ input: { price: 0 }, rejections }).task)
    expect(await at(1)).toEqual(done('rejected', expect.objectContaining({ passed: false })))
    const last = (await at(2)) as Failing
    expect(last).toBeInstanceOf(Failing)
    expect(last.failure).toMatchObject({
      class: 'business',
      reason: {
        code: 'not-verified',
        params: { node: 'node', attempts: 3, why: 'priced: `price > 0` does not hold' },
      },
    })
  })

  test('counts rejections of one node in a row', () => {
    const pending = ['check', 'other'].map(node => {
      const invoke = { id: `${node}#1`, type: 'invoke', state: node, node, region: '', starts: 1 }
      return { ...invoke, by: 0 } as never
    })
    const counted = (rejections: Record<string, number>, effect: string, label?: string) =>
      rejectionsAfter({ rejections, pending }, {
        type: 'node.done',
        effect,
        output: null,
        ...defined({ label }),
      } as never)
    expect(counted({}, 'check#1', 'rejected')).toEqual({ check: 1 })
    expect(counted({ check: 1, other: 4 }, 'check#1', 'rejected')).toEqual({ check: 2, other: 4 })
    expect(counted({ check: 2, other: 4 }, 'check#1')).toEqual({ other: 4 })
    expect(counted({ check: 2 }, 'other#1')).toEqual({ check: 2 })
  })

  test('does not keep a result that passes', async () => {
    const passing = fakeTask({ input: { price: 1 }, rejections: 9 }).task
    expect(await gate(check)(passing)).toEqual(PASSED)
  })
})

describe('a tool', () => {
  const judged = (answer: Json, given: Change = {}) => {
    const fake = fakeTask({ input: { price: 3 }, called: () => ({ ok: true, value: answer }) })
    return { ...fake, ended: gate({ tool: 'tests', ...given })(fake.task) }
  }

  test('judges with a boolean, or with passed and reason', async () => {
    expect(await judged(true).ended).toEqual(PASSED)
    expect(await judged({ passed: true, seen: 3 }).ended).toEqual(PASSED)
    expect(reasonsOf(await judged(false).ended)).toEqual(["'tests' does not accept it"])
    expect(reasonsOf(await judged({ passed: false, reason: '2 fail' }).ended)).toEqual(['2 fail'])
  })

  test('receives the arguments of the spec, or the inputs', async () => {
    const own = judged(true)
    await own.ended
    expect(own.calls).toEqual([{ tool: 'tests', args: { price: 3 } }])
    const given = judged(true, { args: { suite: 'all' } })
    await given.ended
    expect(given.calls).toEqual([{ tool: 'tests', args: { suite: 'all' } }])
  })

  test('rejects by a business failure, and fails by every other one', async () => {
    const failed = (failure: typeof NO) =>
      gate({ tool: 'tests' })(fakeTask({ called: () => ({ ok: false, failure }) }).task)
    expect(reasonsOf(await failed({ ...NO, class: 'business' }))).toEqual(['no'])
    expect(await failed(NO)).toEqual(failing(NO))
  })

  test.each([['pass'], [null], [{ passed: 'yes' }]])('never passes with %j', async answer => {
    const ended = (await judged(answer as Json).ended) as Failing
    expect(ended.failure).toMatchObject({ class: 'persistent', reason: { code: 'no-verdict' } })
  })
})

describe('a model', () => {
  const judging = { model: 'judge', prompt: 'It is cheap.' }
  const asked = (calls: readonly { id: string; tool: string; args: Json }[]) => {
    const fake = fakeTask({
      input: { goal: 'a price', price: 3 },
      answer: { ok: true, value: { calls, text: '{"passed":true}' } },
    })
    return { ...fake, ended: gate({ ...judging, in: ['goal', 'price'] })(fake.task) }
  }
  const verdict = (args: Json) => [{ id: '1', tool: 'verdict', args }]

  test('judges by a call, and sees the inputs and what it checks', async () => {
    const passed = asked(verdict({ passed: true, reason: '' }))
    expect(await passed.ended).toEqual(PASSED)
    const [request] = passed.requests
    expect(request?.system).toContain('It is cheap.')
    expect(request?.messages).toEqual([{ role: 'user', content: 'a price\n\nprice: 3' }])
    expect(reasonsOf(await asked(verdict({ passed: false, reason: 'dear' })).ended)).toEqual([
      'dear',
    ])
  })

  test('never passes by text, whatever it says', async () => {
    expect((await asked([]).ended) as Failing).toMatchObject({
      failure: { reason: { code: 'no-verdict' } },
    })
  })

  test('counts for the worst case', () => {
    const spec = specOf(judging)
    const graph = bindGraph(spec, {
      model: (_, of) => scriptedModel(of, [{ say: 'x' }]),
      tools: { tests },
    })
    expect(worstCaseOf(nestedOf(graph)).modelCalls.most).toBe(100)
    expect(lint(spec).map(({ path }) => path)).toEqual(['tools.tests', 'channels.goal'])
  })
})

describe('a spec', () => {
  const rubric = { a: 'price > 0' }

  test('names exactly one judge', () => {
    const expected = ['nodes.check: expected exactly one of: tool, rubric, model']
    expect(faultsOf({})).toEqual(expected)
    expect(faultsOf({ rubric, tool: 'tests' })).toEqual(expected)
  })

  test('has an edge for a rejected result, which would take the edge of a success', () => {
    expect(faultsOf({ rubric, on: { done: 'end' } })).toEqual([
      'nodes.check.on.done.rejected: is missing; expected the node that corrects a rejected result',
    ])
  })

  test('has only settings that its judge reads', () => {
    expect(faultsOf({ rubric, when: { good: 'true' }, prompt: 'x', args: {} })).toEqual([
      'nodes.check.prompt: needs `model`',
      'nodes.check.args: needs `tool`',
      'nodes.check.when: is not allowed: the judge alone decides',
    ])
    expect(faultsOf({ model: 'judge' })).toEqual([
      'nodes.check.prompt: is missing; expected what the model checks',
    ])
    expect(faultsOf({ tool: 'none' })?.[0]).toContain("unknown tool 'none'")
  })

  test('beside a hand-written statechart, is bound only if the chart has the edge', () => {
    const chart = (edges: object) =>
      setup({ actions: { invoke: () => {} } }).createMachine({
        id: 'by-hand',
        initial: 'check',
        states: {
          check: { entry: { type: 'invoke', params: { node: 'check' } }, on: edges },
          end: { type: 'final' },
        },
      } as never)
    const spec = readSpec({
      escapement: 1,
      id: 'gate',
      machine: './chart.ts#chart',
      nodes: { check: { use: 'verify', rubric } },
    }).spec
    if (!spec) throw new Error('not sound')
    const bound = (edges: object) => () => bindGraph(spec, { machine: chart(edges) as never })
    expect(bound({ done: 'end' })).toThrow(CannotBind)
    expect(bound({ done: 'end' })).toThrow(/nodes.check: verifies in the state/)
    expect(bound({ done: 'end', 'done.rejected': 'check' })).not.toThrow()
  })
})

describe('lint', () => {
  const unverified = (spec: Change) =>
    lint(specOf({ rubric: { a: 'price > 0' } }, spec))
      .filter(({ rule }) => rule === 'unverified-success')
      .map(({ severity, path }) => `${severity} ${path}`)
  const nodes = (offer: Change, check: Change = EDGES) => ({
    nodes: {
      offer: { use: 'tool', tool: 'tests', on: offer },
      check: { use: 'verify', rubric: { a: 'price > 0' }, in: ['price'], on: check },
      end: { final: 'success' },
      lost: { final: 'failure' },
    },
  })

  test('finds every way to success around the gate, also by an escape or by the last rejection', () => {
    expect(unverified(nodes({ done: 'check', error: 'lost' }))).toEqual([])
    expect(unverified(nodes({ done: 'check', error: 'end' }))).toEqual([
      'warning nodes.offer.on.error',
    ])
    expect(
      unverified({
        ...nodes({ done: 'check', error: 'lost' }),
        escape: { alternatives: { offer: ['end'] } },
      }),
    ).toEqual(['warning escape.alternatives.offer[0]'])
    expect(
      unverified(nodes({ done: 'check', error: 'lost' }, { ...EDGES, 'error.business': 'end' })),
    ).toEqual(['warning nodes.check.on.error.business'])
  })
})
