/** Runs the detectors on recorded traces: without a machine, a clock or an escape. */
import { defined, type Json, remember, hash } from './data/json.ts'
import { type ReportedLoops, foldObservation } from './regions.ts'
import { type DetectorStates, INITIAL_STATES, STATELESS_TABLE } from './detect/detectors.ts'
import { degenerateAnswer } from './event-drafts.ts'
import type { FindingDraft } from './event/event.ts'
import { answerFeatures, answerFigures } from './normalize/answer-features.ts'
import { UNSEEN } from './normalize/answer-kind.ts'
import { progressPart } from './answer/result-text.ts'
import { type Observation, isLabel } from './normalize/observed.ts'
import { requestFeatures } from './normalize/request-features.ts'
import { startBatch, requestOf, CALL_BATCH, batchNumber } from './normalize/call-batch.ts'
import { type CallBatch, addAnswer, addCall, addMessage } from './normalize/call-batch.ts'
import { answered } from './normalize/normalize.ts'
import { wordsHash } from './text/without-numbers.ts'
import type { DetectPolicy } from './policy/policy.ts'

/** Plain JSON of bounded size. */
export interface TraceWatcher {
  /** The number of acts so far. */
  readonly seq: number
  readonly detectorStates: DetectorStates
  readonly batch: CallBatch
  /** The tools and keys of unanswered calls, oldest first. */
  readonly calls: readonly (readonly [call: string, tool: string, key: string])[]
  /** Whether the source records answers. */
  readonly answers: boolean
  readonly reportedLoops: ReportedLoops
}

export const TRACE_WATCHER: TraceWatcher = {
  seq: 0,
  detectorStates: INITIAL_STATES,
  batch: CALL_BATCH,
  calls: [],
  answers: false,
  reportedLoops: [],
}

const CALLS_MAX = 32

type Watched = readonly [TraceWatcher, readonly FindingDraft[]]

/** Takes one act. Returns the next watcher and the findings to report; a loop that continues is reported again at doubling intervals. */
export function watchAct(watcher: TraceWatcher, act: Act, policy: DetectPolicy): Watched {
  const { observation, drafts = NOTHING, ...rest } = observeAct(watcher, act, policy)
  const next = { ...watcher, ...rest, seq: watcher.seq + 1 }
  if (!observation) return [next, NOTHING]
  const options = { table: STATELESS_TABLE, detect: policy, dismissed: [], throttled: true, drafts }
  const [fold, news] = foldObservation(next, { observation, node: '' }, options)
  return [{ ...next, ...fold }, news]
}

const NOTHING: readonly FindingDraft[] = []

/** The changes of the watcher, and what the detectors see. */
interface ObservedAct extends Partial<Pick<TraceWatcher, 'batch' | 'calls' | 'answers'>> {
  readonly observation?: Observation | undefined
  readonly drafts?: readonly FindingDraft[]
}

function observeAct(watcher: TraceWatcher, act: Act, policy: DetectPolicy): ObservedAct {
  if (act.act === 'said') return observeMessage(watcher, act, policy)
  if (act.act === 'called') return observeCall(watcher, act, policy)
  return observeAnswer(watcher, act, policy)
}

function observeMessage(watcher: TraceWatcher, act: SpokenAct, policy: DetectPolicy) {
  const { seq, batch } = watcher
  const { by = '', text, person } = act
  // Short texts may differ only in blanks.
  const plain = text.length < SHORT ? text.trim().replace(/\s+/g, ' ') : text
  const degenerate = person ? undefined : degenerateAnswer(text, by, seq, policy)
  const whole = { subject: by, hash: hash(plain), length: plain.length, command: true }
  const flags = {
    ...(person ? { person } : defined({ wordsHash: wordsHash(plain) })),
    ...(batch.acted && { acted: true as const }),
    ...(isLabel(plain.length) && { answers: true as const }),
  }
  const observation: Observation = { kind: 'said', seq, at: 0, ...whole, ...flags }
  return { batch: addMessage(batch), observation, ...(degenerate && { drafts: [degenerate] }) }
}

const SHORT = 200

/** A call counts as an observation only as long as the source records no answers. */
function observeCall(watcher: TraceWatcher, act: CalledAct, policy: DetectPolicy) {
  const { seq, batch, calls, answers } = watcher
  const { tool, args, call = `#${seq}` } = act
  const request = requestFeatures(tool, args, policy.tools[tool])
  const { key } = request
  const base = { seq, at: 0, batch: seq, subject: tool, key }
  const lost: Observation = { kind: 'answered', ...base, ...UNSEEN, ok: true, request }
  return {
    batch: addCall(startBatch(batch), { call, subject: tool, args }, request),
    calls: remember(calls, [call, tool, key] as const, CALLS_MAX),
    observation: answers ? undefined : lost,
  }
}

function observeAnswer(watcher: TraceWatcher, act: AnswerAct, { tools }: DetectPolicy) {
  const { seq, batch, calls } = watcher
  const { call, ok, text, hash: whole = '', length = text.length } = act
  const open = call === undefined ? calls[0] : calls.find(([other]) => other === call)
  // An answer without a call shows nothing about the agent.
  if (!open) return { answers: true }
  const [id, tool, key] = open
  const request = requestOf(batch, id)
  const others = calls.filter(other => other !== open)
  const reading = tools[tool]
  const part = progressPart(text, { whole: text.length >= length, progress: reading?.progress })
  const digest = whole || hash(text)
  const raw = { ...part, ok, hash: digest }
  const features = answerFeatures(raw, request)
  const figures = answerFigures(raw, request)
  const base = { at: 0, subject: tool, key }
  const context = { seq, batch: batchNumber(batch, seq), request, reading }
  const message = features.failed ? text : undefined
  const parts = { ...features, figures, ok: ok !== false, message }
  const answer = answered(base, context, parts)
  const more = others.length > 0
  const item = part.whole ? part.text : undefined
  const [next, observation] = addAnswer(batch, answer, { call: id, more, reading, text: item })
  return { batch: next, calls: others, answers: true, observation }
}

/** The recording of one agent. `solved`: the source states that the agent reached its goal. */
export type Trace = Readonly<{ id: string; acts: readonly Act[]; solved?: true }>

export type Act = SpokenAct | CalledAct | AnswerAct

interface SpokenAct {
  readonly act: 'said'
  /** The speaker. A single agent needs no name. */
  readonly by?: string
  /** The speaker is a person, or a simulated one. */
  readonly person?: true
  readonly text: string
}

interface CalledAct {
  readonly act: 'called'
  /** Pairs the call with its answer. Without it, answers arrive in the order of their calls. */
  readonly call?: string
  readonly tool: string
  readonly args: Json
}

interface AnswerAct {
  readonly act: 'answered'
  readonly call?: string
  /** `null`: the source does not know. */
  readonly ok: boolean | null
  /** The answer, or its beginning. Then `hash` and `length` describe the whole. */
  readonly text: string
  readonly hash?: string
  readonly length?: number
}
