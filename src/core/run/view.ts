/** The view of a thread that every face shows, with the single rule for its status and its open questions. */
import type { Pause } from './control.ts'
import { type Progress, progressOf } from './progress.ts'
import type { Effect } from './effects.ts'
import type { AgentMachine } from '../graph/agent-machine.ts'
import { itemsOf, type Log } from '../graph/channels.ts'
import { isRestricted, restricts } from './restriction.ts'
import { type Ending, isOver, type Row, type Run, hasWork } from './run.ts'
import { type Json, defined } from '../watch/data/json.ts'
import type { Route } from '../watch/escape/rungs.ts'
import type { ChildLink, Stamped, Finding } from '../watch/event/event.ts'
import type { Spent } from '../watch/event/call-event.ts'
import { type RaisedThreshold, raisedThresholds } from '../watch/detect/thresholds.ts'
import { explain } from '../watch/reason/reason.ts'
import type { Share } from '../watch/budget/scope.ts'

/** `waiting`: the thread needs an answer, a message, or a point in time. */
export type ThreadStatus = 'active' | 'waiting' | 'ended'

/** A question that waits for an answer. */
export interface OpenQuestion {
  readonly id: string
  /** The child that asks. Absent if the thread itself asks. */
  readonly thread?: string
  readonly question: string
  /** The call that the question is about. */
  readonly call?: string
  /** The recipient now, by its name in the policy. */
  readonly to?: string
  /** In ms. Absent without a time limit. */
  readonly deadline?: number
  /** The finding, if the escape mechanism asks. */
  readonly because?: string
}

type Questions = readonly OpenQuestion[]

/** An escape, and the findings that led to it. */
export type Escape = Readonly<{ seq: number; route: Route; because: readonly Finding[] }>

export interface ThreadView {
  readonly status: ThreadStatus
  /** Set while a person or a breakpoint pauses the thread. */
  readonly paused?: Pause
  /** Only reads are made until a person lifts the restriction. */
  readonly restricted?: true
  readonly waitsFor?: 'person' | 'message' | 'time'
  readonly round: number
  /** The number of messages that wait for their round. */
  readonly queued: number
  readonly state: Json
  readonly questions: Questions
  readonly escapes: readonly Escape[]
  readonly spent: Spent
  readonly progress: Progress
  readonly lessons: Run['lessons']
  /** The thresholds that dismissals have raised. Absent without one. */
  readonly raised?: readonly RaisedThreshold[]
  readonly ended?: Ending
  readonly events: number
}

/** The view of a thread after its last row. `below` holds the questions of its children. */
export function viewOf(run: Run, rows: readonly Row[], below: Questions = []): ThreadView {
  const status = statusOf(run)
  const raised = raisedThresholds(run.policy.detect, run.watch.dismissed)
  return {
    status,
    ...defined({ waitsFor: status === 'waiting' ? waitedFor(run) : undefined }),
    ...defined({ paused: run.paused }),
    ...(isRestricted(run) && { restricted: true }),
    round: run.round,
    queued: run.queue.length,
    state: run.snapshot.value,
    questions: [...questionsOf(run), ...below],
    escapes: rows.flatMap(({ seq, verdict }) =>
      verdict.kind === 'escape' ? [{ seq, route: verdict.route, because: verdict.because }] : [],
    ),
    spent: run.watch.account.spent,
    progress: progressOf(run, rows),
    lessons: run.lessons,
    ...(raised.length > 0 && { raised }),
    ...defined({ ended: run.ended }),
    events: run.seq + 1,
  }
}

/** The channels of a run. An append channel is a list. */
export const channelValues = (
  { logs }: Pick<AgentMachine, 'logs'>,
  { snapshot }: Pick<Run, 'snapshot'>,
): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    Object.entries(snapshot.context).map(([name, value]) => [
      name,
      logs.has(name) ? (itemsOf(value as unknown as Log) as Json) : value,
    ]),
  )

export const statusOf = (run: Run): ThreadStatus =>
  statusFrom(isOver(run), run.ended !== undefined || hasWork(run))

