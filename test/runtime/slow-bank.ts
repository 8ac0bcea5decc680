/** Tools that pay. Their first call gets its answer late, so a test can leave the node while the write is in flight. */
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { tool } from '../../src/index.ts'

export const ENDS = { end: { final: 'success' }, bad: { final: 'failure' } } as const

export type Bank = ReturnType<typeof bankOf>

/** `paid`: the idempotency key of each call. `first`: what the first call waits for. */
export function bankOf(
  first: (signal: AbortSignal) => Promise<unknown>,
  effects: 'read' | 'write' = 'write',
) {
  const paid: string[] = []
  const pay = tool({
    name: 'pay',
    description: 'Pays.',
    effects,
    timeout: 60_000,
    inputSchema: z.object({}),
    async execute(_, { idempotencyKey, signal }) {
      if (paid.push(idempotencyKey) === 1) await first(signal)
      return 'paid'
    },
  })
  return { paid, pay }
}

/** `deaf`: the tool ignores its signal. */
export const slowBank = ({ deaf = false } = {}) =>
  bankOf(signal => (deaf ? pause(400) : pause(5_000, undefined, { signal })))

/** The first call gets its answer when the test opens the gate. The tool ignores its signal. */
export function gatedBank() {
  const gate = Promise.withResolvers<void>()
  return { ...bankOf(() => gate.promise), open: () => gate.resolve() }
}
