/** Turns an event, in its batch, into the observation that detectors receive. */
import { reportOf } from './report.ts'
import { type LapCall, type RequestFeatures, requestFeatures } from './request-features.ts'
import { addAnswer, addCall, addMessage, addOutput, addText } from './call-batch.ts'
import { batchNumber, type CallBatch, requestOf } from './call-batch.ts'
import type { AnsweredObservation, Observation } from './observed.ts'
import type { ToolHints } from '../policy/detect-keys.ts'
import { callKey, canonical, hash } from '../data/json.ts'
import { answerFeatures, answerFigures, errorKey } from './answer-features.ts'
import { saidIn } from '../answer/content-blocks.ts'
import { progressPart, textOf } from '../answer/result-text.ts'
import type { AnswerFeatures, RawAnswer } from './answer-kind.ts'
import { filesReported } from '../outcome/file-report.ts'
import { withoutMade } from './made-ids.ts'
import { addItem, answerOf, type MapLap } from './map-lap.ts'
import { mayTake } from './queue-items.ts'
import { withoutQuoted } from '../answer/quoted-texts.ts'
import { observeText } from './observe-text.ts'
import { withoutAttempts } from '../text/without-numbers.ts'
import type { EventOf, Item, Stamped } from '../event/event.ts'
import type { Failure, FailureClass } from '../failure/failure.ts'
import type { DetectPolicy } from '../policy/policy.ts'

const MESSAGE_MAX = 160

type Tools = DetectPolicy['tools']
type Normalized = readonly [CallBatch | undefined, Observation | undefined]

interface NormalizeInput {
  readonly tools: Tools
  /** The agent is wrapped: each text without a call ends its turn, and messages arrive in between. */
  readonly wrapped: boolean
  /** The event is the output of a node in code. */
  readonly fromCode: boolean
}

/** The next batch, if it changed, and the observation. */
export function normalize(
  batch: CallBatch,
  event: Stamped,
  seq: number,
  { tools, wrapped, fromCode }: NormalizeInput,
): Normalized {
  // A call that a person rejects was only proposed.
  if (event.type === 'tool.called' || event.type === 'call.proposed')
    return [openCall(batch, event, tools), undefined]
  if (event.type === 'node.done' && fromCode) {
    const [ended, observation] = endLap(batch, event, seq, tools)
    return [addOutput(ended ?? batch, event), observation]
  }
  if (event.type === 'node.done' || event.type === 'node.failed')
    return endLap(batch, event, seq, tools)
  if (event.type === 'message') return [wrapped ? { ...batch, asked: true } : undefined, undefined]
  if (event.type === 'model.done') {
    const requests = event.calls.length > 0
    const [next, asked] = wrapped ? [addMessage(batch, requests), false] : addText(batch, event)
    return [next, observeText(event, { seq, batch, wrapped, asked })]
  }
  if (event.type === 'resume') return [{ ...batch, acted: true }, undefined]
  const reading = 'subject' in event ? tools[event.subject] : undefined
  const request = 'call' in event ? requestOf(batch, event.call) : undefined
  const context = { seq, batch: batchNumber(batch, seq), request, reading }
  if (isOfMap(event)) return normalizeItem(batch, event, context)
  const observation = observationOf(event, context)
  if (observation?.kind !== 'answered' || !('call' in event)) return [undefined, observation]
  const more = 'more' in event && event.more === true
  const texts = textsOf(event, reading)
  return addAnswer(batch, observation, { call: event.call, more, reading, ...texts })
}

/** The batch with a call, as it was last asked for; `undefined` for another attempt. */
function openCall(
  batch: CallBatch,
  event: Stamped<EventOf<'call.proposed' | 'tool.called'>>,
  tools: Tools,
): CallBatch | undefined {
  const { call, subject, args, edited, key: requested } = event
  if (event.type === 'tool.called') {
    const isRetry = event.attempt > 1 && requestOf(batch, call) !== undefined
    if (event.compensates !== undefined || isRetry) return undefined
  }
  const key = edited ? callKey(subject, edited.args) : requested
  return addCall(batch, event, requestFeatures(subject, args, tools[subject], key))
}

/** The text of an answer that may be an item of a queue, or of a write that may have made something. */
function textsOf(event: Stamped, reading: ToolHints | undefined) {
  if (event.type !== 'tool.done' || event.cut !== undefined) return {}
  const { text } = progressPart(event.result, { whole: true, progress: reading?.progress })
  return mayTake(event.subject, event.effects) ? { text } : { made: text }
}

