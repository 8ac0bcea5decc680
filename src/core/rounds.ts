/** Rounds: the next message to a thread whose round has ended starts another. Context, lessons and spending carry over. */
import { forkedRun } from './fork.ts'
import type { AgentMachine } from './graph/agent-machine.ts'
import type { Step } from './graph/machine.ts'
import { restricts } from './run/restriction.ts'
import { resentAfter } from './resent.ts'
import { isOver, type Queued, type Resent, type Rules, type Run } from './run/run.ts'
import { type Json, isMap } from './watch/data/json.ts'
import type { Stamped } from './watch/event/event.ts'
import { withDefaults } from './watch/policy/policy.ts'
import type { Reason } from './watch/reason/reason.ts'
import { renewLimits, resetForRound } from './watch/judge.ts'

/** The maximum number of queued messages. Further messages are rejected. */
const QUEUE_MAX = 16

/** Why a message is rejected. Returns `undefined` if it is accepted. */
export function messageRejection(machine: AgentMachine, run: Run, input: Json): Reason | undefined {
  const [fault] = isMap(input)
    ? machine.checkInput(input)
    : [{ path: 'input', message: 'expected an object: its keys are written to the context' }]
  if (fault) return { code: 'invalid-input', params: { fault: `${fault.path} ${fault.message}` } }
  if (isOver(run)) return undefined
  if (run.policy.rounds.busy === 'reject') {
    const asking = run.pending.find(each => each.type === 'interrupt' && !restricts(each))
    if (asking) return { code: 'question-open', params: { question: asking.id } }
    return { code: 'thread-busy', params: { round: run.round } }
  }
  return run.queue.length >= QUEUE_MAX
    ? { code: 'queue-full', params: { limit: QUEUE_MAX } }
    : undefined
}

/**
 * The queue with an accepted message. A message that ends the current round goes first. Between rounds, it comes after those that were
 * accepted earlier, or takes the place of one whose round it would roll back. Without the rules it always goes first.
 */
export function enqueue(
  { queue, policy, ended }: Run,
  input: Json,
  rules?: Rules,
): readonly Queued[] {
  const { busy } = policy.rounds
  const isBetween = ended !== undefined && rules !== undefined
  if (busy === 'rollback') {
    const kept = isBetween ? queue.filter(({ from }) => from !== 'opening') : queue
    return [{ input, from: 'opening' }, ...kept]
  }
  const next = { input, from: 'last' } as const
  return busy === 'interrupt' && !isBetween ? [next, ...queue] : [...queue, next]
}

/** The event that a host commits next, if a round has ended and a message waits. */
export const nextRound = (run: Run): { readonly type: 'round.started' } | undefined =>
  run.ended && !isOver(run) ? { type: 'round.started' } : undefined

/** The message with which the event starts a round, if it starts one. */
export function roundOpener(machine: AgentMachine, run: Run, event: Stamped): Queued | undefined {
  if (!run.ended) return undefined
  if (event.type === 'round.started') return run.queue[0]
  if (event.type !== 'message' || !isOver(run)) return undefined
  return messageRejection(machine, run, event.input)
    ? undefined
    : { input: event.input, from: 'last' }
}

/** A message resets the detectors, unless messages were sent again as often as a reminder may be. Then repetitions count across rounds. */
function watchForRound({ watch, policy }: Run, { times }: Resent): Run['watch'] {
  const { repeatedText } = policy.detect
  return repeatedText && times >= repeatedText.nudges ? renewLimits(watch) : resetForRound(watch)
}

/** The run at the start of a round, before the first step of its machine. Writes of earlier rounds are no longer compensated. */
export function openRound(run: Run, before: Run, { input, from }: Queued): Run {
  const { ended: _, savepointDue: __, rejections: ___, unresolved: ____, ...rest } = run
  const resent = resentAfter(before, input, run.at)
  const context = from === 'last' ? run.snapshot.context : run.opening.context
  return {
    ...rest,
    round: run.round + 1,
    opening: { seq: run.seq, context },
    queue: run.queue.slice(1),
    watch: watchForRound(run, resent),
    resent,
    compensable: [],
    uncompensatable: [],
    answers: [],
  }
}

/** The first step of a round after `openRound`. */
export const firstStep = (machine: AgentMachine, { opening }: Run, { input }: Queued): Step =>
  opening.context === null ? machine.start(input) : machine.restart(opening.context, input)

/** Applies an event between rounds that starts no round. Returns the same run if the event has no effect. */
export function noteBetweenRounds(
  machine: AgentMachine,
  run: Run,
  event: Stamped,
  rules: Rules | undefined,
): Run {
  switch (event.type) {
    case 'message':
      return isOver(run) || messageRejection(machine, run, event.input)
        ? run
        : { ...run, queue: enqueue(run, event.input, rules) }
    case 'cancel':
      return isOver(run) ? run : { ...run, queue: [] }
    case 'forked':
      return forkedRun(machine, run, event)
    case 'policy.changed':
      return { ...run, policy: withDefaults(event.policy) }
    default:
      return run
  }
}
