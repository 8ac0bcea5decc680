/** A tool that pays. Its first call gets its answer late, so a test can leave the node while the write is in flight. */
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { tool } from '../../src/index.ts'

export const ENDS = { end: { final: 'success' }, bad: { final: 'failure' } } as const

export type Bank = ReturnType<typeof slowBank>

/** `paid`: the idempotency key of each call. `deaf`: the tool ignores its signal. */
export function slowBank({ deaf = false } = {}) {
  const paid: string[] = []
  const pay = tool({
    name: 'pay',
    description: 'Pays.',
    effects: 'write',
    timeout: 60_000,
    inputSchema: z.object({}),
    async execute(_, { idempotencyKey, signal }) {
      if (paid.push(idempotencyKey) > 1) return 'paid'
      await (deaf ? pause(400) : pause(5_000, undefined, { signal }))
      return 'paid'
    },
  })
  return { paid, pay }
}

/** As `slowBank`, but the first call gets its answer when the test opens the gate. The tool ignores its signal. */
export function gatedBank() {
  const gate = Promise.withResolvers<void>()
  const paid: string[] = []
  const pay = tool({
    name: 'pay',
    description: 'Pays.',
    effects: 'write',
    timeout: 60_000,
    inputSchema: z.object({}),
    async execute(_, { idempotencyKey }) {
      if (paid.push(idempotencyKey) === 1) await gate.promise
      return 'paid'
    },
  })
  return { paid, pay, open: () => gate.resolve() }
}
