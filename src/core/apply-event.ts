/** The machine's half of `advance`: what an event means to the law, and what the run is once the law has been followed. */
import { diverge, forkedRun } from './fork.ts'
import type { AgentMachine } from './graph/agent-machine.ts'
import type { EnteredState, MachineEvent, Snapshot, Step } from './graph/machine.ts'
import { issueEffects, type Effect, type Purpose } from './effects.ts'
import { restoreSavepoint, sinceSavepoint } from './savepoint.ts'
import { interpret } from './interpret.ts'
import type { Interpretation } from './interpretation.ts'
import { firstStep, roundOpener, enqueue, openRound } from './rounds.ts'
import type { Run } from './run.ts'
import { circuitsAfter } from './watch/circuits.ts'
import type { AgentEvent, Stamped } from './watch/event/event.ts'
import { remember } from './watch/data/json.ts'
import { withDefaults } from './watch/policy/policy.ts'
import { retriesAfter } from './watch/retries.ts'

/** The run after the law and before the watchdog. */
export interface StepResult {
  readonly before: Run
  readonly run: Run
  readonly edges: readonly string[]
  readonly entered: readonly EnteredState[]
  readonly meaning: Interpretation
  /** The outcome found no edge. */
  readonly unhandled: boolean
  readonly ignored: boolean
  readonly reason: string | undefined
}

const NONE: readonly never[] = []

export function applyEvent(machine: AgentMachine, before: Run, event: Stamped): StepResult {
  const meaning = interpret(machine, before, event)
  const run = noteEvent(machine, before, event, meaning)
  const still = {
    before,
    run,
    edges: NONE,
    entered: NONE,
    meaning,
    unhandled: false,
    ignored: meaning.ignored === true,
    reason: meaning.reason,
  }
  if (meaning.restores) return { ...still, run: restoreSavepoint(machine, run, event) }
  if (event.type === 'thread.started' && before.seq < 0)
    return takeStep(
      machine,
      { ...still, run: { ...run, startedAt: event.at, round: 1 } },
      machine.start(event.input),
    )
  const message = roundOpener(machine, before, event)
  if (message) {
    const open = openRound(run, message)
    return takeStep(machine, { ...still, run: open }, firstStep(machine, open, message))
  }
  const taken = meaning.events.find(candidate => machine.can(run.snapshot, candidate))
  if (taken) return takeStep(machine, still, machine.step(run.snapshot, taken))
  return meaning.events.length > 0 ? { ...still, unhandled: true } : still
}

/** One more step of the machine from here, if it can take it. */
export function stepAgain(
  machine: AgentMachine,
  from: StepResult,
  event: MachineEvent,
  purpose?: Purpose,
): StepResult {
  const { snapshot } = from.run
  return machine.can(snapshot, event)
    ? takeStep(machine, from, machine.step(snapshot, event), purpose)
    : from
}

/** Somebody's word has ended the thread, and the machine has no edge for it. */
export function endsByCommand({ unhandled, meaning }: StepResult): boolean {
  return unhandled && meaning.ends !== undefined
}

/** The run after one step of the machine: entries counted, effects of exited states gone, new ones promised. */
function takeStep(
  machine: AgentMachine,
  from: StepResult,
  { snapshot, asked, entered, edges }: Step,
  purpose?: Purpose,
): StepResult {
  const { run } = from
  const entries: Record<string, number> = { ...run.entries }
  for (const { state } of entered) entries[state] = (entries[state] ?? 0) + 1
  const pending = [
    ...stillPending(machine, run.pending, snapshot, entered),
    ...issueEffects(machine, asked, {
      ...purpose,
      seq: run.seq,
      at: run.at,
      entries,
      review: run.policy.escape.review,
    }),
  ]
  return {
    ...from,
    run: { ...run, snapshot, entries, pending },
    edges: [...from.edges, ...edges],
    entered,
  }
}

