/** `advance` processes one event: the machine takes a step, the watchdog judges it, and the run takes the escape route if there is one. */
import { codedError, guardOf } from './watch/data/fault.ts'
import { applyEvent, endsByCommand, stepAgain, type StepResult } from './apply-event.ts'
import { withoutUnsent } from './apply-event.ts'
import { unresolvedAfter, withUnresolved } from './doubts.ts'
import { type Effect, pendingEffect, type Purpose } from './run/effects.ts'
import { leftRegion, MachineRoutes } from './escape-routes.ts'
import { uncontrolled } from './run/control.ts'
import type { Interpretation } from './interpretation.ts'
import type { AgentMachine, Outcome } from './graph/agent-machine.ts'
import { machineAt } from './migration.ts'
import { withQuestionId } from './run/recorded-question.ts'
import { isStateless, restrictRun } from './run/restriction.ts'
import { noteBetweenRounds, roundOpener } from './rounds.ts'
import { isRuled, RULES } from './run/rules.ts'
import { type Ending, type Row, type Rules, type Run, runnable } from './run/run.ts'
import { tallyAfter } from './run/tally.ts'
import { dropLastLap, moveSavepoint, startRollback } from './run/savepoint.ts'
import { closeAccount } from './watch/budget/account.ts'
import { canonical, defined } from './watch/data/json.ts'
import { type Verdict, CONTINUE } from './watch/escape/ladder.ts'
import type { Finding, Stamped } from './watch/event/event.ts'
import { applyVerdict, judge, type Judgement } from './watch/judge.ts'
import { type Reason, STOPPED } from './watch/reason/reason.ts'
import type { WatchInput } from './watch/regions.ts'
import { withoutWrites, writesAfter } from './writes.ts'

const LESSONS_MAX = 8
const NONE: readonly never[] = []

/**
 * Takes one event and returns the next run. Accepts every `AgentEvent`; the caller checks outside data first.
 * @example const next = advance(graph.machine, run, { type: 'cancel', reason: 'no longer needed', epoch: 1, at: Date.now() })
 */
export const advance = (machine: AgentMachine, run: Run, event: Stamped): Run =>
  applyAndJudge(machine, run, event.at >= run.at ? event : { ...event, at: run.at })

/**
 * Applies a row of a journal. The recorded findings and verdict apply; the edges are computed again and compared.
 * @throws Nondeterministic if the edges differ
 * @example const next = refold(graph.machine, run, row)
 */
export const refold = (machine: AgentMachine, run: Run, row: Row): Run =>
  applyAndJudge(machine, run, withQuestionId(run, row), row)

/** The machine takes other edges than the journal records. */
export class Nondeterministic extends codedError('Nondeterministic', 'nondeterministic') {
  constructor(seq: number, recorded: readonly string[], taken: readonly string[]) {
    super(
      `event ${seq} took the edges [${recorded.join(', ')}] when it was recorded, and [${taken.join(', ')}] now: the machine has changed, or depends on more than its events`,
    )
  }
}

/** Whether an error is a `Nondeterministic`. */
export const isNondeterministic = guardOf(Nondeterministic)

function applyAndJudge(newest: AgentMachine, run: Run, event: Stamped, row?: Row): Run {
  const machine = machineAt(newest, run, event)
  const opens = roundOpener(machine, run, event) !== undefined
  const rules = isRuled(run, event, opens) ? (row ?? { rules: RULES }).rules : undefined
  if (run.ended && !opens) return recordBetweenRounds(machine, run, event, rules)
  const step = applyEvent(machine, run, event, rules)
  const input = judgeInputOf(step, event)
  const judgement = judge(step.run.watch, event, input, step.run.policy)
  if (!row) return applyJudgement(step, judgement)
  const { findings, verdict } = row
  const next = applyJudgement(step, { ...judgement, findings, verdict })
  if (next.last.edges.join() !== row.edges.join())
    throw new Nondeterministic(row.seq, row.edges, next.last.edges)
  return next
}

/** Between rounds and after the last one, the thread only records events: it does not step or judge. */
function recordBetweenRounds(
  machine: AgentMachine,
  run: Run,
  event: Stamped,
  rules: Rules | undefined,
): Run {
  const noted = noteBetweenRounds(machine, run, event, rules)
  const last = { findings: [], verdict: CONTINUE, edges: [], ...defined({ rules }) }
  const seq = run.seq + 1
  // The spending of work that outlived the round counts too.
  const watch =
    event.type === 'child.done' || event.type === 'call.late'
      ? { ...noted.watch, account: closeAccount(noted.watch.account, event, seq) }
      : noted.watch
  const result = noted === run ? { ...last, ignored: true as const } : last
  const writes = writesAfter({ run: noted, rules }, event, unresolvedAfter(noted, event))
  return { ...withoutWrites(noted), ...writes, seq, at: event.at, watch, last: result }
}

