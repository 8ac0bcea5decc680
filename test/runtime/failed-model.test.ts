/** A model that fails for good is not asked again by the way out of its own failure: the thread stops with the first cause. */
import { describe, expect, test } from 'vitest'
import { createAgent, createRuntime, memoryStore, virtualClock } from '../../src/index.ts'
import type { Model } from '../../src/index.ts'

type Options = Pick<Parameters<typeof createAgent>[0], 'escape'>

/** Runs an agent whose model throws `error` for the first `ms`. */
async function runWith(
  error: Error,
  { ms = Number.POSITIVE_INFINITY, ...options }: { ms?: number } & Options = {},
) {
  const clock = virtualClock()
  const began = clock.now()
  let asked = 0
  const model: Model = {
    id: 'm',
    timeout: 60_000,
    async ask() {
      asked += 1
      if (clock.now() - began < ms) throw error
      return { text: 'ok', calls: [] }
    },
  }
  const agent = createAgent({ id: 'a', model, ...options })
  const runtime = createRuntime({ store: memoryStore(), graphs: [agent], clock })
  const { outcome, reason, because, output } = await (
    await runtime.start(agent, { goal: 'x' })
  ).result()
  await runtime.close()
  return { outcome, reason, because, output, asked }
}

const error = (message: string, facts: object) => Object.assign(new Error(message), facts)

describe('a model', () => {
  test.each([
    ['with a wrong key', error('Incorrect API key provided', { status: 401 }), '(401)'],
    [
      'with a spent quota',
      error('You exceeded your quota', { status: 429, code: 'insufficient_quota' }),
      '(429)',
    ],
    ['that the endpoint does not have', error('model: m', { status: 404 }), '(404)'],
    ['without a key', error('No key', { code: 'no-endpoint' }), '(no-endpoint)'],
  ])('%s is asked once', async (_, thrown, shown) => {
    expect(await runWith(thrown)).toEqual({
      outcome: 'stopped',
      reason: 'failure.persistent',
      because: `node 'plan' failed: ${thrown.message} ${shown}`,
      output: { answer: '' },
      asked: 1,
    })
  })

  test('is waited for up to a minute by default, and its error is the cause', async () => {
    const outage = error('overloaded', { status: 529 })
    expect(await runWith(outage, { ms: 40_000 })).toMatchObject({ outcome: 'success' })
    expect(await runWith(outage)).toMatchObject({
      outcome: 'stopped',
      reason: 'failure.transient',
      because: "node 'plan' failed: overloaded (529)",
      asked: 5,
    })
  })

  test('is not waited for without the rung `wait`, and its error is the cause', async () => {
    const ladder = ['retry', 'substitute', 'rethink', 'stop'] as const
    const outage = error('overloaded', { status: 529 })
    expect(await runWith(outage, { escape: { ladder: [...ladder] } })).toMatchObject({
      outcome: 'stopped',
      reason: 'failure.transient',
      because: "node 'plan' failed: overloaded (529)",
      asked: 3,
    })
  })

  test('is waited for as long as `escape.wait` allows', async () => {
    const outage = error('overloaded', { status: 529 })
    const wait = { wait: { most: 300_000 } } as const
    expect(await runWith(outage, { ms: 90_000, escape: wait })).toMatchObject({
      outcome: 'success',
    })
    expect(await runWith(outage, { escape: wait })).toMatchObject({
      outcome: 'stopped',
      because: "node 'plan' failed: overloaded (529)",
    })
  })

  test('that rejects one request is asked for its conclusion', async () => {
    const rejected = error('tools[0].schema is invalid', { status: 400 })
    expect(await runWith(rejected)).toMatchObject({
      because: "node 'plan' failed: tools[0].schema is invalid (400)",
      asked: 2,
    })
  })
})
