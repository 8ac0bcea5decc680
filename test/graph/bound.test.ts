import { ACCOUNT, grant } from '../../src/core/watch/budget/account.ts'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { figureText, type Nested, worstCaseOf } from '../../src/core/graph/worst-case/worst-case.ts'
import { specOf } from './linted.ts'

const worst = (yaml: string, inside: Nested['inside'] = () => undefined) =>
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

const ASKING = `
nodes:
  A: { use: model, model: fast, on: { done: E, error: E } }
  E: { final: success }
`

describe('a limit', () => {
  it('bounds its unit, with the smaller of the limits of thread and round', () => {
    expect(worst(`${RING}\nlimits: { steps: 90, toolCalls: 12 }`)).toMatchObject({
      steps: { most: 90, because: 'limits.steps: 90' },
      toolCalls: { most: 12, because: 'limits.toolCalls: 12' },
      modelCalls: { most: 0, because: 'no model is called' },
    })
    expect(
      worst(`${RING}\nlimits: { toolCalls: 50, round: { toolCalls: 9 } }`).toolCalls.because,
    ).toBe('limits.round.toolCalls: 9')
  })

  it('that the spec omits is the default, and is labeled so', () => {
    expect(worst(`${RING}\nlimits: { steps: 90 }`)).toMatchObject({
      steps: { most: 90, because: 'limits.steps: 90' },
      toolCalls: { most: 200, because: 'limits.toolCalls: 200 (default)' },
      duration: {
        most: 86_405_000,
        because: 'limits.duration: 1d (default), and 5s more for what is left to end',
      },
    })
    expect(worst(`${ASKING}models: { fast: { id: any } }`).modelCalls).toEqual({
      most: 100,
      because: 'limits.modelCalls: 100 (default)',
    })
  })

  it('grows by a quarter each time an escape continues past it', () => {
    const review = `${RING}\nlimits: { steps: 40, toolCalls: 20 }\nescape: { review: { deadline: 1h } }`
    expect(worst(review).toolCalls).toEqual({
      most: 25,
      because: 'limits.toolCalls: 20, and 5 more when an escape continues past it',
    })
    expect(
      worst(
        `${review.replace('deadline: 1h }', 'deadline: 1h }, budget: { review: { perLoop: 2, total: 2 } }')}`,
      ).steps.most,
    ).toBe(60)
    const written = review.replace(
      'toolB: { use: flaky,',
      'toolB: { use: flaky, effects: write, idempotent: true,',
    )
    expect(worst(written).steps).toMatchObject({
      most: 80,
      because: 'limits.steps: 40, and 10 more each of 4 times an escape continues past it',
    })
  })
})

describe('an extension', () => {
  const review = `${RING}\nescape: { review: { deadline: 1h } }`

  it.each([
    ['toolCalls', 2, 1],
    ['toolCalls', 10, 3],
    ['steps', 6, 4],
    ['steps', 21, 6],
    ['modelCalls', 1, 1],
    ['tokens', 1_001, 251],
    ['usd', 0.5, 0.125],
    ['duration', 1_001, 250.25],
  ] as const)('of a limit of %s: %d is %d: counts are whole', (unit, limit, more) => {
    const account = grant(ACCOUNT, { name: unit, unit, limit, most: limit })
    expect(account.granted).toEqual({ [unit]: more })
  })

  it('is the same in the worst case', () => {
    expect(worst(`${review}\nlimits: { toolCalls: 10 }`).toolCalls).toEqual({
      most: 13,
      because: 'limits.toolCalls: 10, and 3 more when an escape continues past it',
    })
    expect(worst(`${review}\nlimits: { toolCalls: 2 }`).toolCalls.most).toBe(3)
  })
})