/** Applies the judgement to the run: takes the escape route, updates the savepoint, and ends the round. */
function applyJudgement(step: StepResult, judgement: Judgement): Run {
  const { watch, findings, verdict, progressed } = judgement
  const routed = takeEscape(step, verdict)
  const { edges } = routed
  const ended = endingOf(routed, verdict)
  const run = withoutUnsent(routed, ended !== undefined)
  const last = { findings, verdict, edges, ...defined({ rules: step.rules }) }
  const next: Run = {
    ...run,
    watch: applyVerdict(watch, run.seq, verdict, run.policy),
    lessons: addLesson(run.lessons, verdict),
    tally: tallyAfter(run.tally, findings, verdict),
    last: step.ignored ? { ...last, ignored: true } : last,
  }
  if (ended) {
    const left: Run = { ...uncontrolled(next), ended, pending: [], last: { ...next.last, ended } }
    const unresolved = withUnresolved(left.unresolved, step.inDoubt)
    return unresolved.length > 0 ? { ...left, unresolved } : left
  }
  return moveSavepoint(next, progressed || run.round > step.before.round)
}

/** Takes the route of the verdict, or the one that a person chose. */
function takeEscape(step: StepResult, verdict: Verdict): StepResult {
  const { chosen } = step.interpretation
  if (verdict.kind !== 'escape') return chosen ? takeRoute(step, chosen) : step
  const { route, because, considered } = verdict
  if (route.rung !== 'review') return takeRoute(step, { route, because })
  const { otherwise = 'stop' } = step.run.policy.escape.review ?? {}
  const about = { from: route.from, because, considered, otherwise }
  return takeRoute(step, { route, because, about })
}

type RouteInput = NonNullable<Interpretation['chosen']> & Pick<Purpose, 'about'>

/** Takes an escape route: sends an event to the machine, or starts a rollback. */
function takeRoute(step: StepResult, { route, because, ...purpose }: RouteInput): StepResult {
  const [finding] = because
  const { rung } = route
  if (rung === 'rollback') return { ...step, run: startRollback(step.run, route.from) }
  // A stop concerns the whole thread, and all regions are left.
  const region = rung === 'stop' || !finding ? '' : leftRegion(finding)
  if (rung === 'restrict') {
    const { to } = route
    const approved = {
      type: 'human.approved',
      region: route.region,
      ...(to !== undefined && { to }),
    }
    const next = to === undefined ? step : stepAgain(step, approved, {})
    return { ...next, run: restrictRun(next.run, because) }
  }
  const to = rung === 'alternative' || rung === 'rethink' ? route.to : undefined
  const event = { type: 'escape', region, rung, ...(to === undefined ? {} : { to }) }
  if (rung !== 'rethink') return stepAgain(step, event, purpose)
  const next = stepAgain(step, event, { rethinking: route.to })
  return { ...next, run: dropLastLap(next.run, finding) }
}

function endingOf(step: StepResult, verdict: Verdict): Ending | undefined {
  const { machine } = step
  const { snapshot, lessons, watch } = step.run
  // The result contains whole logs, so it is read only at the end.
  const ending = (outcome: Ending['outcome'], reason: string, because: Reason): Ending => {
    return { outcome, reason, because, result: machine.resultOf(snapshot.context) }
  }
  if (snapshot.status === 'error') {
    const message = snapshot.error ?? ''
    return ending('error', 'machine', { code: 'machine-failed', params: { message } })
  }
  // A stop and a command end the thread even if the machine has no edge for them.
  if (verdict.kind === 'escape' && verdict.route.rung === 'stop')
    return ending('stopped', verdict.route.reason, stopReason(step, verdict.because) ?? STOPPED)
  const isDone = snapshot.status === 'done'
  if (!isDone && !endsByCommand(step)) return undefined
  const outcome = isDone ? machine.outcomeOf(snapshot) : (step.interpretation.ends ?? 'stopped')
  if (outcome === 'success') return ending(outcome, 'goal', { code: 'goal-reached' })
  const { reason = outcome, because = WITHOUT_REASON[outcome], explains } = step.interpretation
  // An escape since the last progress of the round explains the failure state it led to.
  const earlier = Object.keys(watch.ladder.used).length > 0 ? lessons.at(-1) : undefined
  const found = verdict.kind === 'escape' ? verdict.because[0]?.reason : undefined
  // The failure or the answer whose edge leads to the end explains it.
  const cause = found ?? explains ?? step.interpretation.failed?.reason ?? earlier
  const known = cause && because === WITHOUT_REASON.failure
  return ending(outcome, reason, known ? { ...because, cause } : because)
}

/** The reason of a stop. A way out that met the same error is not the cause: the failure that led there is. */
function stopReason({ run }: StepResult, [finding]: readonly Finding[]): Reason | undefined {
  const { watch, lessons } = run
  const { kind, reason } = finding ?? {}
  if (kind !== 'failure' || !reason?.cause || Object.keys(watch.ladder.used).length === 0)
    return reason
  const error = canonical(reason.cause)
  return (
    lessons.findLast(
      ({ code, cause }) => code === reason.code && cause && canonical(cause) === error,
    ) ?? reason
  )
}

