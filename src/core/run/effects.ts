/** Effects: the work that a run has requested and not finished. Other code performs them; the run only records them. */
import type { AgentMachine } from '../graph/agent-machine.ts'
import type { RequestedEffect } from '../graph/machine.ts'
import { type Json, defined } from '../watch/data/json.ts'
import type { Considered } from '../watch/escape/ladder.ts'
import type { ChildLink, Finding } from '../watch/event/event.ts'
import type { ThreadWait } from '../watch/event/wait-event.ts'
import type { ReviewPolicy } from '../watch/policy/policy.ts'
import { type Broken, customReason, type Reason } from '../watch/reason/reason.ts'

export type Effect = Invoke | Rollback | Wait | Interrupt

interface Pending {
  /** `<state>#<k>`, where k counts the entries of that state in the run. */
  readonly id: string
  readonly state: string
  readonly region: string
  readonly node: string
  /** The seq of the event that issued it. */
  readonly since: number
}

export interface Invoke extends Pending {
  readonly type: 'invoke'
  /** The time limit of the node, in ms from its start. */
  readonly timeout: number
  readonly deadline?: number
  /** Starts since the last sign of progress. */
  readonly starts: number
  /** Its time has passed while its children worked. It fails once they have ended. */
  readonly expired?: true
  /** The node continues after a question. Its step is already counted. */
  readonly resumed?: true
  /** The call that a person must resolve first. */
  readonly blocked?: string
  /** The number of questions that were asked about each call. */
  readonly asked?: Readonly<Record<string, number>>
  /** The children that wait for people. `blocked` names the first. */
  readonly children?: readonly ChildLink[]
  /** The open calls that wait for other threads. */
  readonly waits?: readonly ThreadWait[]
  /** Decisions of people about calls that the node proposed. */
  readonly permissions?: readonly Permission[]
  /** Calls in flight that must not be repeated. If the node stops now, their outcome is unknown. */
  readonly writing?: readonly QuestionedCall[]
  /** Idempotent writes in flight, or waiting for their next attempt: a restart of the same entry repeats them with the same keys. */
  readonly repeating?: readonly QuestionedCall[]
  /** The node has written. A restart from its beginning would repeat the write. */
  readonly wrote?: true
  /** The model of the node was in a loop. The first call goes to the smarter model. */
  readonly rethinking?: true
}

/** Returns to the savepoint `to`: compensates the writes since then first. */
type Rollback = Pending & Readonly<{ type: 'rollback'; to: number; starts: number }>

type Wait = Pending & Readonly<{ type: 'wait'; deadline: number }>

export interface Interrupt extends Pending {
  readonly type: 'interrupt'
  readonly question: Reason
  readonly deadline?: number
  readonly about?: Question
  readonly call?: QuestionedCall
  /** The write is in doubt, and its node was left. Nothing starts while this question is open. */
  readonly leftBehind?: true
  /** The findings behind restricted mode, which lasts while this question is open. */
  readonly restricts?: readonly Finding[]
  /** The recipient now: a name from the policy, which notifiers resolve. Absent where the policy names no recipient. */
  readonly to?: string
  /** The next recipients while the question stays open, with the time (ms) of each handover. */
  readonly chain?: readonly Handover[]
  readonly step?: number
  /** The notifiers that have finished with this step. */
  readonly told?: readonly string[]
}

/** Why the watchdog asks a person. */
export interface Question {
  readonly from: string
  readonly because: readonly Finding[]
  /** The rungs that did not apply, each with its reason. */
  readonly considered: readonly Considered[]
  readonly otherwise: 'stop' | 'continue'
}

export type Handover = { readonly to: string; readonly at: number }

/** The call that a question is about: its outcome is unknown, or it needs approval. */
export interface QuestionedCall {
  readonly effect: string
  readonly call: string
  readonly tool: string
  readonly key: string
  /** The identity of the call by the arguments that its tool received, if they are others. */
  readonly received?: string
  /** The call is a child thread, in which the tool was called. */
  readonly child?: true
  /** The arguments of a call that waits for approval, for people. */
  readonly proposed?: string
  /** The arguments of a call that was made, for people. */
  readonly made?: string
  /** Whether the call is made again if it had no effect. Absent: it is. */
  readonly again?: boolean
  /** The text of the question, where the tool or the policy sets it. */
  readonly question?: string
  /** `reconcile` of the tool gave no answer. */
  readonly broken?: Broken
}

/** A write whose outcome is unknown. `unanswered`: the question about it ended without an answer. */
export type UnresolvedCall = QuestionedCall & { readonly unanswered?: true }

/** The decision about a proposed call. The effect keeps it, because the node runs again afterwards and looks it up. */
export interface Permission {
  readonly call: string
  /** The identity of the proposed call: tool and arguments. */
  readonly key: string
  readonly decision: 'approved' | 'edited' | 'rejected' | 'expired'
  readonly args?: Json
  readonly note?: string
}