describe('tokens and money', () => {
  const sized = (limits: string) =>
    worst(
      `${ASKING}models: { fast: { id: any, context: 1000, price: { input: 1, output: 3 } } }\nlimits: ${limits}`,
    )

  it('are bounded by their limit plus one call, or by the number of calls', () => {
    expect(sized('{ tokens: 5000 }').tokens).toEqual({
      most: 6_000,
      because:
        'limits.tokens: 5,000, and 1 call more, known only afterwards: at most 1,000 tokens, models.fast.context',
    })
    expect(sized('{ modelCalls: 4 }')).toMatchObject({
      tokens: {
        most: 4_000,
        because: '4 calls of a model, at most 1,000 tokens, models.fast.context',
      },
      usd: { most: 0.012 },
    })
  })

  it('stop at their limit where the size of the last call is unknown', () => {
    const { tokens, usd } = worst(
      `${ASKING}models: { fast: { id: any } }\nlimits: { tokens: 5000 }`,
    )
    expect(tokens).toEqual({
      most: Number.POSITIVE_INFINITY,
      stopsAt: 5_000,
      because:
        'limits.tokens: 5,000, and 1 call more, known only afterwards: unknown context size: set models.fast.context',
    })
    expect(figureText(tokens, 'tokens')).toBe('5,000 + calls')
    expect(figureText(usd, 'usd')).toBe('unknown')
  })

  it('do not limit the money of models without a price', () => {
    const priced = 'price: { input: 1, output: 1 }'
    const of = (other: string) =>
      worst(
        `${ASKING}models: { fast: { id: any, ${priced}, substitutes: [other] }, other: { id: b, ${other} } }\nlimits: { usd: 1 }`,
      ).usd
    expect(of(priced)).toMatchObject({ stopsAt: 1 })
    expect(of('context: 1000')).toEqual({
      most: Number.POSITIVE_INFINITY,
      because: 'unknown price: set models.other.price',
    })
  })
})

describe('the call of a model', () => {
  const price = (usd: number) => `price: { input: ${usd}, output: ${usd} }`

  it('costs as much as its dearest substitute', () => {
    const models = `models: { fast: { id: a, context: 1000, ${price(1)}, substitutes: [dear] }, dear: { id: b, context: 1000, ${price(9)} } }`
    expect(worst(`${ASKING}${models}\nlimits: { modelCalls: 2 }`).usd.most).toBeCloseTo(0.018)
  })
})

describe('child graphs', () => {
  const inner: Nested = {
    spec: specOf(
      parse(`${ASKING}models: { fast: { id: any, context: 500 } }\nlimits: { steps: 2 }`) as object,
    ),
    inside: () => undefined,
  }
  const outer = (node: string) => `
channels: { items: { type: array, default: [] } }
nodes:
  A: ${node}
  E: { final: success }
graphs: { inner: ./inner.yaml }
limits: { tokens: 2000 }
`

  it('spend from the limits of the parent, plus each of their active calls', () => {
    const one = '{ use: graph, graph: inner, on: { done: E, error: E } }'
    const many =
      '{ use: map, graph: inner, over: items, concurrency: 3, on: { done: E, error: E } }'
    expect(worst(outer(one), () => inner)).toMatchObject({
      toolCalls: { most: 0, because: 'no tool is called' },
      tokens: { most: 2_500 },
    })
    expect(worst(outer(many), () => inner).tokens.most).toBe(3_500)
  })

  it('that are unknown may call any tool', () => {
    const { toolCalls, tokens } = worst(
      outer('{ use: graph, graph: inner, on: { done: E, error: E } }'),
    )
    expect(toolCalls.most).toBe(200)
    expect(tokens).toMatchObject({ most: Number.POSITIVE_INFINITY, stopsAt: 2_000 })
  })
})

it('a rung of custom code may continue past every limit', () => {
  const spec = specOf(parse(RING) as object)
  const custom = { ...spec, escape: { ...spec.escape, ladder: ['handover', 'stop'] } }
  expect(worstCaseOf({ spec: custom, inside: () => undefined }).steps).toEqual({
    most: Number.POSITIVE_INFINITY,
    because: "the code of the rung 'handover' decides how often it continues past a limit",
  })
})
