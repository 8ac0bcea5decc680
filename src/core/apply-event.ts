/** The machine's half of `advance`: interprets an event, steps the machine, and updates the run. */
import { questionsLeft, questionsOfRound, stillUnresolved } from './doubts.ts'
import { unanswered, withUnresolved, writesToKeep } from './doubts.ts'
import { callsInDoubt, callsRepeating, type Effect, issueEffects } from './run/effects.ts'
import { pendingEffect } from './run/effects.ts'
import type { Purpose, QuestionedCall } from './run/effects.ts'
import { controlAfter } from './run/control.ts'
import { diverge, forkedRun } from './fork.ts'
import type { AgentMachine } from './graph/agent-machine.ts'
import type { EnteredState, MachineEvent, Step } from './graph/machine.ts'
import { interpret } from './interpret.ts'
import type { Interpretation } from './interpretation.ts'
import { migrateRun } from './migration.ts'
import { withDoubtful } from './run/doubtful-writes.ts'
import { updateEffectsOfCall } from './effects-of-call.ts'
import { rejectionsAfter } from './run/rejections.ts'
import { enqueue, firstStep, openRound, roundOpener } from './rounds.ts'
import { isStateless } from './run/restriction.ts'
import type { Rules, Run } from './run/run.ts'
import { noteWrites, restoreSavepoint, sinceSavepoint } from './run/savepoint.ts'
import { type Ruled, withoutWrites, writesAfter } from './writes.ts'
import { defined, remember } from './watch/data/json.ts'
import { pollsAfter, openBreakersAfter, retriesAfter } from './watch/retries.ts'
import type { Stamped } from './watch/event/event.ts'
import { withDefaults } from './watch/policy/policy.ts'

/** The run after the machine's step and before the watchdog. */
export interface StepResult {
  readonly machine: AgentMachine
  readonly before: Run
  readonly run: Run
  readonly edges: readonly string[]
  readonly entered: readonly EnteredState[]
  readonly interpretation: Interpretation
  /** The writes whose outcome is unknown if their nodes are left with this event. */
  readonly inDoubt: readonly QuestionedCall[]
  /** The idempotent writes in flight. */
  readonly repeating: readonly QuestionedCall[]
  /** The effect that makes an attempt after this event. If it is left with this event, it makes none. */
  readonly calling?: string
  /** No edge takes the outcome. */
  readonly unhandled: boolean
  readonly ignored: boolean
  /** The rules that decide what the event does. */
  readonly rules?: Rules
}

const NONE: readonly never[] = []

export function applyEvent(
  machine: AgentMachine,
  before: Run,
  event: Stamped,
  rules: Rules | undefined,
): StepResult {
  const interpretation = interpret({ machine, run: before, ...defined({ rules }) }, event)
  const run = updateRecords({ machine, run: before, rules }, event, interpretation)
  const none = { edges: NONE, entered: NONE, unhandled: false }
  const result = {
    machine,
    before,
    run,
    interpretation,
    ignored: interpretation.ignored === true,
    ...(run.wrote ? writesBefore(before, run, { event, ...interpretation }) : NO_WRITES),
    ...(event.type === 'tool.called' && { calling: event.effect }),
    ...defined({ rules }),
    ...none,
  }
  if (interpretation.restores) return { ...result, run: restoreSavepoint(machine, run, event) }
  if (event.type === 'thread.started' && before.seq < 0) {
    const started = { ...result, run: { ...run, startedAt: event.at, round: 1 } }
    return applyStep(started, machine.start(event.input))
  }
  if (event.type === 'migrated') {
    const [migrated, step] = migrateRun(machine, run, event)
    return applyStep({ ...result, run: migrated }, step)
  }
  const message = roundOpener(machine, before, event)
  if (message) {
    const open = openRound(run, before, message)
    const inDoubt = (rules && before.unresolved) ?? NONE
    return applyStep({ ...result, run: open, inDoubt }, firstStep(machine, open, message))
  }
  const isForced = event.type === 'cancel' && event.without === 'graph'
  const possible = isForced
    ? undefined
    : interpretation.events.find(candidate => machine.can(run.snapshot, candidate))
  if (possible) return applyStep(result, machine.step(run.snapshot, possible))
  return interpretation.events.length > 0 ? { ...result, unhandled: true } : result
}

type Writes = Pick<StepResult, 'inDoubt' | 'repeating'>

const NO_WRITES: Writes = { inDoubt: NONE, repeating: NONE }

/**
 * Writes in flight and asked about. A node that ends without waiting for its write leaves it, too. The attempt that an event announces is
 * made after the event is stored, and only if its node is not left: it is not in flight yet.
 */
function writesBefore(
  before: Run,
  run: Run,
  { event, finishes }: Pick<Interpretation, 'finishes'> & { readonly event: Stamped },
): Writes {
  const { pending } = event.type === 'tool.called' ? before : run
  const finished = finishes === undefined ? undefined : pendingEffect(before.pending, finishes)
  const effects = finished?.type === 'invoke' ? [finished, ...pending] : pending
  return { inDoubt: callsInDoubt(effects), repeating: callsRepeating(effects) }
}