/** The writes whose outcome is unknown if the thread stops now: those in flight, and those that a person is asked about. */
export const callsInDoubt = (pending: readonly Effect[]): readonly QuestionedCall[] =>
  pending.flatMap(effect => {
    if (effect.type === 'invoke') return effect.writing ?? []
    const call = effect.type === 'interrupt' ? effect.call : undefined
    return call && call.proposed === undefined ? [call] : []
  })

/** The idempotent writes in flight, or waiting for their next attempt. */
export const callsRepeating = (pending: readonly Effect[]): readonly QuestionedCall[] =>
  pending.flatMap(effect => (effect.type === 'invoke' ? (effect.repeating ?? []) : []))

/** The question about a write whose node was left. It belongs to no state of the machine. */
export const isLeftBehind = (effect: Effect): boolean =>
  effect.type === 'interrupt' && effect.leftBehind === true

/** Whether the time of a node has passed while its children work. */
export const isExpired = (effect: Effect | undefined): boolean =>
  effect?.type === 'invoke' && effect.expired === true

export const pendingEffect = (pending: readonly Effect[], id: string): Effect | undefined =>
  pending.find(effect => effect.id === id)

/** The time (ms) at which an effect changes without any event. */
export function dueAt(effect: Effect): number | undefined {
  if (effect.type === 'rollback') return undefined
  const next = effect.type === 'interrupt' ? effect.chain?.[effect.step ?? 0]?.at : undefined
  return next ?? effect.deadline
}

/** Why a step issues effects, where the machine alone does not say it. */
export interface Purpose {
  readonly about?: Question
  /** The state whose model rethinks. */
  readonly rethinking?: string
}

interface Issue extends Purpose {
  readonly asked: readonly RequestedEffect[]
  readonly seq: number
  readonly at: number
  /** Includes the entries of this step. */
  readonly entries: Readonly<Record<string, number>>
  readonly review?: ReviewPolicy | undefined
}

/** The effects that a step requests, with their ids. */
export function issueEffects(machine: AgentMachine, issue: Issue): Effect[] {
  const { asked, seq, at, entries, about, rethinking, review } = issue
  return asked.map(({ type, state, region, params }, index) => {
    const nth = asked.slice(0, index).filter(other => other.state === state).length + 1
    const node = String(params.node ?? state)
    const id = `${state}#${entries[state] ?? 1}${nth > 1 ? `+${nth}` : ''}`
    const base = { id, state, region, node, since: seq }
    const options = machine.termsOf(node)
    if (type === 'wait') return { ...base, type, deadline: at + Number(params.for ?? 0) }
    if (type === 'invoke') {
      const work = { ...base, type, timeout: Number(params.timeout ?? options.timeout), starts: 0 }
      return rethinking === state ? { ...work, rethinking: true } : work
    }
    const time = params.deadline ?? options.deadline ?? review?.deadline
    const deadline = time === undefined ? undefined : at + Number(time)
    const question = questionFrom(params.question ?? options.question)
    const recipients = recipientsOf(review, at, deadline)
    return { ...base, type, question, ...defined({ deadline, ...recipients, about }) }
  })
}

/** A node asks with text, the ladder with a code. */
const questionFrom = (question: unknown = { code: 'ask-route' }): Reason =>
  typeof question === 'string' ? customReason(question) : (question as Reason)

/** The recipients of a question asked at `at`. Omits handovers at or after its deadline. */
export function recipientsOf(review: ReviewPolicy | undefined, at: number, deadline = Infinity) {
  const { to, escalate = [] } = review ?? {}
  const handovers = escalate.map(({ to, after }): Handover => ({ to, at: at + after }))
  const chain = handovers.filter(step => step.at < deadline)
  return defined({ to, chain: chain.length > 0 ? chain : undefined })
}

/** Moves a question to the last recipient whose time is reached. Returns `undefined` if it stays where it is. */
export function advanceEscalation(asked: Interrupt, at: number): Interrupt | undefined {
  const { chain = [], step = 0 } = asked
  const reached = chain.findLastIndex(handover => handover.at <= at) + 1
  const to = chain[reached - 1]?.to
  if (to === undefined || reached <= step) return undefined
  const { told: _, ...rest } = asked
  return { ...rest, to, step: reached }
}

/** More notifiers are not recorded: a question belongs to every later state of its thread. */
const NOTIFIERS_MAX = 256

/** Records that a notifier has finished with a step of a question. */
export function markNotified(asked: Interrupt, notifier: string, step: number): Interrupt {
  const { told: notified = [] } = asked
  if (
    step !== (asked.step ?? 0) ||
    notified.length === NOTIFIERS_MAX ||
    notified.includes(notifier)
  )
    return asked
  return { ...asked, told: [...notified, notifier] }
}
