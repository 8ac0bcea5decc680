/** Savepoints: the state that a run can roll back to, and the writes that a rollback must compensate. */
import { callsInDoubt, callsRepeating, type Effect, issueEffects } from './effects.ts'
import type { QuestionedCall } from './effects.ts'
import type { AgentMachine } from '../graph/agent-machine.ts'
import type { RequestedEffect } from '../graph/machine.ts'
import { callOfQuestion } from './question-id.ts'
import { restrictionsIn, restricts } from './restriction.ts'
import type { CompensableWrite, Run } from './run.ts'
import { defined } from '../watch/data/json.ts'
import type { AgentEvent, EventOf, Stamped, Finding } from '../watch/event/event.ts'
import type { EscapePolicy } from '../watch/policy/policy.ts'
import type { Reason } from '../watch/reason/reason.ts'

/** The writes since the savepoint: the compensable ones, oldest first, and the tools of the others. */
type WritesSince = Pick<Run, 'compensable' | 'uncompensatable'>

/** Adds the writes of an event to the writes since the savepoint, or removes them. Returns the same object if nothing changes. */
export function sinceSavepoint(since: WritesSince, event: AgentEvent, seq: number): WritesSince {
  switch (event.type) {
    case 'tool.called': {
      const { call, subject: tool } = event
      return event.compensable && !isCompensable(since, call)
        ? { ...since, compensable: [...since.compensable, { call, tool, called: seq }] }
        : since
    }
    case 'tool.done':
    case 'call.late':
      if (event.type === 'call.late' && !event.ok) return since
      if (event.compensates !== undefined) return withoutWrite(since, event.compensates)
      return event.effects === 'write' ? confirmWrite(since, event, seq) : since
    case 'child.done':
      return event.effects === 'write' ? confirmWrite(since, event, seq) : since
    case 'call.reconciled':
      if (event.answer === 'not-applied') return withoutWrite(since, event.call)
      return event.answer === 'applied' ? confirmWrite(since, event, seq) : since
    case 'resume': {
      const call = callOfQuestion(event.effect) ?? ''
      if (event.decision === 'not-applied') return withoutWrite(since, call)
      return event.decision === 'applied' ? confirmWrite(since, { call }, seq) : since
    }
    case 'circuit.refused':
      return afterFailure(since, event, seq)
    case 'tool.failed': {
      const isOpen = !event.final || event.failure.class === 'indeterminate'
      // The next rollback undoes the write under the same key.
      return isOpen || event.compensates !== undefined ? since : afterFailure(since, event, seq)
    }
    case 'call.substituted':
      // The original tool did nothing. The substitute compensates its own write.
      return withoutWrite(since, event.call)
    default:
      return since
  }
}

/** Notes writes that have taken effect, or may have: a rollback would make them again. */
export function noteWrites(since: WritesSince, calls: readonly QuestionedCall[]): WritesSince {
  if (calls.length === 0) return since
  const noted = calls.filter(({ call }) => !isCompensable(since, call)).map(({ tool }) => tool)
  const { compensable, uncompensatable } = since
  return { compensable, uncompensatable: [...new Set([...uncompensatable, ...noted])] }
}

/** A write that may have taken effect stays: neither an undo nor a repetition is safe. */
function afterFailure(
  since: WritesSince,
  { call, subject, failure }: EventOf<'tool.failed' | 'circuit.refused'>,
  seq: number,
): WritesSince {
  const failed = withoutWrite(since, call)
  return failure.unproven ? confirmWrite(failed, { call, subject }, seq) : failed
}

const isCompensable = ({ compensable }: WritesSince, call: string): boolean =>
  compensable.some(entry => entry.call === call)

type Confirmed = { readonly call: string; readonly subject?: string }

/** The write took effect. One that its tool cannot compensate is noted by its `subject`, if the event names it. */
function confirmWrite(since: WritesSince, { call, subject }: Confirmed, seq: number): WritesSince {
  const { compensable, uncompensatable } = since
  if (subject === undefined || isCompensable(since, call)) {
    const confirm = (entry: CompensableWrite) =>
      entry.call === call ? { ...entry, done: seq } : entry
    return { ...since, compensable: compensable.map(confirm) }
  }
  return uncompensatable.includes(subject)
    ? since
    : { ...since, uncompensatable: [...uncompensatable, subject] }
}

function withoutWrite(since: WritesSince, call: string): WritesSince {
  return isCompensable(since, call)
    ? { ...since, compensable: since.compensable.filter(entry => entry.call !== call) }
    : since
}

/** Moves the savepoint here after progress. Waits for the end of a node that has written: after a restart it would write again. */
export function moveSavepoint(run: Run, progressed: boolean): Run {
  if (!progressed && !run.savepointDue) return run
  const { seq, at, snapshot, pending } = run
  if (pending.some(effect => effect.type === 'rollback' || ('wrote' in effect && effect.wrote)))
    return { ...run, savepointDue: true }
  const { savepointDue: _, ...rest } = run
  return {
    ...rest,
    savepoint: { seq, at, snapshot, pending },
    compensable: run.compensable.filter(({ done }) => done === undefined),
    uncompensatable: [],
  }
}

