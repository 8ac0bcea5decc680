/** Rounds: a thread whose round has ended begins another with the next message. Its context, lessons and account stay. */
import type { Reason } from './watch/reason/reason.ts'
import { forkedRun } from './fork.ts'
import type { AgentMachine } from './graph/agent-machine.ts'
import type { Step } from './graph/machine.ts'
import { isOver, type Queued, type Run } from './run.ts'
import type { AgentEvent, Stamped } from './watch/event/event.ts'
import type { Json } from './watch/data/json.ts'
import { withDefaults } from './watch/policy/policy.ts'
import { resetForRound } from './watch/judge.ts'

/** Messages that may wait; another is refused. */
const QUEUE_MAX = 16

/** Why a message cannot be taken now; `undefined` if it can. */
export function messageRejection(machine: AgentMachine, run: Run, input: Json): Reason | undefined {
  const [fault] = isMap(input)
    ? machine.checkInput(input)
    : [{ path: 'input', message: 'expected an object: its keys are written to the context' }]
  if (fault) return { code: 'invalid-input', params: { fault: `${fault.path} ${fault.message}` } }
  if (isOver(run)) return undefined
  if (run.policy.rounds.busy === 'reject')
    return { code: 'thread-busy', params: { round: run.round } }
  return run.queue.length >= QUEUE_MAX
    ? { code: 'queue-full', params: { limit: QUEUE_MAX } }
    : undefined
}

function isMap(input: Json): boolean {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
}

/** The queue with a message that has been taken. One that ends the round for its own sake comes before all others. */
export function enqueue({ queue, policy }: Run, input: Json): readonly Queued[] {
  const { busy } = policy.rounds
  if (busy === 'interrupt') return [{ input, from: 'last' }, ...queue]
  return busy === 'rollback'
    ? [{ input, from: 'opening' }, ...queue]
    : [...queue, { input, from: 'last' }]
}

/** What a host commits next, where a round has ended and a message waits. */
export function nextRound(run: Run): { readonly type: 'round.started' } | undefined {
  return run.ended && !isOver(run) ? { type: 'round.started' } : undefined
}

/** The message with which an event begins a round, if it does. */
export function roundOpener(
  machine: AgentMachine,
  run: Run,
  event: AgentEvent,
): Queued | undefined {
  if (!run.ended) return undefined
  if (event.type === 'round.started') return run.queue[0]
  return event.type === 'message' &&
    isOver(run) &&
    messageRejection(machine, run, event.input) === undefined
    ? { input: event.input, from: 'last' }
    : undefined
}

/** The run at the beginning of another round, before its machine has taken the first step. */
export function openRound(run: Run, { from }: Queued): Run {
  const { ended: _, savepointDue: __, ...rest } = run
  const context = from === 'last' ? run.snapshot.context : run.opening.context
  // What was written before it is not undone any more.
  return {
    ...rest,
    round: run.round + 1,
    opening: { seq: run.seq, context },
    queue: run.queue.slice(1),
    watch: resetForRound(run.watch),
    compensable: [],
    uncompensatable: [],
    answers: [],
  }
}

/** The first step of a round that was reopened. */
export function firstStep(machine: AgentMachine, { opening }: Run, { input }: Queued): Step {
  return opening.context === null ? machine.start(input) : machine.restart(opening.context, input)
}

/** What a thread takes in between its rounds without beginning one; the same run if the event is nothing to it. */
export function noteBetweenRounds(machine: AgentMachine, run: Run, event: Stamped): Run {
  switch (event.type) {
    case 'message':
      return !isOver(run) && messageRejection(machine, run, event.input) === undefined
        ? { ...run, queue: enqueue(run, event.input) }
        : run
    case 'cancel':
      return isOver(run) ? run : { ...run, queue: [] }
    case 'forked':
      return forkedRun(run, event)
    case 'policy.changed':
      return { ...run, policy: withDefaults(event.policy) }
    default:
      return run
  }
}
