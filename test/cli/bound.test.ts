/** `escapement lint`: the most a graph can spend, and `--max` for CI. */
import { expect, it } from 'vitest'
import { expectRefused, newDesks, spec } from './desk.ts'

const newDesk = newDesks()

const CALLS = spec(`
nodes:
  A: { use: tool, tool: search, args: {}, on: { done: A, error: E } }
  E: { final: success }
tools: { search: { use: flaky } }
limits: { steps: 20 }
`)

it('prints the worst case with the source of each figure', async () => {
  const desk = newDesk()
  const { out } = await desk.type('lint', desk.file('calls.yaml', CALLS))
  expect(out).toContain('  steps        20  limits.steps: 20\n')
  expect(out).toContain('  toolCalls   200  limits.toolCalls: 200 (default)\n')
  expect(out).toContain('  modelCalls    0  no model is called\n')
  expect(out).toContain(
    'A limit marked (default) is not in the spec. To change it, set it under `limits`.\n',
  )
})

it('rejects a spec that can exceed --max, with figure, limit and reason', async () => {
  const desk = newDesk()
  const file = desk.file('calls.yaml', CALLS)
  expect(await desk.type('lint', file, '--max', 'toolCalls=200', '--max', 'usd=2')).toMatchObject({
    code: 0,
  })
  const refused = await desk.type('lint', file, '--max', 'toolCalls=199', '--max', 'duration=1h')
  expect(refused).toMatchObject({
    code: 2,
    out: expect.stringContaining(
      'error bound: toolCalls can total 200, and --max allows 199: limits.toolCalls: 200 (default)',
    ),
  })
  expect(refused.out).toMatch(/✗ \S*calls\.yaml: 2 errors/)
  expect(refused.out).toContain('error bound: duration can total 1d,')
  const { bound, excess } = JSON.parse(
    (await desk.type('lint', file, '--max', 'toolCalls=199', '--json')).out,
  )
  expect(bound.steps).toEqual({ most: 20, because: 'limits.steps: 20' })
  expect(excess).toEqual([{ unit: 'toolCalls', allowed: 199, ...bound.toolCalls }])
})

it('suggests a limit for an unbounded figure', async () => {
  const desk = newDesk()
  const file = desk.file(
    'asks.yaml',
    spec(`
nodes:
  A: { use: model, model: fast, on: { done: E, error: E } }
  E: { final: success }
models: { fast: { id: any, price: { input: 1, output: 2 } } }
limits: { tokens: 1000 }
`),
  )
  const { code, out } = await desk.type('lint', file, '--max', 'tokens=5000')
  expect(code).toBe(2)
  expect(out).toContain(
    'tokens can total 1,000 + calls, and --max allows 5,000: limits.tokens: 1,000, and 1 call more, known only afterwards: unknown context size: set models.fast.context',
  )
  expect(
    (await desk.type('lint', file, '--max', 'tokens=5000', '--set', 'models.fast.context=4000'))
      .code,
  ).toBe(0)
  expect(JSON.parse((await desk.type('lint', file, '--json')).out).bound.tokens.most).toBe(null)
})

it('accepts amounts of known units', async () => {
  const desk = newDesk()
  const file = desk.file('calls.yaml', CALLS)
  expectRefused(
    await desk.type('lint', file, '--max', 'calls=5'),
    'expected unit=amount, the unit one of steps, toolCalls, modelCalls, tokens, usd, duration',
  )
  expectRefused(
    await desk.type('lint', file, '--max', 'toolCalls=many'),
    `toolCalls expects a number, not 'many'`,
  )
  expectRefused(
    await desk.type('lint', file, '--max', 'duration=soon'),
    `duration expects a duration, such as 30s or 10m, not 'soon'`,
  )
})