/** The status rule. Recorded agents apply it to their own facts, because they have no run. */
export function statusFrom(isOver: boolean, hasWork: boolean): ThreadStatus {
  if (isOver) return 'ended'
  return hasWork ? 'active' : 'waiting'
}

/** The states with pending work. A state whose call waits for a person is listed once. */
export const activeStates = ({ pending }: Pick<Run, 'pending'>): readonly string[] => [
  ...new Set(pending.map(({ state }) => state)),
]

/** Whether only a person can continue the thread: it has no work and no timer. */
export const waitsForPerson = (run: Run): boolean =>
  statusOf(run) === 'waiting' && run.pending.every(({ type }) => type !== 'wait')

function waitedFor({ pending, paused }: Run): ThreadView['waitsFor'] {
  if (paused) return 'person'
  const asks = (effect: Effect) => effect.type === 'interrupt' && !restricts(effect)
  if (pending.some(effect => asks(effect) || 'children' in effect)) return 'person'
  return pending.length === 0 ? 'message' : 'time'
}

export function questionsOf({ pending }: Pick<Run, 'pending'>): Questions {
  return pending.flatMap(effect => {
    if (effect.type !== 'interrupt') return []
    const { id, to, deadline, about, call } = effect
    const [finding] = about?.because ?? effect.restricts ?? []
    const because = finding && explain(finding.reason)
    const terms = defined({ call: call?.call, to, deadline, because })
    return [{ id, question: explain(effect.question), ...terms }]
  })
}

/** The children that wait for people and block the thread. */
export const childrenWaitedFor = ({ pending }: Run): readonly ChildLink[] =>
  pending.flatMap(effect => (effect.type === 'invoke' ? (effect.children ?? []) : []))

/** The questions that an event has opened, or moved to the next recipient. */
export function questionsOpenedBy(run: Run, { seq, event }: { seq: number; event: Stamped }) {
  const moved = event.type === 'tick' ? event.effect : undefined
  const pending = run.pending.filter(({ id, since }) => since === seq || id === moved)
  return questionsOf({ pending })
}

/** The shares of a thread, one for each scope. A thread with nothing to publish has no shares. */
export function sharesOf(thread: string, run: Run): readonly Share[] {
  const { watch, policy, pending, parent } = run
  const { at, spent, reserved } = watch.account
  const children = Object.values(reserved).map(child => child.thread)
  const out = children.length > 0 ? children : undefined
  const family = defined({ parent: parent?.thread, out })
  // A thread that reached its goal has escaped its loops.
  const loops =
    run.ended?.outcome === 'success'
      ? []
      : watch.seenLoops.map(each => ({ ...each, used: watch.ladder.loops[each.id] ?? {} }))
  return Object.entries(policy.limits.scopes ?? {}).flatMap(([scope, limits]) => {
    const { points = [], note } = watch.scopes[scope] ?? {}
    const asks = openQuestionIn(pending, scope)
    // A dismissal that came from another thread is not published again.
    const received = new Set(note?.dismissed.map(({ id }) => id))
    const dismissed = watch.dismissed.filter(({ id }) => !received.has(id))
    // The thread has not started to work.
    if (spent.steps === 0 && dismissed.length === 0) return []
    const until = asks || dismissed.length > 0 ? null : at + limits.per
    const share = { scope, key: limits.key, thread, at, spent, points, loops, dismissed }
    return [{ ...share, ...defined({ asks }), ...family, limits, until }]
  })
}

/** The most important open question in a scope: one about the scope, otherwise any review. */
function openQuestionIn(pending: Run['pending'], scope: string): Share['asks'] {
  const asked = pending.flatMap(effect => {
    const finding = effect.type === 'interrupt' ? effect.about?.because[0] : undefined
    if (effect.type !== 'interrupt' || !finding) return []
    const { id, reason } = finding
    const ofScope = finding.scope === scope ? (true as const) : undefined
    return [{ effect: effect.id, id, reason, ...defined({ deadline: effect.deadline, ofScope }) }]
  })
  return asked.find(({ ofScope }) => ofScope) ?? asked[0]
}