const WITHOUT_REASON = {
  failure: { code: 'ended-in-failure' },
  stopped: STOPPED,
  cancelled: { code: 'cancelled' },
} as const satisfies Readonly<Record<Exclude<Outcome, 'success'>, Reason>>

function addLesson(lessons: readonly Reason[], verdict: Verdict): readonly Reason[] {
  if (verdict.kind !== 'escape') return lessons
  const lesson = verdict.because[0]?.reason
  if (!lesson) return lessons
  const text = canonical(lesson)
  return lessons.some(other => canonical(other) === text)
    ? lessons
    : [...lessons.slice(-(LESSONS_MAX - 1)), lesson]
}

/** The input of the watchdog: what it must know of the step. */
function judgeInputOf(result: StepResult, event: Stamped): WatchInput {
  const { machine, run, before, entered } = result
  const effect = 'effect' in event ? pendingEffect(before.pending, event.effect) : undefined
  const own = effect && !isStateless(effect) ? effect.state : undefined
  const any = run.pending.find(other => !isStateless(other))?.state
  // The state that the event concerns: the one it entered, that of its effect, or any that is pending.
  const state = entered.at(-1)?.state ?? own ?? any ?? ''
  const failure = event.type === 'node.failed' ? event.failure : undefined
  const dismissed = dismissedBy(effect, event)
  const input: { -readonly [Key in keyof WatchInput]: WatchInput[Key] } = {
    seq: run.seq,
    region: effect?.region ?? '',
    entered: entered.length > 0 ? enteredIn(result) : NONE,
    countsAsStep: countsAsStep(result, effect, event),
    waiting:
      before.ended !== undefined ||
      event.type === 'forked' ||
      (before.paused !== undefined && runnable(before).length === 0) ||
      (before.pending.length > 0 && before.pending.every(isWaitingForPerson)),
    endsMachine: run.snapshot.status !== 'active' || endsByCommand(result),
    routes: new MachineRoutes(machine, run, state, failure),
    parts: machine.parts,
  }
  const unhandled = unhandledOf(result, own ?? state)
  if (unhandled) input.unhandled = unhandled
  // Other events than entries write no channels.
  if (machine.measured)
    input.progress = entered.length > 0 ? machine.measure(run.snapshot.context) : null
  if (dismissed) input.dismissed = dismissed
  if (event.type === 'node.done' && effect?.type === 'invoke' && machine.runsCode(effect.node))
    input.fromCode = true
  return input
}

function enteredIn({ machine, run, entered }: StepResult): WatchInput['entered'] {
  const hash = machine.hashOf(run.snapshot.context, run.policy.detect.ignore)
  return entered.map(({ state, region, phase }) => {
    return { state, region, hash, phase: phase && run.entries[state] === 1 }
  })
}

function dismissedBy(effect: Effect | undefined, event: Stamped): WatchInput['dismissed'] {
  if (event.type === 'dismiss') return [event.finding]
  if (event.type !== 'resume' || event.decision !== 'dismiss') return undefined
  return effect?.type === 'interrupt' ? effect.about?.because : undefined
}

/** Work counts when it starts, waits and questions when they end. Every kind of round must reach the limit eventually. */
function countsAsStep(
  { interpretation }: StepResult,
  effect: Effect | undefined,
  event: Stamped,
): boolean {
  if (effect?.type === 'invoke')
    return event.type === 'turn.started' && effect.starts === 0 && effect.resumed === undefined
  // A question about a call belongs to the step of its node. Escapes have a budget of their own.
  if (effect === undefined || effect.type === 'rollback') return false
  if (effect.type === 'interrupt' && (effect.call || effect.about || effect.restricts)) return false
  return interpretation.finishes === effect.id
}

/** Whether the effect is a question, or a node blocked by one. */
const isWaitingForPerson = (effect: Effect): boolean =>
  effect.type === 'interrupt' || (effect.type === 'invoke' && effect.blocked !== undefined)

/** An outcome without an edge, or a thread that has no pending work and has not ended. */
function unhandledOf(result: StepResult, state: string): WatchInput['unhandled'] {
  const { run, interpretation, unhandled, ignored } = result
  if (ignored || endsByCommand(result)) return undefined
  const [first] = interpretation.events
  if (unhandled && first) {
    const outcome = first.type
    if (interpretation.failed) return { outcome, state, ...interpretation.failed }
    const reason = { code: 'no-edge', params: { state, outcome } } as const
    return { outcome, state, class: 'unknown', reason }
  }
  // The run takes the chosen route next.
  const hasWork = run.pending.some(other => !isStateless(other))
  if (hasWork || interpretation.chosen || run.snapshot.status !== 'active') return undefined
  const reason = { code: 'dead-end', params: { state } } as const
  return { outcome: 'nothing', state, class: 'unknown', reason }
}
