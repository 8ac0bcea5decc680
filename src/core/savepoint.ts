/** The mark of a run: where it can go back to, and what would have to be undone on the way. */
import type { AgentMachine } from './graph/agent-machine.ts'
import type { RequestedEffect } from './graph/machine.ts'
import { type Effect, issueEffects } from './effects.ts'
import type { Run, CompensableWrite } from './run.ts'
import type { AgentEvent, Stamped } from './watch/event/event.ts'
import type { Reason } from './watch/reason/reason.ts'
import type { EscapePolicy } from './watch/policy/policy.ts'
import type { Finding } from './watch/event/finding.ts'

/** The writes since the mark: those that can be undone, oldest first, and the tools of those that cannot. */
export interface WritesSince {
  readonly compensable: readonly CompensableWrite[]
  readonly uncompensatable: readonly string[]
}

/** What an event of a call adds to the writes since the mark, or takes from them; the very same where it does neither. */
export function sinceSavepoint(since: WritesSince, event: AgentEvent, seq: number): WritesSince {
  switch (event.type) {
    case 'tool.called':
      if (!event.compensable || since.compensable.some(({ call }) => call === event.call))
        return since
      return {
        ...since,
        compensable: [...since.compensable, { call: event.call, tool: event.subject, called: seq }],
      }
    case 'tool.done':
      if (event.compensates !== undefined) return withoutWrite(since, event.compensates)
      return event.effects === 'write' ? tookEffect(since, event, seq) : since
    case 'call.late':
      if (event.compensates !== undefined)
        return event.ok ? withoutWrite(since, event.compensates) : since
      return event.ok && event.effects === 'write' ? tookEffect(since, event, seq) : since
    case 'child.done':
      return event.effects === 'write' ? tookEffect(since, event, seq) : since
    case 'call.reconciled':
      return event.answer === 'applied'
        ? tookEffect(since, event, seq)
        : event.answer === 'not-applied'
          ? withoutWrite(since, event.call)
          : since
    case 'resume':
      return event.decision === 'not-applied'
        ? withoutWrite(since, event.effect.slice(0, -1))
        : event.decision === 'applied'
          ? confirmWrite(since, event.effect.slice(0, -1), seq)
          : since
    case 'tool.failed':
      return event.final && event.failure.class !== 'indeterminate'
        ? withoutWrite(since, event.call)
        : since
    case 'call.substituted':
      // Whoever was called has surely done nothing; who answers now undoes what he does.
      return withoutWrite(since, event.call)
    default:
      return since
  }
}

function tookEffect(
  since: WritesSince,
  { call, subject }: { readonly call: string; readonly subject: string },
  seq: number,
): WritesSince {
  if (since.compensable.some(entry => entry.call === call)) return confirmWrite(since, call, seq)
  return since.uncompensatable.includes(subject)
    ? since
    : { ...since, uncompensatable: [...since.uncompensatable, subject] }
}

function confirmWrite(since: WritesSince, call: string, seq: number): WritesSince {
  return {
    ...since,
    compensable: since.compensable.map(entry =>
      entry.call === call ? { ...entry, done: seq } : entry,
    ),
  }
}

function withoutWrite(since: WritesSince, call: string): WritesSince {
  return since.compensable.some(entry => entry.call === call)
    ? { ...since, compensable: since.compensable.filter(entry => entry.call !== call) }
    : since
}

/**
 * The run with its mark moved to here, if it has made progress and here is sound: a node that has written is not begun anew, for it
 * would write again. Until it has ended, the mark is due.
 */
export function moveSavepoint(run: Run, progressed: boolean): Run {
  if (!progressed && !run.savepointDue) return run
  const { seq, at, snapshot, pending } = run
  if (
    pending.some(
      effect => effect.type === 'rollback' || (effect.type === 'invoke' && effect.wrote === true),
    )
  )
    return { ...run, savepointDue: true }
  const { savepointDue: _, ...rest } = run
  return {
    ...rest,
    savepoint: { seq, at, snapshot, pending },
    compensable: run.compensable.filter(({ done }) => done === undefined),
    uncompensatable: [],
  }
}

