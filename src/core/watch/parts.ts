/** What the watchdog looks with and chooses by: the parts that ship, and one's own. They come with a machine, never with a run. */
import { BUILT_IN_TABLE, type DetectorTable, tableOf } from './detect/detectors.ts'
import type { CustomRung } from './escape/rungs.ts'
import type { CustomClassifier, CustomDetector } from './detect/custom.ts'

/** The version of escapement, as it stands in the first event of a thread. */
export const VERSION = '0.2.0'

/** Detectors, rungs and the classifier, with the versions by which they are journalled. */
export interface WatchParts {
  readonly detectors: DetectorTable
  readonly rungs: ReadonlyMap<string, CustomRung>
  /** Asked before the table of rules. */
  readonly classifier?: CustomClassifier
  /** `name@version` of each kind, as it stands in the first event of a thread. */
  readonly versions: Readonly<Record<string, string>>
}

/** One's own parts. Their names are their own within each kind: see `partFaults`. */
export interface CustomParts {
  readonly detectors?: readonly CustomDetector[]
  readonly rungs?: readonly CustomRung[]
  readonly classifier?: CustomClassifier
}

export const BUILT_IN: WatchParts = {
  detectors: BUILT_IN_TABLE,
  rungs: new Map(),
  versions: { escapement: VERSION, detectors: BUILT_IN_TABLE.version },
}

/** The parts that ship, and one's own beside them. */
export function watchParts({ detectors = [], rungs = [], classifier }: CustomParts): WatchParts {
  const table = detectors.length === 0 ? BUILT_IN_TABLE : tableOf(detectors)
  return {
    detectors: table,
    rungs: new Map(rungs.map(rung => [rung.name, rung])),
    ...(classifier ? { classifier } : {}),
    versions: {
      escapement: VERSION,
      detectors: table.version,
      ...(rungs.length > 0 ? { rungs: rungs.map(versionOf).join(' ') } : {}),
      ...(classifier ? { classifier: versionOf(classifier) } : {}),
    },
  }
}

function versionOf({ name, version }: { readonly name: string; readonly version: number }): string {
  return `${name}@${version}`
}
