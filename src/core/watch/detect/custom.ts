/** Custom parts: detectors, rungs and classifiers. Each has a name and a version, and is a pure function of its arguments. */
import type { Observation } from '../normalize/observed.ts'
import { CLASSES } from '../failure/failure-class.ts'
import { WHY_MAX, classify, factsOf, maskedCall } from '../failure/failure.ts'
import { excerptOf } from '../reason/reason.ts'
import type { Classification, Facts, Failure, FailureRule, Redact } from '../failure/failure.ts'
import type { Finding } from '../event/event.ts'
import type { Json } from '../data/json.ts'
import type { CustomRung } from '../escape/rungs.ts'

interface Declared {
  /** The name in `detect:` or in the ladder. */
  readonly name: string
  /** A whole number. Increase it when the part answers differently to the same events. */
  readonly version: number
}

/** The finding of a custom detector. Without an `id`, all its findings are one. `onset` and `events` are seqs. */
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
  /** Plain data, and small: every checkpoint stores it. */
  readonly start: S
  readonly sees: readonly K[]
  /** The defaults of `detect.<name>`. */
  readonly options?: O
  observe(
    state: S,
    observation: Extract<Observation, { readonly kind: K }>,
    options: O,
  ): readonly [state: S, found: CustomDraft | undefined]
}

export interface CustomClassifier extends Declared {
  /** `undefined` leaves the decision to the table of rules. */
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
  const { name, sees } = checkDeclaration('detector', detector)
  if (!Array.isArray(sees) || sees.length === 0 || !sees.every(kind => KINDS.includes(kind)))
    throw new TypeError(
      `the detector '${name}' sees ${JSON.stringify(sees)}; expected some of ${KINDS.join(', ')}`,
    )
  return detector as unknown as CustomDetector
}

const KINDS: readonly string[] = [
  'entered',
  'answered',
  'said',
] satisfies readonly Observation['kind'][]

/** @example export const handover = defineRung({ name: 'handover', version: 1, choose: ({ finding }) => finding.kind === 'loop' ? { rung: 'alternative', to: 'specialist' } : 'only out of loops' }) */
export const defineRung = (rung: CustomRung): CustomRung => checkDeclaration('rung', rung)

/** @example export const byVendor = defineClassifier({ name: 'byVendor', version: 1, classify: ({ code }) => code === 'E42' ? { class: 'transient', scope: 'resource' } : undefined }) */
export const defineClassifier = (classifier: CustomClassifier): CustomClassifier =>
  checkDeclaration('classifier', classifier)

const NAME = /^[A-Za-z][\w-]*$/

function checkDeclaration<T extends Declared>(kind: string, part: T): T {
  const { name, version } = part
  if (typeof name !== 'string' || !NAME.test(name))
    throw new TypeError(
      `a ${kind} needs a name of letters, digits, _ and -, not ${JSON.stringify(name)}`,
    )
  if (!Number.isSafeInteger(version) || version < 1)
    throw new TypeError(
      `the ${kind} '${name}' needs a version: a whole number from 1, not ${JSON.stringify(version)}`,
    )
  return part
}

/** A classifier whose errors contain no secrets. */
export function withMaskedErrors(of: CustomClassifier, redact: Redact): CustomClassifier {
  const { name, version } = of
  return { name, version, classify: facts => maskedCall(redact, () => of.classify(facts)) }
}

/** The class from the custom classifier, or from the table. A classifier that throws or returns an unknown class is skipped and reported. */
export function classifyWith(
  facts: Facts,
  rules: readonly FailureRule[],
  custom?: CustomClassifier,
): Classification & Pick<Failure, 'breakage'> {
  if (!custom) return classify(facts, rules)
  try {
    const result = custom.classify(facts)
    if (result === undefined) return classify(facts, rules)
    if (!CLASSES.includes(result.class))
      throw new TypeError(`it returned an unknown class; expected one of ${CLASSES.join(', ')}`)
    const scope = result.scope === 'resource' ? 'resource' : 'request'
    return { class: result.class, scope, rule: custom.name }
  } catch (error) {
    const why = excerptOf(factsOf(error).message, WHY_MAX)
    return { ...classify(facts, rules), breakage: { part: `classifier ${custom.name}`, why } }
  }
}
