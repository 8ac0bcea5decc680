/** Hand-written statecharts, for stories that a graph spec cannot express. */
import { assign, setup } from 'xstate'
import { type AgentMachine, machineOf } from '../../src/core/graph/agent-machine.ts'
import { POLICY } from '../../src/core/watch/policy/policy.ts'

const effects = { actions: { invoke: () => {}, wait: () => {}, interrupt: () => {} } }

/** Two desks at once. Each region has its own way out; `stop` leaves both. */
const desks = setup(effects).createMachine({
  id: 'desks',
  context: {},
  initial: 'working',
  states: {
    working: {
      type: 'parallel',
      on: {
        escape: { guard: { type: 'route', params: { rung: 'stop' } } as never, target: 'stopped' },
        cancelled: 'cancelled',
      },
      states: {
        left: {
          initial: 'search',
          states: {
            search: {
              entry: { type: 'invoke' },
              on: {
                done: 'found',
                escape: {
                  guard: { type: 'route', params: { rung: 'alternative' } } as never,
                  target: 'guess',
                },
              },
            },
            guess: { entry: { type: 'invoke' }, on: { done: 'found' } },
            found: { type: 'final' },
          },
        },
        right: {
          initial: 'read',
          states: {
            read: { entry: { type: 'invoke' }, on: { done: 'understood' } },
            understood: { type: 'final' },
          },
        },
      },
      onDone: 'finished',
    },
    finished: { type: 'final' },
    stopped: { type: 'final', tags: ['stopped'] },
    cancelled: { type: 'final', tags: ['cancelled'] },
  },
})

/** A chart that knows no escape at all, and waits between two looks. */
const kettle = setup(effects).createMachine({
  id: 'kettle',
  context: {},
  initial: 'look',
  states: {
    look: { entry: { type: 'invoke' }, on: { 'done.boiling': 'tea', done: 'pause' } },
    pause: { entry: { type: 'wait', params: { for: 60_000 } } as never, on: { done: 'look' } },
    tea: { type: 'final' },
  },
})

/** Two states that alternate endlessly without effects. */
const clockwork = setup(effects).createMachine({
  id: 'clockwork',
  context: {},
  initial: 'left',
  states: {
    left: { entry: { type: 'wait', params: { for: 1_000 } } as never, on: { done: 'right' } },
    right: { entry: { type: 'wait', params: { for: 1_000 } } as never, on: { done: 'left' } },
  },
})

/** A guard and an assignment that throw. */
const faulty = setup(effects).createMachine({
  id: 'faulty',
  context: { count: 0 },
  initial: 'guarded',
  states: {
    guarded: {
      entry: { type: 'invoke' },
      on: {
        done: {
          guard: () => {
            throw new Error('the guard of `done` broke')
          },
          target: 'end',
        },
        'done.assign': {
          actions: assign(() => {
            throw new Error('the assignment broke')
          }),
          target: 'end',
        },
      },
    },
    end: { type: 'final' },
  },
})

/** A state that leads nowhere. */
const deadEnd = setup(effects).createMachine({
  id: 'dead_end',
  context: {},
  initial: 'work',
  states: { work: { entry: { type: 'invoke' }, on: { done: 'nowhere' } }, nowhere: {} },
})

export const MACHINES: Readonly<Record<string, AgentMachine>> = {
  desks: machineOf(desks, { version: '1' }),
  kettle: machineOf(kettle, {
    version: '1',
    policy: { ...POLICY, limits: { ...POLICY.limits, steps: 6 } },
  }),
  clockwork: machineOf(clockwork, {
    version: '1',
    policy: {
      ...POLICY,
      detect: { ...POLICY.detect, recurrence: false },
      limits: { ...POLICY.limits, steps: 3 },
    },
  }),
  dead_end: machineOf(deadEnd, { version: '1' }),
  faulty: machineOf(faulty, { version: '1' }),
}