/** The event's seq, the seq of its batch, and the request and hints of its call. */
interface Context {
  readonly seq: number
  readonly batch: number
  readonly request: RequestFeatures | undefined
  readonly reading: ToolHints | undefined
}

function observationOf(event: Stamped, context: Context): Observation | undefined {
  switch (event.type) {
    case 'tool.done':
      // Compensations during a rollback are not work of the agent.
      return event.compensates === undefined ? observeResult(event, context) : undefined
    case 'circuit.refused':
      return observeFailure(event, context)
    case 'child.done':
      return observeChild(event, context)
    case 'child.refused':
      return observeFailure(event, context)
    case 'tool.failed':
      // An indeterminate call has no answer until it is reconciled.
      return event.final &&
        event.failure.class !== 'indeterminate' &&
        event.compensates === undefined
        ? observeFailure(event, context)
        : undefined
    default:
      return undefined
  }
}

type ItemEvent = Stamped<EventOf<'child.done' | 'child.refused'>> & { readonly item: Item }

const isOfMap = (event: Stamped): event is ItemEvent =>
  (event.type === 'child.done' || event.type === 'child.refused') && event.item !== undefined

/** Adds an item to the lap of its map. The last item of the list ends the lap. */
function normalizeItem(batch: CallBatch, event: ItemEvent, context: Context): Normalized {
  const isCancelled = event.type === 'child.done' && event.outcome === 'cancelled'
  const observation = isCancelled ? undefined : observationOf(event, context)
  const answer = observation?.kind === 'answered' ? observation : undefined
  const lap = addItem(batch.lap, event, answer)
  if (lap.ended < event.item.of) return [{ ...batch, lap }, undefined]
  const { lap: _, ...rest } = batch
  const whole = observeLap(lap, event.at, context)
  if (!whole) return [rest, undefined]
  const { call, more = false } = event
  return addAnswer(rest, whole, { call, more, reading: context.reading })
}

/** A map may end before all of its items: enough of them succeeded, or too many failed. */
function endLap(batch: CallBatch, event: Stamped, seq: number, tools: Tools): Normalized {
  const { lap, ...rest } = batch
  if (!lap || !('effect' in event) || event.effect !== lap.effect) return [undefined, undefined]
  const reading = tools[lap.subject]
  const context = { seq, batch: batchNumber(batch, seq), request: undefined, reading }
  return [rest, observeLap(lap, event.at, context)]
}

function observeLap(lap: MapLap, at: number, context: Context): AnsweredObservation | undefined {
  if (lap.counted === 0) return undefined
  const { request, answer } = answerOf(lap)
  return answered({ at, subject: lap.subject, key: request.key }, { ...context, request }, answer)
}

function observeResult(event: Stamped<EventOf<'tool.done'>>, context: Context): Observation {
  const { request, reading } = context
  const whole = event.cut === undefined
  const part = progressPart(event.result, { whole, progress: reading?.progress })
  const answer = { ...part, ok: true, hash: event.digest.hash }
  const writes = event.effects === 'write'
  const features = answerFeatures({ ...answer, writes }, request)
  const figures = answerFigures({ ...answer, writes }, request)
  const lapAnswer = request?.lap && lapAnswerOf({ ...answer, writes }, request.lap, request)
  const ok = features.flagged !== true
  const message = features.failed ? saidIn(part.text).text : undefined
  const isUnanswered = features.failed && (request?.asks === true || isState(part.text))
  const took =
    writes && ok && !isUnanswered && !foundNothingAs(features, request) ? true : undefined
  return answered(event, context, { ...features, figures, lapAnswer, ok, wrote: took, message })
}

/** A state alone, such as `FAILED 1:0`, says what became of an earlier write. */
const isState = (text: string): boolean => /^[^\p{L}]*\p{Lu}{4,}[^\p{L}]*$/u.test(text)

/** The content of an answer without the ids that its call was given. */
const lapAnswerOf = (answer: RawAnswer, lap: LapCall, request: RequestFeatures): string =>
  answerFeatures(
    { ...answer, text: withoutMade(lap, answer.text) },
    { ...request, items: undefined },
  ).answerHash

/** A search that found nothing has written nothing: a tool that another system offers counts as a write, also if it searches. */
const foundNothingAs = ({ tone }: AnswerFeatures, request: RequestFeatures | undefined): boolean =>
  request?.searches === true && (tone === 'nothing' || tone === 'empty')

type FailureEvent = Stamped<EventOf<'circuit.refused' | 'tool.failed' | 'child.refused'>>

