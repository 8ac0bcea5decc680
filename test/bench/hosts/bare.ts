/** A loop without a library, and XState alone. */
import { assign, createActor, fromPromise, setup, waitFor } from 'xstate'
import { type Agent, checkSteps, type Contestant, stepOf } from './contestant.ts'

export const loop: Contestant = {
  name: 'a loop',
  survives: 'nothing',
  async run(agent) {
    const messages: string[] = []
    const work = async (nth: number) => stepOf(agent, nth)
    while (messages.length < agent.steps) messages.push(await work(messages.length))
    checkSteps(agent, messages.length)
    return {}
  },
}

export const xstate: Contestant = {
  name: 'XState',
  survives: 'nothing',
  async run(agent) {
    const actor = createActor(machineOf(agent)).start()
    const { context } = await waitFor(actor, ({ status }) => status === 'done')
    checkSteps(agent, context.messages.length)
    return {}
  },
}

const machineOf = (agent: Agent) =>
  setup({
    types: { context: {} as { messages: readonly string[] } },
    actors: {
      step: fromPromise(async ({ input }: { input: number }) => stepOf(agent, input)),
    },
  }).createMachine({
    initial: 'work',
    context: { messages: [] },
    states: {
      work: {
        invoke: {
          src: 'step',
          input: ({ context }) => context.messages.length,
          onDone: {
            target: 'check',
            actions: assign({
              messages: ({ context, event }) => [...context.messages, event.output],
            }),
          },
        },
      },
      check: {
        always: [
          { guard: ({ context }) => context.messages.length >= agent.steps, target: 'end' },
          { target: 'work' },
        ],
      },
      end: { type: 'final' },
    },
  })
