/** All detectors, and one step of each of them. */
import type { Detector, Sighting } from './detector.ts'
import { errors } from './detect/errors.ts'
import { mistakes } from './detect/mistakes.ts'
import { recurrence } from './detect/recurrence.ts'
import { repetition } from './detect/repetition.ts'
import { sequence } from './detect/sequence.ts'
import { silence } from './detect/silence.ts'
import { stale } from './detect/stale.ts'
import { visits } from './detect/visits.ts'
import type { Sketch } from './finding.ts'
import type { Json } from './json.ts'
import { type DetectorName, type DetectPolicy, tuned } from './policy.ts'

/** Sharpest first: where several see the same, the first one names it. */
const DETECTORS: readonly Any[] = [sequence, repetition, recurrence, visits, silence, errors, stale, mistakes].map(
  // Each detector reads its own state and options, and is shown what it sees; the table holds them under one type.
  detector => detector as unknown as Any,
)

type Any = Detector<Json, unknown, Sighting['kind']>

/** The places in the table of those who see a kind of sighting. */
const SEEING: Readonly<Record<Sighting['kind'], readonly number[]>> = { entered: seeing('entered'), answered: seeing('answered'), said: seeing('said') }

function seeing(kind: Sighting['kind']): readonly number[] {
  return DETECTORS.flatMap(({ sees }, index) => (sees.includes(kind) ? [index] : []))
}

/** The state of each detector, in the order of the table. */
export type Eyes = readonly Json[]

export const EYES: Eyes = DETECTORS.map(({ start }) => start)

/** Names the detectors that made a stored state: another text means it must be folded again from the journal. */
export const EYES_VERSION = DETECTORS.map(({ name, version }) => `${name}@${version}`).join(' ')

/** Shows every detector that is on, and sees such things, what was seen in the state `node`. */
export function look(eyes: Eyes, sighting: Sighting, node: string, policy: DetectPolicy): readonly [Eyes, readonly Sketch[]] {
  const subject = sighting.kind === 'entered' ? '' : sighting.subject
  const sketches: Sketch[] = []
  const next = [...eyes]
  for (const index of SEEING[sighting.kind]) {
    const detector = DETECTORS[index] as Any
    const options = tuned(policy, detector.name as DetectorName, subject, node)
    if (options === false) continue
    const [after, sketch] = detector.observe(eyes[index] ?? detector.start, sighting, options)
    next[index] = after
    if (sketch) sketches.push(sketch)
  }
  return [next, sketches]
}
