/** The eye alone, over any stream of acts: no machine, no clock, no way out. It tells what it sees, and no more than once. */
import type { Act } from './sight/act.ts'
import { type Asked, askedBy } from './sight/asked.ts'
import { chanted, chantOf } from './sight/chant.ts'
import type { Answered, Sighting, Spoken } from './detect/detector.ts'
import { EYES, type Eyes, look, STATELESS_TABLE } from './detect/detectors.ts'
import type { Sketch } from './finding.ts'
import { remember } from './memory.ts'
import type { DetectPolicy } from './policy.ts'
import { type Reported, told } from './reported.ts'
import {
  answered,
  askedIn,
  begun,
  called,
  numberOf,
  ROUND,
  type Round,
  spoken,
} from './sight/round.ts'
import { senseOf, toldOf, UNSEEN } from './sight/sense.ts'
import { hash } from './signature.ts'

/** What the eye remembers of an agent. Plain JSON, of bounded size. */
export interface Onlooker {
  /** Acts seen. */
  readonly seq: number
  readonly eyes: Eyes
  readonly round: Round
  /** The tools and keys of the calls that are out, oldest first. */
  readonly calls: readonly (readonly [call: string, tool: string, key: string])[]
  /** Whether the source tells what came of calls at all. */
  readonly answers: boolean
  readonly reported: Reported
}

export const ONLOOKER: Onlooker = {
  seq: 0,
  eyes: EYES,
  round: ROUND,
  calls: [],
  answers: false,
  reported: [],
}

/** Calls of one round whose answers may still come. */
const CALLS_MAX = 32

/**
 * One act in; the next onlooker, and what is to be told of it. Whoever is told does not lead the agent out, so each loop
 * is told once, and again when it has gone on for as long again.
 */
export function seen(
  onlooker: Onlooker,
  act: Act,
  policy: DetectPolicy,
): readonly [Onlooker, readonly Sketch[]] {
  const { seq } = onlooker
  const { round, calls, answers, sighting, chant } = heard(onlooker, act, policy)
  const [eyes, found] = sighting
    ? look(STATELESS_TABLE, onlooker.eyes, { sighting, node: '' }, policy)
    : [onlooker.eyes, NOTHING]
  const all = chant ? [chant, ...found] : found
  const [reported, news] =
    all.length === 0 ? [onlooker.reported, NOTHING] : told(onlooker.reported, all)
  return [{ seq: seq + 1, eyes, round, calls, answers, reported }, news]
}

const NOTHING: readonly Sketch[] = []

/** What is remembered after an act, and what of it is shown to the eyes. */
interface Heard extends Pick<Onlooker, 'round' | 'calls' | 'answers'> {
  readonly sighting: Sighting | undefined
  readonly chant: Sketch | undefined
}

function heard(onlooker: Onlooker, act: Act, policy: DetectPolicy): Heard {
  if (act.act === 'said') return said(onlooker, act, policy)
  if (act.act === 'called') return calledBy(onlooker, act, policy)
  return answeredTo(onlooker, act, policy)
}

function said(
  { seq, round, calls, answers }: Onlooker,
  { by = '', text, person }: Act & { act: 'said' },
  { chant }: DetectPolicy,
): Heard {
  const plain = text.length < SHORT ? evened(text.trim()) : text
  const { acted } = round
  const sighting: Spoken = {
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
  const found = chant === false || person ? undefined : chantOf(text, chant)
  return { round: spoken(round), calls, answers, sighting, chant: found && chanted(found, by, seq) }
}

/** In a short text, blanks may be all that differs. */
const SHORT = 200
const BLANKS = /\s+/g
const UNEVEN = /\s\s|[^\S ]/

function evened(text: string): string {
  return UNEVEN.test(text) ? text.replace(BLANKS, ' ') : text
}

function calledBy(
  { seq, round, calls, answers }: Onlooker,
  { tool, args, call }: Act & { act: 'called' },
  { tools }: DetectPolicy,
): Heard {
  const id = call ?? `#${seq}`
  const asked = askedBy(tool, args, tools[tool])
  const sighting = answers ? undefined : unseen(seq, tool, asked)
  return {
    round: called(begun(round), id, asked),
    calls: remember(calls, [id, tool, asked.key], CALLS_MAX),
    answers,
    sighting,
    chant: undefined,
  }
}

/** A call that nothing is known to have come of. */
function unseen(seq: number, tool: string, asked: Asked): Answered {
  return {
    kind: 'answered',
    seq,
    at: 0,
    round: seq,
    subject: tool,
    key: asked.key,
    ...UNSEEN,
    ok: true,
    asked,
  }
}

function answeredTo(
  onlooker: Onlooker,
  { call, ok, text, hash: whole = '', length = text.length }: Act & { act: 'answered' },
  { tools }: DetectPolicy,
): Heard {
  const { seq } = onlooker
  const out =
    call === undefined ? onlooker.calls[0] : onlooker.calls.find(([other]) => other === call)
  // What nobody asked for tells nothing of what the agent does.
  if (!out)
    return {
      round: onlooker.round,
      calls: onlooker.calls,
      answers: true,
      sighting: undefined,
      chant: undefined,
    }
  const [id, tool, key] = out
  const asked = askedIn(onlooker.round, id)
  const calls = onlooker.calls.filter(other => other !== out)
  const reading = tools[tool]
  const counting = toldOf(text, { whole: text.length >= length, progress: reading?.progress })
  const { outcome, tone, failed } = senseOf({ ...counting, ok, hash: whole || hash(text) }, asked)
  const answer: Answered = {
    kind: 'answered',
    seq,
    at: 0,
    round: numberOf(onlooker.round, seq),
    subject: tool,
    key,
    outcome,
    tone,
    failed,
    ok: ok !== false,
    asked: reading?.page ? undefined : asked,
    message: failed ? text.slice(0, 160) : undefined,
  }
  const [round, sighting] = answered(onlooker.round, answer, {
    call: id,
    more: calls.length > 0,
    reading,
  })
  return { round, calls, answers: true, sighting, chant: undefined }
}