/** The seq of the mark, or the reason why the run cannot go back to it. */
export function rollbackTarget(run: Run, { rollback }: EscapePolicy): number | Reason {
  if (run.savepoint.seq <= run.opening.seq) return { code: 'no-savepoint' }
  const underWay = run.pending.flatMap(effect =>
    effect.type === 'invoke'
      ? (effect.writing ?? [])
      : effect.type === 'interrupt' && effect.call && effect.call.proposed === undefined
        ? [effect.call]
        : [],
  )
  const [doubtful] = [
    ...underWay.map(({ tool }) => tool),
    ...run.compensable.flatMap(({ done, tool }) => (done === undefined ? [tool] : [])),
  ]
  if (doubtful !== undefined) return { code: 'call-unresolved', params: { call: doubtful } }
  const [child] = Object.values(run.watch.account.reserved)
  if (child) return { code: 'child-unresolved', params: { graph: child.subject } }
  const [spoilt] = run.uncompensatable.filter(tool => !rollback.accept.includes(tool))
  return spoilt === undefined
    ? run.savepoint.seq
    : { code: 'irreversible-write', params: { tool: spoilt } }
}

/** The run on its way back from a state: the effect that undoes what was done since the mark. All other work of the thread is left. */
export function startRollback(run: Run, state: string): Run {
  const nth = (run.entries[ROLLBACK] ?? 0) + 1
  const effect: Effect = {
    id: `${ROLLBACK}#${nth}`,
    type: 'rollback',
    state,
    region: '',
    node: ROLLBACK,
    since: run.seq,
    to: run.savepoint.seq,
    starts: 0,
  }
  return { ...run, entries: { ...run.entries, [ROLLBACK]: nth }, pending: [effect] }
}

const ROLLBACK = 'rollback'

/** The run back at its mark: what was promised there is promised again, under new ids. What it has learnt and spent stays. */
export function restoreSavepoint(machine: AgentMachine, run: Run, event: Stamped): Run {
  const { savepoint } = run
  const entries: Record<string, number> = { ...run.entries }
  for (const state of new Set(savepoint.pending.map(({ state }) => state)))
    entries[state] = (entries[state] ?? 0) + 1
  const again = savepoint.pending.filter(isReissued)
  const issue = { seq: run.seq, at: event.at, entries, review: run.policy.escape.review }
  const asks = again.map(effect => reissueEffect(effect, savepoint.at))
  const pending = issueEffects(machine, asks, issue).map((effect, index) =>
    withSamePurpose(effect, again[index]),
  )
  return {
    ...run,
    entries,
    pending,
    snapshot: savepoint.snapshot,
    compensable: [],
    uncompensatable: [],
    savepoint: { ...savepoint, seq: run.seq, at: event.at, pending },
  }
}

/** What is promised again; a question about a call is asked by its node, which begins anew. */
function isReissued(effect: Effect): effect is Exclude<Effect, { readonly type: 'rollback' }> {
  return effect.type !== 'rollback' && !(effect.type === 'interrupt' && effect.call)
}

/** What the machine had asked for, to be asked again: of a time that was set then, what was left of it. */
function reissueEffect(
  effect: Exclude<Effect, { readonly type: 'rollback' }>,
  at: number,
): RequestedEffect {
  const { state, region, node, type } = effect
  const left = effect.deadline === undefined ? undefined : Math.max(0, effect.deadline - at)
  if (type === 'wait') return { type, state, region, params: { node, for: left ?? 0 } }
  if (type === 'invoke') return { type, state, region, params: { node, timeout: effect.timeout } }
  return {
    type,
    state,
    region,
    params: { node, question: effect.question, ...(left === undefined ? {} : { deadline: left }) },
  }
}

/** A question that the ladder asked has the same reasons as before, and a model that was to think again still is. */
function withSamePurpose(effect: Effect, before: Effect | undefined): Effect {
  if (effect.type === 'invoke')
    return before?.type === 'invoke' && before.rethinking ? { ...effect, rethinking: true } : effect
  return effect.type === 'interrupt' && before?.type === 'interrupt' && before.about
    ? { ...effect, about: before.about }
    : effect
}

const DROPPED_MAX = 64

/**
 * The run without the answers of models that made up the last lap. What of them were reads is left out of what models are sent;
 * the results of writes stay, for what was done in the world has happened.
 */
export function dropLastLap(run: Run, finding: Finding | undefined): Run {
  if (!finding) return run
  const begin = finding.events.at(-Math.min(finding.period, finding.events.length)) ?? run.seq
  // The lap begins with the answer that asked for its first call.
  const first = run.answers.findLastIndex(([seq]) => seq <= begin)
  const lap = run.answers.slice(Math.max(0, first)).map(([, call]) => call)
  return { ...run, dropped: [...new Set([...run.dropped, ...lap])].slice(-DROPPED_MAX) }
}
