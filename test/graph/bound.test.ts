import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { worstCaseOf, type Nested } from '../../src/core/graph/worst-case.ts'
import { maxRatioCycle } from '../../src/core/graph/worst-case/max-ratio-cycle.ts'
import { specOf } from './linted.ts'

const bound = (yaml: string, inside: Nested['inside'] = () => undefined) =>
  worstCaseOf({ spec: specOf(parse(yaml) as object), inside })

const RING = `
nodes:
  A: { use: pass, on: { done: B } }
  B: { use: tool, tool: toolB, on: { done: C } }
  C: { use: tool, tool: toolC, on: { done: A } }
  E: { final: success }
tools: { toolB: { use: flaky, retry: { attempts: 4 } }, toolC: { use: flaky, retry: 0 } }
accept: [cycle-without-exit nodes.A]
`

describe('a graph that goes round', () => {
  it('is bounded by its limits, and its calls by the lap that makes most of them', () => {
    expect(bound(`${RING}\nlimits: { steps: 90 }`)).toMatchObject({
      steps: { most: 90, because: '90 from limits.steps' },
      modelCalls: { most: 0 },
    })
    const { most, because } = bound(`${RING}\nlimits: { steps: 90 }`).toolCalls
    expect(because).toMatch(
      /^90 steps round (A → B → C → A|B → C → A → B|C → A → B → C) at 5 a lap \((4 attempts at toolB, 1 attempt at toolC|1 attempt at toolC, 4 attempts at toolB)\)/,
    )
    expect(most).toBeGreaterThanOrEqual(150)
    expect(most).toBeLessThanOrEqual(155)
    expect(bound(`${RING}\nlimits: { steps: 90, toolCalls: 12 }`).toolCalls).toEqual({
      most: 12,
      because: '12 from limits.toolCalls',
    })
    expect(
      bound(`${RING}\nlimits: { steps: 90, toolCalls: 50, round: { toolCalls: 9 } }`).toolCalls
        .because,
    ).toBe('9 from limits.round.toolCalls')
  })

  it('gets a quarter of a limit more each time a way leads on beyond it', () => {
    const review = `${RING}\nlimits: { steps: 40, toolCalls: 20 }\nescape: { review: { deadline: 1h } }`
    expect(bound(review).toolCalls).toEqual({
      most: 25,
      because: '20 from limits.toolCalls, and 5 more when a way leads on beyond it',
    })
    expect(
      bound(
        `${review.replace('deadline: 1h }', 'deadline: 1h }, budget: { review: { perLoop: 2, total: 2 } }')}`,
      ).steps.most,
    ).toBe(60)
    const written = review.replace(
      'toolB: { use: flaky,',
      'toolB: { use: flaky, effects: write, idempotent: true,',
    )
    expect(bound(written).steps).toMatchObject({
      most: 80,
      because: '40 from limits.steps, and 10 more each of 4 times a way leads on beyond it',
    })
  })
})

describe('a graph that does not go round', () => {
  const LINE = `
nodes:
  A: { use: tool, tool: t, on: { done: B, error: C } }
  B: { use: tool, tool: t, on: { done: E, error: C } }
  C: { use: pass, on: { done: E } }
  E: { final: success }
tools: { t: { use: flaky } }
limits: { steps: 1000 }
`
  it('is bounded by its longest way', () => {
    expect(bound(LINE)).toMatchObject({
      steps: { most: 3, because: '3 on the longest way' },
      toolCalls: { most: 6 },
    })
  })

  it('goes back as often as the ladder leads back', () => {
    expect(
      bound(`${LINE}\nescape: { alternatives: { B: [A] }, budget: { alternative: { total: 2 } } }`)
        .steps,
    ).toMatchObject({ most: 9 })
    expect(bound(LINE.replace('error: C }', 'error: C, loop: C }')).steps.most).toBe(3)
  })
})

describe('what nothing bounds', () => {
  it('is told with the setting that would', () => {
    const own = `
nodes:
  A: { use: tool, tool: t, on: { done: E, error: E } }
  E: { final: success }
tools: { t: { use: ./t.ts#t } }
`
    expect(bound(own).toolCalls).toEqual({
      most: Number.POSITIVE_INFINITY,
      because: `how often 't' is tried again its own code may say: set tools.t.retry, or limits.toolCalls`,
    })
    expect(
      bound(own.replace('#t }', '#t, effects: read, retry: { attempts: 2 } }')).toolCalls.most,
    ).toBe(2)
  })

  it('includes a map over who knows how many items, and not one graph in another', () => {
    const inner: Nested = {
      spec: specOf(
        parse(
          'nodes: { A: { use: tool, tool: t, on: { done: E, error: E } }, E: { final: success } }\ntools: { t: { use: flaky } }',
        ) as object,
      ),
      inside: () => undefined,
    }
    const outer = (node: string) => `
channels: { items: { type: array, default: [] } }
nodes:
  A: ${node}
  E: { final: success }
graphs: { inner: ./inner.yaml }
`
    expect(
      bound(outer('{ use: graph, graph: inner, on: { done: E, error: E } }'), () => inner),
    ).toMatchObject({ steps: { most: 2 }, toolCalls: { most: 3 } })
    expect(
      bound(
        outer('{ use: map, graph: inner, over: items, on: { done: E, error: E } }'),
        () => inner,
      ).toolCalls.because,
    ).toBe(`how often 'inner' is run here is not in the spec: set limits.toolCalls`)
  })
})

describe('a walk', () => {
  const ground = (
    edges: Readonly<Record<string, readonly string[]>>,
    gives: Readonly<Record<string, number>>,
  ) =>
    maxRatioCycle({
      next: new Map(Object.entries(edges)),
      gives: place => gives[place] ?? 0,
      steps: () => 1,
    })

  it('goes round the lap that gives most a step, however long', () => {
    const { rate, lap, beyond } = ground(
      { a: ['b'], b: ['a', 'c'], c: ['d'], d: ['e'], e: ['c'] },
      { b: 3, c: 1, d: 2, e: 2 },
    )
    expect(rate).toBeCloseTo(5 / 3)
    expect([...lap].sort()).toEqual(['c', 'd', 'e'])
    expect(beyond('b')).toBeCloseTo(3 - 5 / 3)
  })

  it('that never goes round gathers what lies on the longest way', () => {
    const { rate, beyond } = ground(
      { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] },
      { a: 1, b: 5, c: 2, d: 1 },
    )
    expect([rate, beyond('a')]).toEqual([0, 7])
  })
})
