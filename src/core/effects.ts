/** Effects: what has been promised to the world and is not done yet. */
import type { Reason } from './watch/reason/reason.ts'
import { type Escalation, escalationOf, nextStep } from './escalation.ts'
import type { AgentMachine } from './graph/agent-machine.ts'
import type { RequestedEffect } from './graph/machine.ts'
import type { QuestionedCall, Permission } from './permission.ts'
import type { ReviewPolicy } from './watch/policy/policy.ts'
import type { Finding } from './watch/event/finding.ts'
import type { Considered } from './watch/escape/ladder.ts'
import type { ChildLink } from './watch/event/event.ts'

interface Pending {
  /** `<state>#<k>`: k counts the entries of that state in the run. */
  readonly id: string
  readonly state: string
  readonly region: string
  readonly node: string
  /** The seq of the event that issued it. */
  readonly since: number
}

export type Effect =
  | (Pending & {
      readonly type: 'invoke'
      /** The most the node may take, in ms from its start. */
      readonly timeout: number
      /** Known once it has been started. */
      readonly deadline?: number
      /** Starts without anything having come of them. */
      readonly starts: number
      /** It goes on after a question: its step has been counted. */
      readonly resumed?: true
      /** The call that must be cleared up first, by a person. */
      readonly blocked?: string
      /** The children that wait for people, where it rests on these; the first is what it is blocked by. */
      readonly children?: readonly ChildLink[]
      /** What people have said about calls that it proposed. */
      readonly permissions?: readonly Permission[]
      /** Calls on their way that must not be repeated: left now, nobody would know whether they took effect. */
      readonly writing?: readonly QuestionedCall[]
      /** It has changed the world: begun anew from its beginning, it would do so again. */
      readonly wrote?: true
      /** Its model has gone round in circles: the first call goes to the smarter one. */
      readonly rethinking?: true
    })
  /** The way back to the mark `to`: what was done since is undone first. */
  | (Pending & { readonly type: 'rollback'; readonly to: number; readonly starts: number })
  | (Pending & { readonly type: 'wait'; readonly deadline: number })
  | (Pending &
      Escalation & {
        readonly type: 'interrupt'
        readonly question: Reason
        readonly deadline?: number
        readonly about?: Question
        readonly call?: QuestionedCall
      })

/** Why a person is asked, where it is not a node's own question. */
export interface Question {
  /** The state to go back to. */
  readonly from: string
  readonly because: readonly Finding[]
  /** The ways out that did not apply, and why. */
  readonly considered: readonly Considered[]
  readonly otherwise: 'stop' | 'continue'
}

/** A question about a call has a deadline of its own: a day, if the policy says nothing. */
export const CALL_DEADLINE = 86_400_000

export function pendingEffect(pending: readonly Effect[], id: string): Effect | undefined {
  return pending.find(effect => effect.id === id)
}

/** When something happens to an effect although nobody does anything, in ms. */
export function dueAt(effect: Effect): number | undefined {
  if (effect.type === 'rollback') return undefined
  const next = effect.type === 'interrupt' ? nextStep(effect)?.at : undefined
  return next ?? effect.deadline
}

/** What an effect is promised for, beyond what the machine asks. */
export interface Purpose {
  readonly about?: Question
  /** The state whose model is to think again. */
  readonly rethinking?: string
}

interface Issue extends Purpose {
  readonly seq: number
  readonly at: number
  readonly entries: Readonly<Record<string, number>>
  readonly review?: ReviewPolicy | undefined
}

/** The effects a step asks for, under their ids. `entries` already counts these entries. */
export function issueEffects(
  machine: AgentMachine,
  asked: readonly RequestedEffect[],
  { seq, at, entries, about, rethinking, review }: Issue,
): Effect[] {
  return asked.map(({ type, state, region, params }, index) => {
    const nth = asked.slice(0, index).filter(other => other.state === state).length + 1
    const node = String(params.node ?? state)
    const id = `${state}#${entries[state] ?? 1}${nth > 1 ? `+${nth}` : ''}`
    const base = { id, state, region, node, since: seq }
    const terms = machine.termsOf(node)
    if (type === 'wait') return { ...base, type, deadline: at + Number(params.for ?? 0) }
    if (type === 'invoke')
      return {
        ...base,
        type,
        timeout: Number(params.timeout ?? terms.timeout),
        starts: 0,
        ...(rethinking === state ? { rethinking: true } : {}),
      }
    const time = params.deadline ?? terms.deadline ?? review?.deadline
    const deadline = time === undefined ? undefined : at + Number(time)
    return {
      ...base,
      type,
      question: questionFrom(params.question ?? terms.question),
      ...(deadline === undefined ? {} : { deadline }),
      ...escalationOf(review, at, deadline),
      ...(about === undefined ? {} : { about }),
    }
  })
}

/** A node asks with a text; the ladder with a code. */
function questionFrom(question: unknown): Reason {
  if (question === undefined) return { code: 'ask-route' }
  return typeof question === 'string'
    ? { code: 'custom', params: { text: question } }
    : (question as Reason)
}
