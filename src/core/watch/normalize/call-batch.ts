/** The calls of an agent in progress: which are open, which answers came, and what preceded the next text. */
import { type Json, remember } from '../data/json.ts'
import type { ToolHints } from '../policy/detect-keys.ts'
import type { EventOf } from '../event/event.ts'
import { afterOutput, afterText, type GraphInput, withNews } from './graph-input.ts'
import type { MapLap } from './map-lap.ts'
import { type Kinds, kindsAfter, NO_KINDS } from './kinds.ts'
import { lapCall, type Made, madeAfter } from './made-ids.ts'
import { type AnsweredObservation, itemOf } from './observed.ts'
import { type AlikeAnswers, NO_ANSWERS, type Uses, usesOf, withItem } from './queue-items.ts'
import { type Grids, combine } from './combined.ts'
import type { RequestFeatures } from './request-features.ts'

export interface CallBatch {
  readonly out: readonly OpenCall[]
  /** The seq of the first answer of the batch, `-1` before it. */
  readonly since: number
  /** The calls of the batch with their answers. Equal ones of parallel calls count once. */
  readonly heard: readonly string[]
  /** A call, also a refused one, or a decision of a person followed the last text. */
  readonly acted: boolean
  /** A message followed the last text. */
  readonly asked?: true
  /** The seq of the latest successful answer of a tool with `poll`, or of a call that only waits. */
  readonly polled?: number
  /** The latest answer is that of such a call. */
  readonly paused?: boolean
  /** The items of the map in progress. */
  readonly lap?: MapLap
  /** The latest text requested no calls: those that follow are calls of the graph. */
  readonly driven?: true
  /** What the graph gave to its models. */
  readonly input?: GraphInput
  /** The latest answers, by which a call that returns the items of a queue is recognized. */
  readonly alike?: AlikeAnswers
  /** What declared writes have made, by the content of their answers. */
  readonly made?: readonly Made[]
  /** How often the calls of each kind succeed. */
  readonly kinds?: Kinds
  /** The values that the calls have combined so far. */
  readonly grids?: Grids
}

type OpenCall = readonly [call: string, request: RequestFeatures, uses?: Uses]

export const CALL_BATCH: CallBatch = { out: [], since: -1, heard: [], acted: false }

/** Open calls that are remembered. After that, only calls with the same arguments are similar. */
const PENDING_MAX = 8
const HEARD_MAX = 16

interface CalledTool {
  readonly call: string
  readonly subject: string
  readonly args: Json
}

export function addCall(
  batch: CallBatch,
  { call, subject, args }: CalledTool,
  request: RequestFeatures,
): CallBatch {
  // An approved call was already proposed.
  if (requestOf(batch, call)?.key === request.key) return batch
  const uses = usesOf(batch.alike ?? NO_ANSWERS, args)
  const [grids, combined] = withCombination(batch, request)
  const lap = lapCall(batch.made ?? [], subject, args)
  const asked = lap === undefined ? combined : { ...combined, lap }
  const open: OpenCall = uses.length > 0 ? [call, asked, uses] : [call, asked]
  const others = batch.out.filter(([other]) => other !== call)
  const out = remember(others, open, PENDING_MAX)
  return { ...batch, out, acted: true, ...(grids && { grids }) }
}

/** The grids after a call, if they changed, and the call without its values. */
function withCombination(
  { grids = [] }: CallBatch,
  request: RequestFeatures,
): readonly [Grids | undefined, RequestFeatures] {
  const { combined, ...asked } = request
  if (combined === undefined) return [undefined, request]
  const [next, isNew] = combine(grids, combined)
  return [next, isNew ? { ...asked, combines: true } : asked]
}

/** A call after an answer begins a new batch, although other answers may be missing. */
export const startBatch = (batch: CallBatch): CallBatch =>
  batch.since < 0 ? batch : { ...batch, since: -1, heard: CALL_BATCH.heard }

export const requestOf = (batch: CallBatch, call: string): RequestFeatures | undefined =>
  batch.out.find(([other]) => other === call)?.[1]

/** `acted`: the message requested calls, also if their results arrive much later. */
export function addMessage(batch: CallBatch, acted = false): CallBatch {
  if (batch.acted === acted && !batch.asked) return batch
  const { asked: _, ...rest } = batch
  return { ...rest, acted }
}

/** The batch after a text of a graph agent, and whether the text answers another question than the ones before. */
export function addText(before: CallBatch, event: EventOf<'model.done'>) {
  const { driven: _, ...batch } = addMessage(before)
  const [input, asked] = afterText(batch.input, event)
  const driven = event.calls.length === 0
  return [{ ...batch, ...(driven && { driven }), ...(input && { input }) }, asked] as const
}

/** The batch after a node in code is done. */
export const addOutput = (batch: CallBatch, event: EventOf<'node.done'>): CallBatch => ({
  ...batch,
  input: afterOutput(batch.input, event),
})

/** The batch of an answer that arrives as event `seq`. */
export const batchNumber = ({ since }: CallBatch, seq: number): number => (since < 0 ? seq : since)

/** A pause is answered by a receipt, such as "waited 60 s". What a longer answer says may be a loop. */
const isReceipt = ({ tone }: AnsweredObservation): boolean => tone === 'bland' || tone === 'brief'

interface IncomingAnswer {
  readonly call: string
  /** Other answers of the batch are still open. */
  readonly more: boolean
  readonly reading: ToolHints | undefined
  /** The text of the answer, if it may be an item of a queue. */
  readonly text?: string | undefined
  /** The text of the answer of a write that makes something. */
  readonly made?: string | undefined
}

/** The batch after an answer, and the observation. Repeated answers of parallel calls and successful polls and pauses are not observed. */
export function addAnswer(batch: CallBatch, answer: AnsweredObservation, of: IncomingAnswer) {
  const { call, more, reading, text, made: receipt } = of
  const { out, heard, driven, alike: before = NO_ANSWERS } = batch
  const uses = out.find(([other]) => other === call)?.[2] ?? []
  // Who pauses between two answers watches their numbers.
  const watched = batch.paused ? { ...answer, figures: undefined } : answer
  const [kinds, items] = kindsAfter(batch.kinds ?? NO_KINDS, answer)
  const [alike, counted] = withItem(before, watched, { uses, text })
  const observation = items === undefined ? counted : { ...counted, items }
  const made = madeAfter(batch.made ?? [], answer, receipt)
  const item = itemOf(observation)
  const isWait = observation.request?.onlyWaits && isReceipt(observation)
  const polled = Boolean(reading?.poll || isWait) && !observation.failed
  const ignored = polled || heard.includes(item)
  const next = {
    ...batch,
    alike,
    ...((polled || batch.paused) && { paused: polled }),
    ...(made.length > 0 && { made }),
    ...(kinds.length > 0 && { kinds }),
    ...(driven && alike.known !== before.known && { input: withNews(batch.input) }),
    ...(polled && { polled: observation.seq }),
    out: out.filter(([other]) => other !== call),
    since: more ? observation.batch : -1,
    heard: more ? remember(heard, item, HEARD_MAX) : CALL_BATCH.heard,
    // A refused call is an act too, although nothing was called.
    acted: true,
  }
  return [next, ignored ? undefined : observation] as const
}
