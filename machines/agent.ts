/** An agent as a hand-written statechart: plan → act → observe → check, and one transition that escapes from all four. */
import { assign, setup } from 'xstate'
import type { MachineEvent } from '../src/core/graph/machine.ts'
import type { Json } from '../src/core/watch/data/json.ts'

interface Context {
  readonly goal: string
  readonly messages: readonly Json[]
  readonly answer: Json
}

type Route = { readonly rung: 'alternative' | 'review' | 'stop'; readonly to?: string }

/** Declared here and implemented by core: the effects, and the guard of an escape. */
interface Provided {
  readonly actions: {
    readonly invoke: (_: unknown, params: { node: string }) => void
    readonly interrupt: (_: unknown, params: { node: string; question: string }) => void
  }
  readonly guards: { readonly route: (_: unknown, params: Route) => boolean }
}

/** A field of the output of the node. */
function outputField(event: MachineEvent, field: string): Json {
  const { output } = event
  return typeof output === 'object' && output !== null && !Array.isArray(output)
    ? ((output as Readonly<Record<string, Json>>)[field] ?? null)
    : null
}

export const agent = setup({
  types: {} as { context: Context; events: MachineEvent; input: { goal: string } },
  guards: {} as Provided['guards'],
  actions: {
    ...({} as Provided['actions']),
    storeMessage: assign(({ context, event }) => ({
      messages: [...context.messages, outputField(event, 'message')],
    })),
    storeAnswer: assign(({ context, event }) => ({
      messages: [...context.messages, ...((outputField(event, 'messages') ?? []) as Json[])],
      answer: outputField(event, 'completed'),
    })),
  },
}).createMachine({
  id: 'agent',
  // The messages grow in each lap. If they counted, no two states would be equal.
  meta: { volatile: ['messages'] },
  context: ({ input }) => ({ goal: input.goal, messages: [], answer: null }),
  initial: 'working',
  states: {
    working: {
      id: 'working',
      initial: 'plan',
      on: {
        escape: [
          { guard: { type: 'route', params: { rung: 'alternative' } }, target: '.replan' },
          { guard: { type: 'route', params: { rung: 'review' } }, target: 'review' },
          { guard: { type: 'route', params: { rung: 'stop' } }, target: 'stopped' },
        ],
        cancelled: 'cancelled',
      },
      states: {
        plan: {
          id: 'plan',
          entry: { type: 'invoke', params: { node: 'plan' } },
          on: {
            'done.command': { target: 'act', actions: 'storeMessage' },
            done: { target: 'check', actions: 'storeMessage' },
          },
        },
        act: {
          id: 'act',
          entry: { type: 'invoke', params: { node: 'act' } },
          on: { done: { target: 'observe', actions: 'storeAnswer' } },
        },
        observe: {
          id: 'observe',
          entry: { type: 'invoke', params: { node: 'observe' } },
          on: { done: 'check' },
        },
        check: {
          id: 'check',
          entry: { type: 'invoke', params: { node: 'check' } },
          on: { 'done.goal': '#agent.done', done: 'plan' },
        },
        // The target of the escape: another plan for the same task.
        replan: {
          id: 'replan',
          entry: { type: 'invoke', params: { node: 'replan' } },
          on: {
            'done.command': { target: 'act', actions: 'storeMessage' },
            done: { target: 'check', actions: 'storeMessage' },
          },
        },
      },
    },
    review: {
      id: 'review',
      entry: {
        type: 'interrupt',
        params: { node: 'review', question: 'The agent is stuck. Make a new plan?' },
      },
      on: {
        'human.approved': 'working.replan',
        'human.rejected': 'stopped',
        'human.expired': 'stopped',
        escape: { guard: { type: 'route', params: { rung: 'stop' } }, target: 'stopped' },
        cancelled: 'cancelled',
      },
    },
    done: { type: 'final' },
    stopped: { type: 'final', tags: ['stopped'] },
    cancelled: { type: 'final', tags: ['cancelled'] },
  },
})
