/** Parts of one's own: a detector, a rung, a classifier. Each has a name and a version, and is a pure function of what it is shown. */
import type { Observation } from '../normalize/observed.ts'
import type { Classification, Facts } from '../failure/failure.ts'
import type { Finding } from '../event/finding.ts'
import type { Json } from '../data/json.ts'
import type { CustomRung } from '../escape/rungs.ts'

interface Declared {
  /** As it stands in `detect:` or in the ladder. */
  readonly name: string
  /** A whole number; another one where it would say otherwise of the same events. */
  readonly version: number
}

/**
 * What a detector of one's own says it saw; the rest is filled in. Without an `id` all it ever sees is one and the same;
 * `onset` and `events` are seqs.
 */
export interface CustomDraft
  extends Partial<Pick<Finding, 'id' | 'members' | 'period' | 'repeats' | 'onset' | 'events'>> {
  readonly kind: 'loop' | 'stall' | 'noToolCall'
  readonly summary: string
}

export interface CustomDetector<
  S = Json,
  O extends object = Readonly<Record<string, Json>>,
  K extends Observation['kind'] = Observation['kind'],
> extends Declared {
  /** Plain data, and small: it is stored with every checkpoint. */
  readonly start: S
  readonly sees: readonly K[]
  /** What `detect.<name>` is laid over. */
  readonly options?: O
  observe(
    state: S,
    sighting: Extract<Observation, { readonly kind: K }>,
    options: O,
  ): readonly [state: S, found: CustomDraft | undefined]
}

export interface CustomClassifier extends Declared {
  /** `undefined` leaves it to the table of rules. */
  classify(facts: Facts): Omit<Classification, 'rule'> | undefined
}

/**
 * @example
 * export const slow = defineDetector({
 *   name: 'slow', version: 1, options: { times: 3 }, start: 0, sees: ['answered'],
 *   observe: (count, { message }, { times }) => {
 *     const next = message?.includes('timed out') ? count + 1 : 0
 *     return [next, next >= times ? { kind: 'stall', summary: `${next} answers timed out`, repeats: next } : undefined]
 *   },
 * })
 */
export function defineDetector<S, O extends object, K extends Observation['kind']>(
  detector: CustomDetector<S, O, K>,
): CustomDetector {
  return checkDeclaration('detector', detector) as unknown as CustomDetector
}

/** @example export const handover = defineRung({ name: 'handover', version: 1, choose: ({ finding }) => finding.kind === 'loop' ? { rung: 'alternative', to: 'specialist' } : 'only out of loops' }) */
export function defineRung(rung: CustomRung): CustomRung {
  return checkDeclaration('rung', rung)
}

/** @example export const byVendor = defineClassifier({ name: 'byVendor', version: 1, classify: ({ code }) => code === 'E42' ? { class: 'transient', scope: 'resource' } : undefined }) */
export function defineClassifier(classifier: CustomClassifier): CustomClassifier {
  return checkDeclaration('classifier', classifier)
}

const NAME = /^[A-Za-z][\w-]*$/

/** @throws TypeError if the name or the version is none. */
export function checkDeclaration<T extends Declared>(kind: string, part: T): T {
  if (typeof part.name !== 'string' || !NAME.test(part.name))
    throw new TypeError(
      `a ${kind} needs a name of letters, digits, _ and -, not ${JSON.stringify(part.name)}`,
    )
  if (!Number.isSafeInteger(part.version) || part.version < 1)
    throw new TypeError(
      `the ${kind} '${part.name}' needs a version: a whole number from 1, not ${JSON.stringify(part.version)}`,
    )
  return part
}
