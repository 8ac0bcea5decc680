/**
 * Thresholds that dismissals raise: each dismissed finding of a detector doubles its threshold for the subjects of the finding, at most
 * twice.
 *
 * Intuition: a person who dismisses a finding says that this tool or state may repeat itself. Its next loop needs more laps.
 *
 * Hard case: the same call again is not evidence. It is dismissed by its signature, and the detectors do not receive it.
 * Rejected: lowering thresholds after confirmed loops. The defaults are measured, and below them healthy agents would be stopped.
 * Rejected: raising the threshold for all subjects, which one noisy tool would spoil.
 */
import type { Dismissed } from '../event/event.ts'
import { isMap } from '../data/json.ts'
import type { DetectorName, DetectPolicy } from '../policy/policy.ts'

/** The option that is the threshold of each detector, and the most it can be, if that is limited. */
const THRESHOLDS: Readonly<Record<DetectorName, readonly [option: string, most?: number]>> = {
  sequence: ['repeats'],
  repetition: ['times'],
  recurrence: ['times'],
  visits: ['max', 32],
  stale: ['times'],
  errors: ['times'],
  sameAnswer: ['times'],
  noToolCall: ['times'],
  repeatedText: ['times'],
  mistakes: ['limit'],
}

/** The dismissals that count for one threshold. */
const RAISES_MAX = 2

/** Whether the subject may be the reason for a dismissal of the detector. */
const isAbout = ({ detector, members = [] }: Dismissed, name: string, subject: string): boolean =>
  detector === name && members.includes(subject)

/** The options of a built-in detector for a subject. Returns the same options without a dismissal. */
export function raisedOptions<O>(
  name: DetectorName,
  options: O,
  { subject, dismissed }: { readonly subject: string; readonly dismissed: readonly Dismissed[] },
): O {
  const raises = dismissed.filter(each => isAbout(each, name, subject)).length
  if (raises === 0 || !isMap(options)) return options
  const [option, limit = Number.POSITIVE_INFINITY] = THRESHOLDS[name]
  const { [option]: given, within = limit } = options as Readonly<Record<string, number>>
  if (given === undefined) return options
  const raised = Math.min(given * 2 ** Math.min(raises, RAISES_MAX), limit, within)
  return { ...options, [option]: Math.max(given, raised) }
}

/** A threshold that dismissals have raised. */
export interface RaisedThreshold {
  readonly detector: string
  /** The tool, state or speaker. */
  readonly subject: string
  readonly option: string
  readonly from: number
  readonly to: number
}

/** The thresholds that dismissals have raised, for people. */
export function raisedThresholds(
  detect: DetectPolicy,
  dismissed: readonly Dismissed[],
): readonly RaisedThreshold[] {
  if (!detect.adapt) return []
  const pairs = dismissed.flatMap(({ detector, members = [] }) =>
    members.map(subject => [detector, subject] as const),
  )
  const known = new Set<string>()
  return pairs.flatMap(([detector = '', subject]) => {
    const key = JSON.stringify([detector, subject])
    if (known.has(key) || !Object.hasOwn(THRESHOLDS, detector)) return []
    known.add(key)
    const name = detector as DetectorName
    const [option] = THRESHOLDS[name]
    const options = detect.tools[subject]?.[name] ?? detect.nodes[subject]?.[name] ?? detect[name]
    const raised = raisedOptions(name, options, { subject, dismissed })
    const [from, to] = [valueOf(options, option), valueOf(raised, option)]
    return from === to ? [] : [{ detector, subject, option, from, to }]
  })
}

const valueOf = (options: unknown, option: string): number =>
  isMap(options) ? Number(options[option]) : 0
