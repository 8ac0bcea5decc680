import { describe, expect, test } from 'vitest'
import { FAILURE_RULES } from '../../src/core/watch/failure/failure-rules.ts'
import { leavesDoubt } from '../../src/core/watch/failure/doubt.ts'
import { classify, factsOf } from '../../src/core/watch/failure/failure.ts'
import { flaky, flakySettings } from '../../src/kit/tools/simple.ts'
import { fakeCall } from './fake.ts'

const made = (settings: unknown) => flaky(flakySettings.parse(settings))

describe('flaky', () => {
  test('fails at the configured rate, and at the same calls for the same seed', async () => {
    const fails = (seed: number, attempt: number) =>
      made({ p: 0.6 })
        .execute({}, fakeCall({ seed, attempt }))
        .then(
          () => false,
          () => true,
        )
    const story = () =>
      Promise.all(Array.from({ length: 500 }, (_, index) => fails(index, 1 + (index % 3))))
    const first = await story()
    expect(first.filter(Boolean).length).toBeGreaterThan(260)
    expect(first.filter(Boolean).length).toBeLessThan(340)
    expect(await story()).toEqual(first)
  })

  test.each(['transient', 'persistent', 'business', 'unknown', 'cancelled'] as const)(
    'throws an error that classifies as %s',
    async kind => {
      const error = await made({ p: 1, class: kind })
        .execute({}, fakeCall())
        .catch(thrown => thrown)
      expect(classify(factsOf(error), FAILURE_RULES).class).toBe(kind)
    },
  )

  test('throws a transient error that refuses a write, which is then retried', async () => {
    const error = await made({ p: 1 })
      .execute({}, fakeCall())
      .catch(thrown => thrown)
    const facts = factsOf(error)
    expect(leavesDoubt({ ...facts, ...classify(facts, FAILURE_RULES) })).toBe(false)
  })

  test('accepts a status and a message', async () => {
    await expect(
      made({ p: 1, status: 429, message: 'slow down' }).execute({}, fakeCall()),
    ).rejects.toMatchObject({ status: 429, message: 'slow down' })
  })

  test('waits and hangs on the clock of the run, never on real time', async () => {
    const call = fakeCall()
    await made({ p: 0, latency: 50, hang: 1, result: 7 }).execute({}, call)
    expect(call.slept).toEqual([50, 86_400_000])
  })

  test('accepts any arguments, or those of a schema', () => {
    expect(made({}).parse({ any: 'thing' })).toEqual({ any: 'thing' })
    const strict = made({
      parameters: {
        type: 'object',
        properties: { query: { type: 'string' } },
        required: ['query'],
      },
    })
    expect(strict.parameters).toMatchObject({ required: ['query'] })
    expect(() => strict.parse({})).toThrow('query: is missing; expected string')
  })
})
