/** The watches of a wrapped agent: one for each conversation, a bounded number of them. */
import { describe, expect, test } from 'vitest'
import { watch as aiSdk } from '../../src/ai-sdk.ts'
import { watch as openaiAgents } from '../../src/adapters/wrap/openai-agents.ts'
import { watch as langchain } from '../../src/langchain.ts'
import { watchesOf } from '../../src/core/watch/wrapped/watchdog.ts'

test('a thousand conversations have a watch, and the oldest one is forgotten', () => {
  let next = 0
  const watches = watchesOf(
    {},
    () => `${++next}`,
    watchdog => ({ watchdog }),
  )
  for (let index = 0; index <= 1_000; index++) watches.open(`t${index}`)
  expect([watches.find('t0'), watches.find('t1')]).toEqual([
    undefined,
    expect.objectContaining({ watchdog: expect.anything() }),
  ])
})

describe.each([
  ['AI SDK', aiSdk as (options: object) => unknown],
  ['OpenAI Agents', openaiAgents as (options: object) => unknown],
  ['LangChain', langchain as (options: object) => unknown],
] as const)('the options of the watch of %s', (_, watch) => {
  test('reject a limit of money without a price', () => {
    for (const [limits, path] of [
      [{ usd: 1 }, 'usd'],
      [{ round: { usd: 1 } }, 'round.usd'],
      [{ scopes: { customer: { usd: 1 } } }, 'scopes.customer.usd'],
    ] as const) {
      const policy = { limits }
      expect(() => watch({ policy })).toThrow(
        `policy.limits.${path}: has no effect without the price`,
      )
      expect(() => watch({ policy, price: { input: 1, output: 1 } })).not.toThrow()
    }
  })

  test('reject an unknown name, and a state of something else', () => {
    expect(() => watch({ polcy: {} })).toThrow("polcy: is unknown; did you mean 'policy'?")
    expect(() => watch({ now: () => 0, state: { junk: 1 } })).toThrow(/^state: is a map without/)
  })
})
