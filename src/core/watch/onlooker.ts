/** The eye alone, over any stream of acts: no machine, no clock, no way out. It tells what it sees, and no more than once. */
import type { Act } from './act.ts'
import { askedBy } from './asked.ts'
import { chanted, chantOf } from './chant.ts'
import type { Answered, Sighting, Spoken } from './detector.ts'
import { EYES, type Eyes, look } from './detectors.ts'
import type { Sketch } from './finding.ts'
import { BUILT_IN } from './parts.ts'
import type { DetectPolicy } from './policy.ts'
import { type Reported, told } from './reported.ts'
import { answered, askedIn, called, ROUND, type Round, spoken } from './round.ts'
import { senseOf, UNSEEN } from './sense.ts'
import { hash } from './signature.ts'

/** What the eye remembers of an agent. Plain JSON, of bounded size. */
export interface Onlooker {
  /** Acts seen. */
  readonly seq: number
  readonly eyes: Eyes
  readonly round: Round
  /** The tools of the calls that are out, oldest first, and the seqs they were made at. */
  readonly calls: readonly (readonly [call: string, tool: string, seq: number])[]
  /** Whether the source tells what came of calls at all. */
  readonly answers: boolean
  readonly reported: Reported
}

export const ONLOOKER: Onlooker = { seq: 0, eyes: EYES, round: ROUND, calls: [], answers: false, reported: [] }

/** Calls of one round whose answers may still come. */
const CALLS_MAX = 32

/**
 * One act in; the next onlooker, and what is to be told of it. Whoever is told does not lead the agent out, so each loop
 * is told once, and again when it has gone on for as long again.
 */
export function seen(onlooker: Onlooker, act: Act, policy: DetectPolicy): readonly [Onlooker, readonly Sketch[]] {
  const { seq } = onlooker
  const [next, sighting, found] = sighted({ ...onlooker, seq: seq + 1 }, act, policy)
  if (!sighting) return [next, []]
  const [eyes, sketches] = look(BUILT_IN.detectors, onlooker.eyes, { sighting, node: '' }, policy)
  const all = found ? [found, ...sketches] : sketches
  if (all.length === 0) return [{ ...next, eyes }, all]
  const [reported, news] = told(onlooker.reported, all)
  return [{ ...next, eyes, reported }, news]
}

function sighted(onlooker: Onlooker, act: Act, policy: DetectPolicy): readonly [Onlooker, Sighting?, Sketch?] {
  if (act.act === 'said') return said(onlooker, act, policy)
  if (act.act === 'called') return calledBy(onlooker, act, policy)
  return answeredTo(onlooker, act, policy)
}

function said(onlooker: Onlooker, { by = '', text, person }: Act & { act: 'said' }, { chant }: DetectPolicy): readonly [Onlooker, Sighting, Sketch?] {
  const { round } = onlooker
  const seq = onlooker.seq - 1
  const plain = text.length < SHORT ? text.trim().replace(BLANKS, ' ') : text
  const sighting: Spoken = {
    kind: 'said',
    seq,
    at: 0,
    subject: by,
    hash: hash(plain),
    length: plain.length,
    command: true,
    ...(person ? { person } : {}),
    ...(round.acted ? { acted: true } : {}),
  }
  const found = chant === false || person ? undefined : chantOf(text, chant)
  const next = { ...onlooker, round: spoken(round) }
  return found ? [next, sighting, chanted(found, by, seq)] : [next, sighting]
}

/** In a short text, blanks may be all that differs. */
const SHORT = 200
const BLANKS = /\s+/g

function calledBy(onlooker: Onlooker, { tool, args, call }: Act & { act: 'called' }, { tools }: DetectPolicy): readonly [Onlooker, Sighting?] {
  const seq = onlooker.seq - 1
  const id = call ?? `#${seq}`
  const asked = askedBy(tool, args, tools[tool])
  if (!onlooker.answers) {
    const sighting = { kind: 'answered', seq, at: 0, round: seq, subject: tool, key: asked.key, ...UNSEEN, ok: true, asked } as const
    return [{ ...onlooker, ...out(onlooker, id, tool), round: called(onlooker.round, id, asked) }, sighting]
  }
  return [{ ...onlooker, ...out(onlooker, id, tool), round: called(onlooker.round, id, asked) }]
}

function out({ calls, seq }: Onlooker, id: string, tool: string): Pick<Onlooker, 'calls'> {
  return { calls: [...calls.slice(-(CALLS_MAX - 1)), [id, tool, seq - 1] as const] }
}

function answeredTo(
  onlooker: Onlooker,
  { call, ok, text, hash: whole = '', length = text.length }: Act & { act: 'answered' },
  { tools }: DetectPolicy,
): readonly [Onlooker, Sighting?] {
  const seq = onlooker.seq - 1
  const found = call === undefined ? onlooker.calls[0] : onlooker.calls.find(([other]) => other === call)
  const [id, tool] = found ?? [call ?? '', '']
  const asked = askedIn(onlooker.round, id)
  const calls = found ? onlooker.calls.filter(other => other !== found) : onlooker.calls
  const reading = tools[tool]
  const sense = senseOf({ text, ok, hash: whole || hash(text), whole: text.length >= length }, asked)
  const { since } = onlooker.round
  const sighting: Answered = {
    kind: 'answered',
    seq,
    at: 0,
    round: since < 0 ? seq : since,
    subject: tool,
    key: asked?.key ?? '',
    ...sense,
    ok: ok !== false,
    ...(asked && !reading?.page ? { asked } : {}),
    ...(sense.failed ? { message: text.slice(0, 160) } : {}),
  }
  const [round, fresh] = answered(onlooker.round, id, sighting, calls.length > 0)
  return [{ ...onlooker, calls, round, answers: true }, fresh && !(reading?.poll && !sense.failed) ? sighting : undefined]
}
