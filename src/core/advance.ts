/** `advance`: one tick of the escapement. The machine follows the law, the watchdog judges, and the way out is taken. */
import type { Purpose } from './effects.ts'
import { dropLastLap, startRollback, moveSavepoint } from './savepoint.ts'
import type { AgentMachine, Outcome } from './graph/agent-machine.ts'
import { endsByCommand, stepAgain, type StepResult, applyEvent } from './apply-event.ts'
import { noteBetweenRounds, roundOpener } from './rounds.ts'
import type { Ending, Row, Run } from './run.ts'
import { watchInputOf } from './watch-input.ts'
import { closeAccount } from './watch/budget/account.ts'
import type { Stamped } from './watch/event/event.ts'
import type { Finding } from './watch/event/finding.ts'
import type { Route } from './watch/escape/rungs.ts'
import { CONTINUE, type Verdict } from './watch/escape/ladder.ts'
import { type Reason, STOPPED } from './watch/reason/reason.ts'
import { canonical } from './watch/data/signature.ts'
import { applyVerdict, judge, type Judgement } from './watch/judge.ts'
import { leftRegion } from './escape-routes.ts'

const LESSONS_MAX = 8

/**
 * One tick of the escapement: one event in, the next run out. Total for every `AgentEvent`; what is none is refused at the border, before it comes here.
 *
 * @example const next = advance(graph.machine, run, { type: 'cancel', reason: 'no longer needed', epoch: 1, at: Date.now() })
 */
export function advance(machine: AgentMachine, run: Run, event: Stamped): Run {
  const stamped = event.at >= run.at ? event : { ...event, at: run.at }
  if (run.ended && !roundOpener(machine, run, stamped))
    return tickBetweenRounds(machine, run, stamped)
  const step = applyEvent(machine, run, stamped)
  return finishTick(
    machine,
    step,
    judge(step.run.watch, stamped, watchInputOf(machine, step, stamped), step.run.policy),
  )
}

/**
 * Folds a row of a journal: the findings and the verdict are the recorded ones, the edges are taken again and compared.
 *
 * @example const next = refold(graph.machine, run, row)
 */
export function refold(machine: AgentMachine, run: Run, row: Row): Run {
  if (run.ended && !roundOpener(machine, run, row.event))
    return tickBetweenRounds(machine, run, row.event)
  const step = applyEvent(machine, run, row.event)
  const { watch, progressed } = judge(
    step.run.watch,
    row.event,
    watchInputOf(machine, step, row.event),
    step.run.policy,
  )
  const next = finishTick(machine, step, {
    watch,
    findings: row.findings,
    verdict: row.verdict,
    progressed,
  })
  if (next.last.edges.join() !== row.edges.join())
    throw new Nondeterministic(row.seq, row.edges, next.last.edges)
  return next
}

/** A journal and its machine disagree about the way that was taken. */
export class Nondeterministic extends Error {
  override readonly name = 'Nondeterministic'
  readonly code = 'nondeterministic'
  constructor(seq: number, recorded: readonly string[], taken: readonly string[]) {
    super(
      `event ${seq} took the edges [${recorded.join(', ')}] when it was recorded, and [${taken.join(', ')}] now: the machine has changed, or depends on more than its events`,
    )
  }
}

/** Whether an error is a `Nondeterministic`. */
export function isNondeterministic(error: unknown): error is Nondeterministic {
  return error instanceof Nondeterministic
}

/** Between its rounds, and after the last, a thread notes what it is told, and neither moves nor judges. */
function tickBetweenRounds(machine: AgentMachine, run: Run, event: Stamped): Run {
  const noted = noteBetweenRounds(machine, run, event)
  const last = { findings: [], verdict: CONTINUE, edges: [] }
  const seq = run.seq + 1
  // What a child has spent that was left with its parent counts all the same.
  const watch =
    event.type === 'child.done'
      ? { ...noted.watch, account: closeAccount(noted.watch.account, event, seq) }
      : noted.watch
  return {
    ...noted,
    seq,
    at: event.at,
    watch,
    last: noted === run ? { ...last, ignored: true } : last,
  }
}

