/** The eye alone, over any stream of acts: no machine, no clock, no way out. It tells what it sees, and no more than once. */
import type { Act } from './normalize/act.ts'
import { type RequestFeatures, requestFeatures } from './normalize/request-features.ts'
import { degenerateDraft, findRepeatedChunk } from './detect/degenerate-output.ts'
import type { AnsweredObservation, Observation, SpokenObservation } from './normalize/observed.ts'
import {
  INITIAL_STATES,
  type DetectorStates,
  runDetectors,
  STATELESS_TABLE,
} from './detect/detectors.ts'
import type { FindingDraft } from './event/finding.ts'
import { remember } from './data/json.ts'
import type { DetectPolicy } from './policy/policy.ts'
import { type ReportedLoops, dedupe } from './dedupe.ts'
import {
  withAnswer,
  requestOf,
  nextRound,
  withCall,
  roundNumber,
  ROUND,
  type Round,
  withMessage,
} from './normalize/round.ts'
import { answerFeatures, progressPart, UNSEEN } from './normalize/answer-features.ts'
import { hash } from './data/signature.ts'

/** What the eye remembers of an agent. Plain JSON, of bounded size. */
export interface TraceWatcher {
  /** Acts seen. */
  readonly seq: number
  readonly detectorStates: DetectorStates
  readonly round: Round
  /** The tools and keys of the calls that are out, oldest first. */
  readonly calls: readonly (readonly [call: string, tool: string, key: string])[]
  /** Whether the source tells what came of calls at all. */
  readonly answers: boolean
  readonly reportedLoops: ReportedLoops
}

export const TRACE_WATCHER: TraceWatcher = {
  seq: 0,
  detectorStates: INITIAL_STATES,
  round: ROUND,
  calls: [],
  answers: false,
  reportedLoops: [],
}

/** Calls of one round whose answers may still come. */
const CALLS_MAX = 32

/**
 * One act in; the next onlooker, and what is to be told of it. Whoever is told does not lead the agent out, so each loop
 * is told once, and again when it has gone on for as long again.
 */
export function watchAct(
  watcher: TraceWatcher,
  act: Act,
  policy: DetectPolicy,
): readonly [TraceWatcher, readonly FindingDraft[]] {
  const { seq } = watcher
  const { round, calls, answers, observation, degenerate } = observeAct(watcher, act, policy)
  const [states, found] = observation
    ? runDetectors(STATELESS_TABLE, watcher.detectorStates, { observation, node: '' }, policy)
    : [watcher.detectorStates, NOTHING]
  const all = degenerate ? [degenerate, ...found] : found
  const [reportedLoops, news] =
    all.length === 0 ? [watcher.reportedLoops, NOTHING] : dedupe(watcher.reportedLoops, all)
  return [{ seq: seq + 1, detectorStates: states, round, calls, answers, reportedLoops }, news]
}

const NOTHING: readonly FindingDraft[] = []

/** What is remembered after an act, and what of it is shown to the eyes. */
interface ObservedAct extends Pick<TraceWatcher, 'round' | 'calls' | 'answers'> {
  readonly observation: Observation | undefined
  readonly degenerate: FindingDraft | undefined
}

function observeAct(watcher: TraceWatcher, act: Act, policy: DetectPolicy): ObservedAct {
  if (act.act === 'said') return observeMessage(watcher, act, policy)
  if (act.act === 'called') return observeCall(watcher, act, policy)
  return observeAnswer(watcher, act, policy)
}

function observeMessage(
  { seq, round, calls, answers }: TraceWatcher,
  { by = '', text, person }: Act & { act: 'said' },
  { degenerateOutput: options }: DetectPolicy,
): ObservedAct {
  const plain = text.length < SHORT ? collapseText(text.trim()) : text
  const { acted } = round
  const observation: SpokenObservation = {
    kind: 'said',
    seq,
    at: 0,
    subject: by,
    hash: hash(plain),
    length: plain.length,
    command: true,
    person: person ? true : undefined,
    acted: acted ? true : undefined,
  }
  const found = options === false || person ? undefined : findRepeatedChunk(text, options)
  return {
    round: withMessage(round),
    calls,
    answers,
    observation: observation,
    degenerate: found && degenerateDraft(found, by, seq),
  }
}

/** In a short text, blanks may be all that differs. */
const SHORT = 200
const BLANKS = /\s+/g
const UNEVEN = /\s\s|[^\S ]/

function collapseText(text: string): string {
  return UNEVEN.test(text) ? text.replace(BLANKS, ' ') : text
}

function observeCall(
  { seq, round, calls, answers }: TraceWatcher,
  { tool, args, call }: Act & { act: 'called' },
  { tools }: DetectPolicy,
): ObservedAct {
  const id = call ?? `#${seq}`
  const request = requestFeatures(tool, args, tools[tool])
  const observation = answers ? undefined : lostAnswer(seq, tool, request)
  return {
    round: withCall(nextRound(round), id, request),
    calls: remember(calls, [id, tool, request.key], CALLS_MAX),
    answers,
    observation: observation,
    degenerate: undefined,
  }
}

/** A call that nothing is known to have come of. */
function lostAnswer(seq: number, tool: string, request: RequestFeatures): AnsweredObservation {
  return {
    kind: 'answered',
    seq,
    at: 0,
    round: seq,
    subject: tool,
    key: request.key,
    ...UNSEEN,
    ok: true,
    request,
  }
}

function observeAnswer(
  watcher: TraceWatcher,
  { call, ok, text, hash: whole = '', length = text.length }: Act & { act: 'answered' },
  { tools }: DetectPolicy,
): ObservedAct {
  const { seq } = watcher
  const out =
    call === undefined ? watcher.calls[0] : watcher.calls.find(([other]) => other === call)
  // What nobody asked for tells nothing of what the agent does.
  if (!out)
    return {
      round: watcher.round,
      calls: watcher.calls,
      answers: true,
      observation: undefined,
      degenerate: undefined,
    }
  const [id, tool, key] = out
  const request = requestOf(watcher.round, id)
  const calls = watcher.calls.filter(other => other !== out)
  const reading = tools[tool]
  const counting = progressPart(text, { whole: text.length >= length, progress: reading?.progress })
  const { outcome, tone, failed } = answerFeatures(
    { ...counting, ok, hash: whole || hash(text) },
    request,
  )
  const answer: AnsweredObservation = {
    kind: 'answered',
    seq,
    at: 0,
    round: roundNumber(watcher.round, seq),
    subject: tool,
    key,
    outcome,
    tone,
    failed,
    ok: ok !== false,
    request: reading?.page ? undefined : request,
    message: failed ? text.slice(0, 160) : undefined,
  }
  const [round, observation] = withAnswer(watcher.round, answer, {
    call: id,
    more: calls.length > 0,
    reading,
  })
  return { round, calls, answers: true, observation: observation, degenerate: undefined }
}
