/**
 * An incident: investigation and communication run in parallel, and the incident closes when both are done.
 *
 * Each region has its own nodes and ways out. A failure in one does not disturb the other. Only `stopped` and `cancelled`
 * leave both.
 */
import { setup } from 'xstate'
import type { MachineEvent } from '../src/core/graph/machine.ts'
import type { Json } from '../src/core/watch/data/json.ts'

type Context = Readonly<Record<string, Json>>

/** Declared here, implemented by core. */
interface Provided {
  readonly actions: {
    readonly invoke: (_: unknown, params: { node: string }) => void
    readonly interrupt: (
      _: unknown,
      params: { node: string; question: string; deadline: number },
    ) => void
  }
  readonly guards: {
    readonly route: (_: unknown, params: { rung: 'alternative' | 'review' | 'stop' }) => boolean
  }
}

const HOUR = 3_600_000

export const incident = setup({
  types: {} as { context: Context; events: MachineEvent; input: Context },
  actions: {} as Provided['actions'],
  guards: {} as Provided['guards'],
}).createMachine({
  id: 'incident',
  context: ({ input }) => input,
  initial: 'handling',
  states: {
    handling: {
      type: 'parallel',
      on: {
        escape: { guard: { type: 'route', params: { rung: 'stop' } }, target: 'stopped' },
        cancelled: 'cancelled',
      },
      onDone: 'closing',
      states: {
        investigate: {
          initial: 'repairing',
          states: {
            // One attempt: find the cause, mitigate it, verify the result.
            repairing: {
              initial: 'diagnose',
              on: {
                escape: [
                  { guard: { type: 'route', params: { rung: 'alternative' } }, target: 'rollback' },
                  { guard: { type: 'route', params: { rung: 'review' } }, target: 'expert' },
                ],
              },
              states: {
                diagnose: {
                  entry: { type: 'invoke', params: { node: 'diagnose' } },
                  on: { done: 'mitigate' },
                },
                mitigate: {
                  entry: { type: 'invoke', params: { node: 'mitigate' } },
                  on: { done: 'verify', 'error.*': 'diagnose' },
                },
                verify: {
                  tags: 'phase',
                  entry: { type: 'invoke', params: { node: 'verify' } },
                  on: {
                    'done.healthy': '#incident.handling.investigate.repaired',
                    done: 'diagnose',
                  },
                },
              },
            },
            // The way out: deploy the previous version.
            rollback: {
              entry: { type: 'invoke', params: { node: 'rollback' } },
              on: {
                done: 'repaired',
                'error.*': 'expert',
                escape: { guard: { type: 'route', params: { rung: 'review' } }, target: 'expert' },
              },
            },
            expert: {
              entry: {
                type: 'interrupt',
                params: {
                  node: 'expert',
                  question: 'The incident cannot be repaired from here. Is it repaired now?',
                  deadline: 4 * HOUR,
                },
              },
              on: {
                'human.approved': 'repaired',
                'human.rejected': 'repairing',
                'human.expired': '#incident.stopped',
              },
            },
            repaired: { type: 'final' },
          },
        },
        communicate: {
          initial: 'announce',
          states: {
            announce: {
              entry: { type: 'invoke', params: { node: 'announce' } },
              on: {
                done: 'inform',
                'error.*': 'inform',
                escape: {
                  guard: { type: 'route', params: { rung: 'alternative' } },
                  target: 'inform',
                },
              },
            },
            inform: {
              entry: { type: 'invoke', params: { node: 'inform' } },
              on: { done: 'informed', 'error.*': 'informed' },
            },
            informed: { type: 'final' },
          },
        },
      },
    },
    closing: {
      entry: { type: 'invoke', params: { node: 'report' } },
      on: {
        done: 'closed',
        escape: { guard: { type: 'route', params: { rung: 'stop' } }, target: 'stopped' },
        cancelled: 'cancelled',
      },
    },
    closed: { type: 'final' },
    stopped: { type: 'final', tags: 'stopped' },
    cancelled: { type: 'final', tags: 'cancelled' },
  },
})
