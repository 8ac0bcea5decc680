/** Questions about one call: whether it took effect, and whether it may be made. */
import { customReason, type Reason } from './watch/reason/reason.ts'
import type { AgentEvent, PersonEvent } from './watch/event/event.ts'
import type { Json } from './watch/data/json.ts'

/** The call a question is about: one of which nobody knows whether it took effect, or one that is proposed. */
export interface QuestionedCall {
  readonly effect: string
  readonly call: string
  readonly tool: string
  readonly key: string
  /** It has not been made yet; its arguments, for people. */
  readonly proposed?: string
  /** The question, where the tool or the policy words it. */
  readonly question?: string
}

/** What became of a proposed call: made once it has been approved, and never otherwise. Kept by its effect, so that the node finds it when it is performed again. */
export interface Permission {
  readonly call: string
  /** The identity of what was asked about: tool and arguments. */
  readonly key: string
  readonly decision: 'approved' | 'edited' | 'rejected' | 'expired'
  /** The arguments to call it with, if they were edited. */
  readonly args?: Json
  readonly note?: string
}

/** Characters of the arguments that a question shows; the journal holds them whole. */
const SHOWN_MAX = 500

export function proposalOf({
  effect,
  call,
  subject,
  key,
  args,
  question,
}: Extract<AgentEvent, { type: 'call.proposed' }>): QuestionedCall {
  const text = JSON.stringify(args)
  return {
    effect,
    call,
    tool: subject,
    key,
    proposed:
      text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}… (${text.length} characters)` : text,
    ...(question === undefined ? {} : { question }),
  }
}

/** What is asked about a call. */
export function callQuestion({ tool, proposed, question }: QuestionedCall): Reason {
  if (question !== undefined) return customReason(question)
  return proposed === undefined
    ? { code: 'ask-outcome', params: { call: tool } }
    : { code: 'ask-approval', params: { call: tool, arguments: proposed } }
}

/** What the answer permits; `undefined` if it is none to this question. */
export function permissionFrom(
  { call, key }: QuestionedCall,
  { decision, output, note }: Extract<PersonEvent, { type: 'resume' }>,
): Permission | undefined {
  if (decision !== 'approved' && decision !== 'rejected' && decision !== 'edited') return undefined
  const args = decision === 'edited' && output !== undefined ? { args: output } : {}
  return { call, key, decision, ...args, ...(note === undefined ? {} : { note }) }
}

/** What has been said about a call of an effect. */
export function findPermission(
  effect: { readonly type: string; readonly permissions?: readonly Permission[] } | undefined,
  call: string,
): Permission | undefined {
  return effect?.permissions?.find(permission => permission.call === call)
}