/** Takes another step of the machine, if the machine accepts the event. */
export function stepAgain(from: StepResult, event: MachineEvent, purpose: Purpose): StepResult {
  const { machine, run } = from
  return machine.can(run.snapshot, event)
    ? applyStep(from, machine.step(run.snapshot, event), purpose)
    : from
}

/** The run without the write that its node does not make, because the node is left at the event that announces it. */
export function withoutUnsent({ before, run, calling }: StepResult, isEnd: boolean): Run {
  if (calling === undefined || (!isEnd && pendingEffect(run.pending, calling))) return run
  const { wrote: _, ...rest } = run
  return { ...rest, compensable: before.compensable, ...(before.wrote && { wrote: true }) }
}

/** Whether a command has ended the thread although the machine has no edge for it. */
export const endsByCommand = ({ unhandled, interpretation }: StepResult): boolean =>
  unhandled && interpretation.ends !== undefined

/** Applies a step of the machine: counts entries, removes the effects of exited states, and issues new ones. */
function applyStep(from: StepResult, step: Step, purpose?: Purpose): StepResult {
  const { machine, run } = from
  const { snapshot, asked, entered, edges } = step
  const { seq, at } = run
  const entries: Record<string, number> = { ...run.entries }
  for (const { state } of entered) entries[state] = (entries[state] ?? 0) + 1
  const issue = { ...purpose, asked, seq, at, entries, review: run.policy.escape.review }
  const kept = stillPending(from, step)
  const left = snapshot.status === 'active' ? questionsOf(from, kept) : NONE
  const pending = [...kept, ...issueEffects(machine, issue), ...left]
  const held = new Set(callsRepeating(kept).map(({ call }) => call))
  const repeating = from.repeating.filter(({ call }) => !held.has(call))
  const writes = repeating.length > 0 ? withoutNode(run, repeating) : {}
  const next = { ...run, ...writes, snapshot, entries, pending }
  return { ...from, run: next, edges: [...from.edges, ...edges], entered }
}

const questionsOf = ({ before, run, inDoubt }: StepResult, kept: readonly Effect[]) =>
  before.ended
    ? questionsOfRound(run, kept, inDoubt)
    : questionsLeft(run, { before: before.pending, kept }, inDoubt)

/** A write that its node does not repeat stays, and the next identical call repeats it. */
const withoutNode = (run: Run, calls: readonly QuestionedCall[]) => ({
  ...noteWrites(run, calls),
  doubtful: calls.reduce(withDoubtful, run.doubtful ?? []),
})

function stillPending({ machine, run }: StepResult, step: Step): readonly Effect[] {
  if (run.pending.length === 0 || step.snapshot.status !== 'active') return NONE
  const active = machine.active(step.snapshot)
  const entered = new Set(step.entered.map(({ state }) => state))
  return run.pending.filter(
    effect => isStateless(effect) || (active.has(effect.state) && !entered.has(effect.state)),
  )
}

/** The model answers that a run keeps. */
const KEPT_ANSWERS_MAX = 16

/** Updates everything in the run except the state of the machine: clock, starts, finished effects, writes, policy. */
function updateRecords(
  { machine, run, rules }: Ruled & Pick<StepResult, 'machine'>,
  event: Stamped,
  interpretation: Interpretation,
): Run {
  const { finishes, pending = run.pending, ignored } = interpretation
  const unfinished = finishes === undefined ? pending : pending.filter(({ id }) => id !== finishes)
  const { version } = machine.parts.detectors
  const isSameVersion = run.watch.version === version
  const since = sinceSavepoint(run, event, run.seq + 1)
  const toKeep = rules ? writesToKeep(run, unfinished, event) : NONE
  const { compensable, uncompensatable } = noteWrites(since, toKeep)
  const controlled = controlAfter(diverge(run, event), event, run.seq + 1)
  const unresolved = withUnresolved(stillUnresolved(run, event), unanswered(run, unfinished, event))
  const noted: Run = {
    ...withoutWrites(controlled),
    ...writesAfter({ run, rules }, event, unresolved),
    seq: run.seq + 1,
    at: event.at,
    compensable,
    uncompensatable,
    pending:
      'call' in event
        ? updateEffectsOfCall(unfinished, event, { seq: run.seq + 1, rules })
        : unfinished,
    openBreakers: openBreakersAfter(run.openBreakers, event),
    retries: retriesAfter(run.retries, event),
    watch: isSameVersion ? run.watch : { ...run.watch, version, regions: {}, reportedLoops: [] },
    ...defined({
      polls: pollsAfter(run.polls, event, run.policy),
      rejections: rejectionsAfter(run, event),
    }),
  }
  if (event.type === 'forked')
    return {
      ...forkedRun(machine, { ...run, watch: noted.watch }, event),
      seq: noted.seq,
      at: noted.at,
    }
  if (event.type === 'message' && !ignored && !run.ended)
    return { ...noted, queue: enqueue(run, event.input) }
  if (event.type === 'policy.changed') return { ...noted, policy: withDefaults(event.policy) }
  if (event.type === 'model.done')
    return { ...noted, answers: remember(run.answers, [noted.seq, event.call], KEPT_ANSWERS_MAX) }
  return noted
}
