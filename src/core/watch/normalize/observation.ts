/** What detectors are shown of an event. */
import type { Failure } from '../failure/failure.ts'
import { canonical } from '../data/signature.ts'
import type { RequestFeatures } from './request-features.ts'
import type { AnsweredObservation, Observation } from './observed.ts'
import type { AgentEvent, Stamped } from '../event/event.ts'
import type { ToolHints } from '../policy/detect-keys.ts'
import { errorKey, type AnswerFeatures, answerFeatures, progressPart } from './answer-features.ts'

const MESSAGE_MAX = 160

/** What must be known to read an event: its number, that of its round, and what its call asked for. */
export interface ObservationContext {
  readonly seq: number
  readonly round: number
  readonly request: RequestFeatures | undefined
  readonly reading: ToolHints | undefined
}

export function observationOf(event: Stamped, place: ObservationContext): Observation | undefined {
  const { seq } = place
  switch (event.type) {
    case 'tool.done': {
      // What is undone on the way back is no work of the agent.
      if (event.compensates !== undefined) return undefined
      const told = progressPart(event.result, {
        whole: event.cut === undefined,
        progress: place.reading?.progress,
      })
      const sense = answerFeatures({ ...told, ok: true, hash: event.digest.hash }, place.request)
      return answer(event, place, {
        ...sense,
        ok: true,
        ...(sense.failed ? { message: told.text.slice(0, MESSAGE_MAX) } : {}),
        ...wrote(event),
      })
    }
    case 'circuit.refused':
      return failedCall(event, place)
    // The items of a map are told apart by their places, not by what they are: none is asked twice.
    case 'child.done':
      return event.item ? undefined : answeredChild(event, place)
    case 'child.refused':
      return event.item ? undefined : failedCall(event, place)
    case 'tool.failed':
      // An indeterminate call is not answered until it has been reconciled.
      return event.final &&
        event.failure.class !== 'indeterminate' &&
        event.compensates === undefined
        ? failedCall(event, place)
        : undefined
    case 'model.done': {
      const { at, subject, text, calls } = event
      return {
        kind: 'said',
        seq,
        at,
        subject,
        hash: event.digest.hash,
        length: text.length,
        command: calls.length > 0 || !event.commandExpected,
      }
    }
    default:
      return undefined
  }
}

type Of = { readonly at: number; readonly subject: string; readonly key: string }

type AnswerParts = AnswerFeatures & Pick<AnsweredObservation, 'ok' | 'wrote' | 'class' | 'message'>

function answer(
  { at, subject, key }: Of,
  { seq, round, request, reading }: ObservationContext,
  { outcome, tone, failed, ok, wrote, class: failureClass, message }: AnswerParts,
): AnsweredObservation {
  const counted = reading?.page ? undefined : request
  return {
    kind: 'answered',
    seq,
    at,
    round,
    subject,
    key: request?.key ?? key,
    outcome,
    tone,
    failed,
    ok,
    request: counted,
    message,
    wrote,
    class: failureClass,
  }
}

function wrote({
  effects,
}: {
  readonly effects: 'read' | 'write'
}): Pick<AnsweredObservation, 'wrote'> {
  return { wrote: effects === 'write' ? true : undefined }
}

function failedCall(
  event: Stamped<
    Extract<
      AgentEvent,
      { type: 'circuit.refused' } | { type: 'tool.failed' } | { type: 'child.refused' }
    >
  >,
  place: ObservationContext,
): Observation {
  const { failure } = event
  const { message } = failure
  const { tone } = answerFeatures({ text: message, ok: false, hash: '', whole: true }, undefined)
  // First "503", then "the breaker is open": what fails for the time being fails in one way.
  const said = { ...failure, message: identityOf(failure) }
  const outcome = failure.class === 'transient' ? 'transient' : errorKey(said, place.request)
  return answer(event, place, {
    outcome,
    tone,
    failed: true,
    ok: false,
    class: failure.class,
    message: message.slice(0, MESSAGE_MAX),
  })
}

/** What tells a failure from others: of one of the runtime itself its reason, and never the wording of it. */
function identityOf({ reason, message }: Failure): string {
  return reason?.params ? `${message} ${canonical(reason.params)}` : message
}

function answeredChild(
  event: Stamped<Extract<AgentEvent, { type: 'child.done' }>>,
  place: ObservationContext,
): Observation {
  const { outcome, reason } = event
  if (outcome === 'success')
    return answer(event, place, {
      outcome: event.digest.hash,
      tone: 'plain',
      failed: false,
      ok: true,
      ...wrote(event),
    })
  const message = `${outcome}: ${reason}`
  const failed = {
    tone: 'plain',
    failed: true,
    ok: false,
    class: outcome === 'failure' ? 'business' : 'persistent',
    message: message.slice(0, MESSAGE_MAX),
  } as const
  return answer(event, place, { ...failed, outcome: errorKey({ name: outcome, message }) })
}
