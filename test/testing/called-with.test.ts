/** `toHaveCalled(tool, { with })`: what it compares, and what its failure prints. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createAgent } from '../../src/host/definition/create-agent.ts'
import { tool } from '../../src/kit/tool.ts'
import { calls, modelOf, play, says } from '../../src/testing.ts'
import '../../src/testing/vitest.ts'
import type { CallExpectation } from '../../src/testing/vitest.ts'

const refund = tool({
  description: 'Refunds an order.',
  inputSchema: z.object({ order: z.string(), amount: z.number() }),
  effects: 'read',
  execute: async ({ amount }) => amount,
})

const played = (orders: readonly string[]) =>
  play(createAgent({ id: 'a', model: modelOf([]), tools: { refund } }), {
    input: { goal: 'g' },
    model: [
      ...orders.map((order, index) => calls('refund', { order, amount: index })),
      says('Done.'),
    ],
  })

function failureOf(assertion: () => void): string {
  try {
    assertion()
  } catch (error) {
    return (error as Error).message
  }
  return 'it passed'
}

describe('toHaveCalled(tool, { with })', () => {
  test('compares all arguments, and takes matchers', async () => {
    const run = await played(['A'])
    const some: CallExpectation = { with: expect.objectContaining({ order: 'A' }) }
    expect(run).toHaveCalled('refund', { with: { order: 'A', amount: 0 } })
    expect(run).toHaveCalled('refund', some)
    expect(run).toHaveCalled('refund', { with: { order: 'A', amount: expect.any(Number) } })
    expect(run).not.toHaveCalled('refund', { with: { order: 'A' } })
  })

  test('prints the arguments of the calls of the tool', async () => {
    const run = await played(['A'])
    expect(failureOf(() => expect(run).toHaveCalled('refund', { with: { order: 'A' } }))).toMatch(
      `expected the run to call refund with {"order": "A"}\nArguments of the calls of refund:\n  {"amount": 0, "order": "A"}\nIt ended`,
    )
    const some = { with: expect.objectContaining({ order: 'B' }) }
    expect(failureOf(() => expect(run).toHaveCalled('refund', some))).toMatch(
      'to call refund with ObjectContaining {"order": "B"}\n',
    )
  })

  test('prints the last five, each cut', async () => {
    const run = await played(['A', 'B', 'C', 'D', 'E', 'F'.repeat(10_000)])
    const text = failureOf(() => expect(run).toHaveCalled('refund', { with: {} }))
    const [, list = ''] = /the last 5 calls of refund:\n([\s\S]*)\nIt ended/.exec(text) ?? []
    const lines = list.split('\n')
    expect(lines).toHaveLength(5)
    expect(lines[0]).toBe('  {"amount": 1, "order": "B"}')
    expect(lines[4]).toHaveLength(503)
  })
})
