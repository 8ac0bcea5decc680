/** Progress: a better declared value, a new write, a new phase. It answers stalls. */
import { mapFields, remember, shortHash, withLatest } from './data/json.ts'
import { DETECTOR_NAMES } from './detect/detectors.ts'
import type { AgentEvent, Finding } from './event/event.ts'
import type { Observation } from './normalize/observed.ts'
import type { Regions, WatchInput } from './regions.ts'

/** The best declared value so far, and the keys of the latest successful writes. */
export type Progress = Readonly<{ best: number | null; writes: readonly string[] }>

const WRITES_MAX = 32

export function updateProgress(
  progress: Progress,
  event: AgentEvent,
  { progress: value, entered }: WatchInput,
  observation: Observation | undefined,
): readonly [next: Progress, progressed: boolean] {
  const { best, writes } = progress
  if (value !== undefined) {
    if (value === null || (best !== null && value <= best)) return [progress, false]
    // The first value is the start of the run, not progress.
    return [{ best: value, writes }, best !== null]
  }
  const write = isWithoutEffect(event, observation) ? undefined : writeKey(event)
  if (write !== undefined && !writes.includes(write))
    return [{ best, writes: remember(writes, write, WRITES_MAX) }, true]
  return [progress, entered.some(({ phase }) => phase)]
}

/** A write was refused, or a search that counts as one has found nothing. */
function isWithoutEffect({ type }: AgentEvent, observation: Observation | undefined): boolean {
  if (observation?.kind !== 'answered') return false
  const { ok, request, wrote } = observation
  return !ok || (type === 'tool.done' && request?.searches === true && wrote === undefined)
}

/** Identifies a write that took effect, also in a child or after reconciliation. Compensation is not progress. */
function writeKey(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'tool.done':
      if (event.effects !== 'write' || event.compensates !== undefined) return undefined
      return shortHash(event.key)
    case 'child.done':
      if (event.effects !== 'write' || event.outcome !== 'success') return undefined
      return shortHash(event.key)
    case 'call.reconciled':
      return event.answer === 'applied' ? shortHash(event.key) : undefined
    case 'resume':
      return event.decision === 'applied' ? event.effect : undefined
    default:
      return undefined
  }
}

/** How often progress excuses a stall. A call that fails beside one new write after the other is not ended by them. */
const EXCUSES_MAX = 3
/** Stalls whose excuses are counted. */
const EXCUSED_MAX = 12

/** How often each stall was excused, by its id. */
export type Excused = Readonly<Record<string, number>>

interface Excusing {
  readonly regions: Regions
  readonly excused?: Excused
}

/** A custom detector, or the agent itself, reports a stall on purpose, and knows of the write. */
const isExcusable = ({ kind, detector }: Finding): boolean =>
  kind === 'stall' && DETECTOR_NAMES.includes(detector)

/**
 * The watch after progress, and what it leaves of the findings. A stall that a built-in detector sees in the event itself is dropped:
 * its write took effect. Those of other calls of its batch are dropped a few times each.
 */
export function excuseStalls<Of extends Excusing>(watch: Of, findings: readonly Finding[]) {
  const { excused: before = NONE } = watch
  let excused = before
  const isKept = (finding: Finding): boolean => {
    const { id } = finding
    const times = excused[id] ?? 0
    if (!isExcusable(finding) || times >= EXCUSES_MAX) return true
    excused = withLatest(excused, [id, times + 1], EXCUSED_MAX)
    return false
  }
  const regions = mapFields(watch.regions, region =>
    region.held.length === 0 ? region : { ...region, held: region.held.filter(isKept) },
  )
  const changed = excused === before ? {} : { excused }
  return {
    watch: { ...watch, regions, ...changed },
    findings: findings.filter(finding => !isExcusable(finding)),
  }
}

const NONE: Excused = {}