function stillPending(
  machine: AgentMachine,
  pending: readonly Effect[],
  snapshot: Snapshot,
  entered: readonly EnteredState[],
): readonly Effect[] {
  if (pending.length === 0 || snapshot.status !== 'active') return NONE
  const active = machine.active(snapshot)
  return pending.filter(
    effect => active.has(effect.state) && !entered.some(({ state }) => state === effect.state),
  )
}

const SAID_MAX = 16

/** Rows that show that something came of an effect's start: without one, the third start is a crash loop. */
const ANSWERS: ReadonlySet<string> = new Set([
  'tool.done',
  'tool.failed',
  'model.done',
  'model.failed',
  'call.reconciled',
  'circuit.refused',
  'reported',
  'child.done',
  'child.refused',
])

/** What the run notes of an event whether or not the machine moves: its number and time, starts, settled effects, undo, policy. */
function noteEvent(
  machine: AgentMachine,
  run: Run,
  event: Stamped,
  { settles, pending = run.pending, ignored }: Interpretation,
): Run {
  const left = settles === undefined ? pending : pending.filter(({ id }) => id !== settles)
  const { version } = machine.parts.detectors
  const noted: Run = {
    ...diverge(run, event),
    seq: run.seq + 1,
    at: event.at,
    pending: 'call' in event ? left.map(effect => withCall(effect, event)) : left,
    circuits: circuitsAfter(run.circuits, event),
    retries: retriesAfter(run.retries, event),
    watch:
      run.watch.version === version
        ? run.watch
        : { ...run.watch, version, regions: {}, reportedLoops: [] },
    ...(mayWrite(event) ? { wrote: true } : {}),
  }
  if (event.type === 'forked')
    return { ...forkedRun({ ...run, watch: noted.watch }, event), seq: noted.seq, at: noted.at }
  if (event.type === 'message' && !ignored && !run.ended)
    return { ...noted, queue: enqueue(run, event.input) }
  if (event.type === 'policy.changed') return { ...noted, policy: withDefaults(event.policy) }
  if (event.type === 'model.done')
    return { ...noted, answers: remember(run.answers, [noted.seq, event.call], SAID_MAX) }
  const since = sinceSavepoint(run, event, noted.seq)
  return since === run
    ? noted
    : { ...noted, compensable: since.compensable, uncompensatable: since.uncompensatable }
}

/** The world is changed, or may be. */
function mayWrite(event: AgentEvent): boolean {
  return (event.type === 'tool.called' || event.type === 'child.done') && event.effects === 'write'
}

type CallOf = Extract<AgentEvent, { readonly call: string }>

/** An effect after an event of one of its calls: what came of its start, and which writes are on their way. */
function withCall(effect: Effect, event: CallOf): Effect {
  if (effect.id !== event.effect || (effect.type !== 'invoke' && effect.type !== 'rollback'))
    return effect
  const answered = ANSWERS.has(event.type)
  const starts = answered && effect.starts > 1 ? 1 : effect.starts
  const counted = starts === effect.starts ? effect : { ...effect, starts }
  if (counted.type === 'rollback') return counted
  // What a child does to the world is done for its parent.
  if (event.type === 'child.started') return { ...counted, wrote: true }
  if (event.type === 'tool.called')
    return event.effects === 'write'
      ? { ...counted, wrote: true, ...writing(counted, event) }
      : counted
  if (!counted.writing || !(answered || event.type === 'call.late')) return counted
  const { writing: out, ...rest } = counted
  const left = out.filter(({ call }) => call !== event.call)
  return left.length > 0 ? { ...rest, writing: left } : rest
}

function writing(
  effect: Effect & { readonly type: 'invoke' },
  { call, subject, key, repeatable }: Extract<CallOf, { readonly type: 'tool.called' }>,
): Pick<typeof effect, 'writing'> {
  return repeatable
    ? {}
    : { writing: [...(effect.writing ?? []), { effect: effect.id, call, tool: subject, key }] }
}
