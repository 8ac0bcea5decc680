/** Agents that hand over to each other, each with an explanation in new words, and agents that work in between. */
import { draftOf } from './outcomes.ts'
import type { Shape } from './loops.ts'

/** The tools among these that are declared as writes. */
export const HANDOFF_WRITES: readonly string[] = ['handoffToBilling', 'handoffToSupport']

const PAIRS = {
  undeclared: ['transfer_to_billing_agent', 'transfer_to_support_agent'],
  declared: HANDOFF_WRITES,
} as const
const AGENTS = ['Billing Agent', 'Support Agent']

const handedOver = (
  shown: string,
  [one, other]: readonly string[],
  args: (text: string, n: number) => object,
): Shape => ({
  name: `two agents hand over to each other, ${shown}`,
  lap: n => ({
    tool: (n % 2 ? one : other) ?? '',
    args: args(draftOf(n), n),
    result: { assistant: AGENTS[n % 2] },
  }),
})

const LOOPS: readonly Shape[] = [
  handedOver('with a reason', PAIRS.undeclared, reason => ({ reason })),
  handedOver('with an explanation', PAIRS.undeclared, explanation => ({ explanation })),
  handedOver('with a summary', PAIRS.undeclared, summary => ({ summary })),
  handedOver('with a reason and a summary', PAIRS.undeclared, reason => ({
    reason,
    summary: `${reason}, see above`,
  })),
  handedOver('with a reason and a priority', PAIRS.undeclared, reason => ({
    reason,
    priority: 'high',
  })),
  handedOver('with a reason, by declared writes', PAIRS.declared, reason => ({ reason })),
]

const handed = (to: string, args: object) => ({
  tool: `transfer_${to}`,
  args,
  result: `Successfully transferred ${to.replaceAll('_', ' ')}`,
})

const HEALTHY: readonly Shape[] = [
  {
    name: 'a supervisor hands one topic after the other to a worker with a reason, and the worker searches',
    healthy: true,
    lap: n =>
      [
        handed('to_researcher', { reason: draftOf(n) }),
        { tool: 'search', args: { query: draftOf(n * 3) }, result: [draftOf(n * 7), n * 31] },
        { tool: 'read', args: { path: `${n}.md` }, result: `${draftOf(n * 5)} ${n * 37}` },
        handed('back_to_supervisor', { summary: draftOf(n * 7) }),
      ][n % 4] ?? {},
  },
  {
    name: 'money is transferred to one account after the other with a reason',
    healthy: true,
    lap: n => ({
      tool: 'transfer_to_account',
      args: { account: draftOf(n), amount: n * 31, reason: 'refund' },
      result: { ok: true },
    }),
  },
]

export const HANDOFFS: readonly Shape[] = [...LOOPS, ...HEALTHY]
