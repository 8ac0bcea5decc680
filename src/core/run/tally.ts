/**
 * The tally of a thread: its last loop, and the rungs it took. A store keeps it beside the status, so that lists read no journals.
 *
 * It is a part of the run, and folded row by row. A rollback and a new round keep it.
 */
import type { Verdict } from '../watch/escape/ladder.ts'
import type { Finding, FindingKind } from '../watch/event/event.ts'
import { defined, rotate } from '../watch/data/json.ts'
import type { Code, Reason } from '../watch/reason/reason.ts'

export interface Tally {
  /** The number of findings. */
  readonly findings: number
  /** The last repetition, otherwise the last finding. */
  readonly finding?: TalliedFinding
  /** The number of escapes. */
  readonly escapes: number
  /** The rungs of the latest escapes, in order. */
  readonly rungs: readonly string[]
}

export interface TalliedFinding {
  readonly signature: FindingSignature
  readonly period: number
  readonly repeats: number
}

/** What different threads have in common that are in the same loop, whichever arguments they repeat. */
export interface FindingSignature {
  readonly kind: FindingKind
  /** Of its reason. `repeated-sequence`: calls with the same arguments; `repeated-call`: with similar ones. */
  readonly code: Code
  /** What repeats: distinct calls, states or failed parts, from the alphabetically first one. */
  readonly members: readonly string[]
}

export const NO_TALLY: Tally = { findings: 0, escapes: 0, rungs: [] }

/** The rungs of a line in a list. */
const RUNGS_MAX = 8
const MEMBERS_MAX = 4
const MEMBER_LENGTH = 60

/** A spent budget, an open breaker or a failure often ends a repetition. The repetition stays its explanation. */
const REPETITIONS: ReadonlySet<FindingKind> = new Set([
  'loop',
  'stall',
  'noToolCall',
  'degenerateOutput',
])

/** The tally after a row with these findings and this verdict. */
export function tallyAfter(tally: Tally, findings: readonly Finding[], verdict: Verdict): Tally {
  const isEscape = verdict.kind === 'escape'
  if (findings.length === 0 && !isEscape) return tally
  const finding = findings.reduce<Tally['finding']>(
    (last, each) => (replaces(each, last) ? talliedFinding(each) : last),
    tally.finding,
  )
  const rungs = isEscape ? [...tally.rungs, verdict.route.rung].slice(-RUNGS_MAX) : tally.rungs
  return {
    findings: tally.findings + findings.length,
    ...defined({ finding }),
    escapes: tally.escapes + (isEscape ? 1 : 0),
    rungs,
  }
}

const replaces = ({ kind }: Finding, last: TalliedFinding | undefined): boolean =>
  last === undefined || REPETITIONS.has(kind) || !REPETITIONS.has(last.signature.kind)

const talliedFinding = ({ kind, members, period, repeats, reason }: Finding): TalliedFinding => ({
  signature: { kind, code: codeOf(reason), members: fromFirst(members.map(shortName)) },
  period,
  repeats,
})

/** Two detectors find equal calls in a row: one as a sequence of one call. */
const codeOf = (reason: Reason): Code =>
  reason.code === 'repeated-call' && reason.params.arguments === 'same'
    ? 'repeated-sequence'
    : reason.code

/** The same for all rotations of a cycle. */
function fromFirst(members: readonly string[]): readonly string[] {
  const [first = ''] = members.toSorted()
  const distinct = new Set(rotate(members, Math.max(0, members.indexOf(first))))
  return [...distinct].slice(0, MEMBERS_MAX)
}

/** A model can make up the name of a tool. Postgres reads no JSON with control characters or half a surrogate pair. */
const shortName = (name: string): string =>
  name
    .slice(0, MEMBER_LENGTH)
    .replace(/\p{Cc}/gu, '\u{FFFD}')
    .toWellFormed()