/** The seq of the savepoint, or the reason why the run cannot roll back to it. */
export function rollbackTarget(run: Run, { rollback }: EscapePolicy): number | Reason {
  if (run.savepoint.seq <= run.opening.seq) return { code: 'no-savepoint' }
  const inFlight = [...callsInDoubt(run.pending), ...callsRepeating(run.pending)]
  const unresolved = inFlight[0] ?? run.compensable.find(({ done }) => done === undefined)
  if (unresolved) return { code: 'call-unresolved', params: { call: unresolved.tool } }
  const [child] = Object.values(run.watch.account.reserved)
  if (child) return { code: 'child-unresolved', params: { graph: child.subject } }
  const tool = run.uncompensatable.find(name => !rollback.accept.includes(name))
  return tool === undefined ? run.savepoint.seq : { code: 'irreversible-write', params: { tool } }
}

const ROLLBACK = 'rollback'

/** Starts a rollback from a state. Its effect, which compensates the writes since the savepoint, replaces all other work. */
export function startRollback(run: Run, state: string): Run {
  const nth = (run.entries[ROLLBACK] ?? 0) + 1
  const base = { id: `${ROLLBACK}#${nth}`, state, region: '', node: ROLLBACK, since: run.seq }
  const effect: Effect = { ...base, type: 'rollback', to: run.savepoint.seq, starts: 0 }
  return {
    ...run,
    entries: { ...run.entries, [ROLLBACK]: nth },
    pending: [effect, ...restrictionsIn(run)],
  }
}

/** The run at its savepoint. The effects of that time are issued again under new ids. Lessons and spending stay. */
export function restoreSavepoint(machine: AgentMachine, run: Run, { at }: Stamped): Run {
  const { savepoint } = run
  const entries: Record<string, number> = { ...run.entries }
  for (const state of new Set(savepoint.pending.map(({ state }) => state)))
    entries[state] = (entries[state] ?? 0) + 1
  const before = savepoint.pending.filter(isReissued)
  const asked = before.map(effect => reissueEffect(effect, savepoint.at))
  const issue = { asked, seq: run.seq, at, entries, review: run.policy.escape.review }
  const effects = issueEffects(machine, issue)
  const reissued = effects.map((effect, index) => withSamePurpose(effect, before[index]))
  const pending = [...reissued, ...restrictionsIn(run)]
  return {
    ...{ ...run, entries, pending, compensable: [], uncompensatable: [] },
    snapshot: savepoint.snapshot,
    savepoint: { ...savepoint, seq: run.seq, at, pending },
  }
}

type Reissued = Exclude<Effect, { readonly type: 'rollback' }>

/** A question about a call is not issued again: its node restarts and asks it. That of restricted mode stays. */
const isReissued = (effect: Effect): effect is Reissued =>
  effect.type !== 'rollback' && !(effect.type === 'interrupt' && effect.call) && !restricts(effect)

/** The request that led to an effect. A deadline becomes the time that was left at the savepoint. */
function reissueEffect(effect: Reissued, at: number): RequestedEffect {
  const { state, region, node, type } = effect
  const left = effect.deadline === undefined ? undefined : Math.max(0, effect.deadline - at)
  if (type === 'wait') return { type, state, region, params: { node, for: left ?? 0 } }
  if (type === 'invoke') return { type, state, region, params: { node, timeout: effect.timeout } }
  const params = { node, question: effect.question, ...defined({ deadline: left }) }
  return { type, state, region, params }
}

/** Keeps the finding that a review is about, and the request to rethink. */
function withSamePurpose(effect: Effect, before: Effect | undefined): Effect {
  if (effect.type === 'invoke')
    return before?.type === 'invoke' && before.rethinking ? { ...effect, rethinking: true } : effect
  return effect.type === 'interrupt' && before?.type === 'interrupt' && before.about
    ? { ...effect, about: before.about }
    : effect
}

const DROPPED_MAX = 64

/** Drops the model answers of the last lap, and the reads they led to, from the prompt. Writes stay: they took effect. */
export function dropLastLap(run: Run, finding: Finding | undefined): Run {
  if (!finding) return run
  const start = finding.events.at(-Math.min(finding.period, finding.events.length)) ?? run.seq
  // The lap starts with the answer that requested its first call.
  const first = run.answers.findLastIndex(([seq]) => seq <= start)
  const lap = run.answers.slice(Math.max(0, first)).map(([, call]) => call)
  return { ...run, dropped: [...new Set([...run.dropped, ...lap])].slice(-DROPPED_MAX) }
}