/** The run once the watchdog has spoken: the way out is taken, progress is marked, an end is an end. */
function finishTick(
  machine: AgentMachine,
  step: StepResult,
  { watch, findings, verdict, progressed }: Judgement,
): Run {
  const left =
    verdict.kind === 'escape'
      ? takeEscape(machine, step, verdict)
      : step.meaning.chosen
        ? takeRoute(machine, step, step.meaning.chosen)
        : step
  const { run, edges } = left
  const ended = endingOf(machine, left, verdict)
  const last = { findings, verdict, edges }
  const next: Run = {
    ...run,
    watch: applyVerdict(watch, run.seq, verdict, run.policy),
    lessons: verdict.kind === 'escape' ? addLesson(run.lessons, verdict) : run.lessons,
    last: step.ignored ? { ...last, ignored: true } : last,
  }
  if (ended) return { ...next, ended, pending: [], last: { ...next.last, ended } }
  return moveSavepoint(next, progressed || run.round > step.before.round)
}

/** Leaves by the route of the verdict. */
function takeEscape(
  machine: AgentMachine,
  step: StepResult,
  { route, because, considered }: Verdict & { kind: 'escape' },
): StepResult {
  if (route.rung !== 'review') return takeRoute(machine, step, { route, because })
  const { otherwise = 'stop' } = step.run.policy.escape.review ?? {}
  return takeRoute(machine, step, {
    route,
    because,
    about: { from: route.from, because, considered, otherwise },
  })
}

interface RouteTerms extends Pick<Purpose, 'about'> {
  readonly route: Route
  readonly because: readonly Finding[]
}

/** Takes a way out: one event to the machine, like any other, or the way back to the mark. */
function takeRoute(
  machine: AgentMachine,
  step: StepResult,
  { route, because: [finding], ...purpose }: RouteTerms,
): StepResult {
  const { rung } = route
  if (rung === 'rollback') return { ...step, run: startRollback(step.run, route.from) }
  // Stopping, and running out of a budget, concern the whole thread: all regions are left.
  const region = rung === 'stop' || !finding ? '' : leftRegion(finding)
  const to = rung === 'alternative' || rung === 'rethink' ? route.to : undefined
  const event = { type: 'escape', region, rung, ...(to === undefined ? {} : { to }) }
  if (rung !== 'rethink') return stepAgain(machine, step, event, purpose)
  const left = stepAgain(machine, step, event, { rethinking: route.to })
  return { ...left, run: dropLastLap(left.run, finding) }
}

function endingOf(machine: AgentMachine, result: StepResult, verdict: Verdict): Ending | undefined {
  const { snapshot } = result.run
  // Read only where the thread ends: it holds whole logs.
  const ending = (outcome: Ending['outcome'], reason: string, because: Reason): Ending => ({
    outcome,
    reason,
    because,
    result: machine.resultOf(snapshot.context),
  })
  if (snapshot.status === 'error') {
    const message = snapshot.error ?? ''
    return ending('error', 'machine', { code: 'machine-failed', params: { message } })
  }
  // A machine that knows no way to stop, or no edge for somebody's word, is ended all the same.
  if (verdict.kind === 'escape' && verdict.route.rung === 'stop')
    return ending('stopped', verdict.route.reason, verdict.because[0]?.reason ?? STOPPED)
  if (snapshot.status !== 'done' && !endsByCommand(result)) return undefined
  const outcome =
    snapshot.status === 'done' ? machine.outcomeOf(snapshot) : (result.meaning.ends ?? 'stopped')
  if (outcome === 'success') return ending(outcome, 'goal', { code: 'goal-reached' })
  const because = result.meaning.because ?? WITHOUT_REASON[outcome]
  return ending(outcome, result.reason ?? outcome, because)
}

const WITHOUT_REASON = {
  failure: { code: 'ended-in-failure' },
  stopped: STOPPED,
  cancelled: { code: 'cancelled' },
} as const satisfies Readonly<Record<Exclude<Outcome, 'success'>, Reason>>

function addLesson(
  lessons: readonly Reason[],
  { because, route }: Verdict & { kind: 'escape' },
): readonly Reason[] {
  const lesson = because[0]?.reason
  if (route.rung === 'stop' || !lesson) return lessons
  const text = canonical(lesson)
  return lessons.some(other => canonical(other) === text)
    ? lessons
    : [...lessons.slice(-(LESSONS_MAX - 1)), lesson]
}
