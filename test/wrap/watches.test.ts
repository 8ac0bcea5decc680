/** The watches of a wrapped agent: one for each conversation, a bounded number of them. */
import { describe, expect, test } from 'vitest'
import { watch as aiSdk } from '../../src/ai-sdk.ts'
import { watch as openaiAgents } from '../../src/adapters/wrap/openai-agents.ts'
import { defineDetector, defineRung } from '../../src/core/watch/detect/custom.ts'
import { watch as langchain } from '../../src/langchain.ts'
import { watchdog, watchesOf } from '../../src/core/watch/wrapped/watchdog.ts'

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

/** Without type checks, each of them acted as no option. */
const WRONG_OPTIONS: readonly (readonly [unknown, string | RegExp])[] = [
  ...[{ input: 1 }, { input: 1, output: Number.NaN }, { input: 1, output: -1 }].map(
    price => [{ price }, /^price\.output: .*expected number/] as const,
  ),
  [{ price: { in: 1, out: 1 } }, /^price\.input: is missing; expected number\n.*\nprice\.in: is/],
  ...[3, Number.NaN, null, () => 1].map(
    price => [{ price }, /^price: expected object, received /] as const,
  ),
  [{ writes: 'pay' }, `writes: expected a list of tools such as ['pay'], received "pay"`],
  [{ writes: [7] }, 'writes[0]: expected the name of a tool, received 7'],
  [{ substitutes: ['pay'] }, "substitutes: expected a map of tools such as { search: 'archive' }"],
  [{ substitutes: { pay: 7 } }, 'substitutes.pay: expected the name of its substitute, received 7'],
  [{ breakers: {} }, 'breakers: expected the result of breakerCell(), received a map'],
  [{ record: 'runs.jsonl' }, 'record: expected a function, received "runs.jsonl"'],
  [{ commandExpected: 'no' }, 'commandExpected: expected true or false, received "no"'],
  [{ agent: 7 }, 'agent: expected a text, received 7'],
  [{ parts: { detector: [] } }, "parts.detector: is unknown; did you mean 'detectors'?"],
  [{ parts: { rungs: {} } }, 'parts.rungs: expected a list, received a map'],
  [
    'observe',
    'options: expected a map such as { policy: { limits: { toolCalls: 25 } } }, received',
  ],
  [null, 'options: expected a map such as '],
]

test.each([...WRONG_OPTIONS, [{ can: { ask: 'no' } }, 'can.ask: expected true or false'] as const])(
  'a watchdog rejects %j',
  (options, message) => {
    expect(() => watchdog(options as never)).toThrow(message)
  },
)

/** Policies with unknown names, each with its fault. */
const UNKNOWN_PARTS = [
  [
    { detect: { sequnce: { times: 4 } } },
    "policy.detect.sequnce: is unknown; did you mean 'sequence'?",
  ],
  [{ detect: { tool: {} } }, "policy.detect.tool: is unknown; did you mean 'tools'?"],
  [
    { escape: { ladder: ['rethnk', 'stop'] } },
    "policy.escape.ladder[0]: unknown rung 'rethnk'; did you mean 'rethink'?",
  ],
] as const

describe('the policy of a watchdog', () => {
  test.each(UNKNOWN_PARTS)('rejects unknown names: %j', (policy, message) => {
    expect(() => watchdog({ policy } as never)).toThrow(
      expect.objectContaining({ name: 'InvalidPolicy', message }),
    )
  })

  const third = defineDetector({
    name: 'third',
    version: 1,
    start: 0,
    sees: ['answered'],
    observe: (count: number) => [count + 1, undefined],
  })
  const handover = defineRung({ name: 'handover', version: 1, choose: () => 'review' })

  test('names custom detectors and rungs', () => {
    const policy = {
      detect: { third: false, sequence: false },
      escape: { ladder: ['handover', 'stop'] },
    }
    const parts = { detectors: [third], rungs: [handover] }
    expect(() => watchdog({ policy, parts } as never)).not.toThrow()
    expect(() => watchdog({ policy: { detect: { thrid: {} } }, parts } as never)).toThrow(
      "policy.detect.thrid: is unknown; did you mean 'third'?",
    )
  })

  test('rejects parts whose names are taken', () => {
    const parts = { detectors: [{ ...third, name: 'sequence' }] }
    expect(() => watchdog({ parts } as never)).toThrow(
      "parts.detectors: 'sequence' is already taken",
    )
  })
})

test('a watch rejects what is not a model', () => {
  const wrong = 'smart: expected a model of the AI SDK, received a map'
  expect(() => aiSdk({ smart: { model: 'gpt' } } as never)).toThrow(wrong)
  expect(() => aiSdk({ smart: 'openai/gpt-5' })).not.toThrow()
  const text = 'smart: expected a chat model of LangChain, received "gpt"'
  expect(() => langchain({ smart: 'gpt' } as never)).toThrow(text)
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

  test.each(UNKNOWN_PARTS)('reject unknown names in the policy: %j', (policy, message) => {
    expect(() => watch({ policy })).toThrow(
      expect.objectContaining({ name: 'InvalidPolicy', message }),
    )
  })

  test.each(WRONG_OPTIONS)('reject %j', (options, message) => {
    expect(() => watch(options as never)).toThrow(message)
  })
})