function observeFailure(event: FailureEvent, context: Context): Observation {
  const { failure } = event
  const { message } = failure
  const { tone } = answerFeatures({ text: message, ok: false, hash: '', whole: true }, undefined)
  const rejected = failure.reason?.code === 'call-rejected' ? true : undefined
  const error = errorKey({ ...failure, message: identityOf(failure) }, context.request)
  const about = rejected ? undefined : reportOfFailure(message, context.request)
  // What a person says of one call says nothing of another.
  const item = rejected ? (context.request?.key ?? event.key) : about
  const own = item ? hash(`${error} ${item}`) : error
  // A 503 and the open breaker that follows are one failure.
  const answerHash = failure.class === 'transient' ? 'transient' : own
  const report = about === undefined ? undefined : true
  const parts = { answerHash, tone, failed: true, report, ok: false, message } as const
  // An open breaker passes only if the agent lets it rest.
  const passes = event.type === 'tool.failed' && PASSING.includes(failure.class) ? true : undefined
  return answered(event, context, { ...parts, class: failure.class, passes, rejected })
}

/** A record that was thrown is about the item that it names, like one that was returned. */
function reportOfFailure(
  message: string,
  request: RequestFeatures | undefined,
): string | undefined {
  if (RECORD.test(message)) return reportOf(message, request)
  const files = filesReported(message, request?.files)
  return files === '' ? undefined : files
}

const RECORD = /^\s*\{/

const PASSING: readonly FailureClass[] = ['transient', 'cancelled']

/** A failure of the runtime is identified by its reason, never by its wording. */
const identityOf = ({ reason, message }: Failure): string =>
  reason?.params ? `${message} ${canonical(reason.params)}` : message

/** Of the input of a child, its parent knows only what the result quotes. */
const UNKNOWN_REQUEST = { words: '', numbers: '', aim: 'other' } as const

function observeChild(event: Stamped<EventOf<'child.done'>>, context: Context): Observation {
  const { outcome: name, reason } = event
  if (name === 'success') return observeChildResult(event, context)
  const message = `${name}: ${reason}`
  const failureClass = name === 'failure' ? 'business' : 'persistent'
  const parts = { answerHash: errorKey({ name, message }), tone: 'plain', failed: true } as const
  return answered(event, context, { ...parts, ok: false, class: failureClass, message })
}

function observeChildResult(event: Stamped<EventOf<'child.done'>>, context: Context): Observation {
  const { subject, digest, result, cut, key, quoted } = event
  const all = withoutAttempts(textOf(result))
  const text = quoted ? withoutQuoted(all, quoted) : all
  const digestHash = quoted ? hash(text) : digest.hash
  const answer = { text, ok: true, hash: digestHash, whole: cut === undefined }
  const { answerHash, tone, failed } = answerFeatures(answer, undefined)
  const request = quoted ? requestFeatures(subject, quoted) : UNKNOWN_REQUEST
  const parts = {
    answerHash,
    tone: tone === 'plain' && !failed ? 'plain' : 'brief',
    failed: false,
    ok: true,
    wrote: wrote(event),
    ...(quoted && { quotes: true as const }),
  } as const
  return answered(event, { ...context, request: { ...request, key } }, parts)
}

const wrote = ({ effects }: { readonly effects: 'read' | 'write' }): true | undefined =>
  effects === 'write' ? true : undefined

type AnswerParts = AnswerFeatures &
  Pick<
    AnsweredObservation,
    'ok' | 'wrote' | 'class' | 'message' | 'passes' | 'rejected' | 'figures' | 'lapAnswer'
  >

/** Every observation has the same fields in the same order, which keeps the detectors fast. */
export function answered(
  { at, subject, key }: { readonly at: number; readonly subject: string; readonly key: string },
  { seq, batch, request, reading }: Context,
  parts: AnswerParts,
): AnsweredObservation {
  return {
    kind: 'answered',
    seq,
    at,
    batch,
    subject,
    key: request?.key ?? key,
    answerHash: parts.answerHash,
    tone: parts.tone,
    quotes: parts.quotes,
    failed: parts.failed,
    report: parts.report,
    complains: parts.complains,
    ok: parts.ok,
    request: reading?.page ? undefined : request,
    message: parts.message?.slice(0, MESSAGE_MAX),
    figures: reading?.page ? undefined : parts.figures,
    lapAnswer: parts.lapAnswer,
    wrote: parts.wrote,
    class: parts.class,
    passes: parts.passes,
    rejected: parts.rejected,
  }
}
