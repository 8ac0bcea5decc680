/** What the watchdog looks with and chooses by: the parts that ship, and one's own. They come with a machine, never with a run. */
import { BUILT_IN_TABLE, type DetectorTable, tableOf } from './detect/detectors.ts'
import type { OwnRung } from './ladder.ts'
import type { OwnClassifier, OwnDetector } from './detect/own.ts'

/** Detectors, rungs and the classifier, with the versions by which they are journalled. */
export interface WatchParts {
  readonly detectors: DetectorTable
  readonly rungs: ReadonlyMap<string, OwnRung>
  /** Asked before the table of rules. */
  readonly classifier?: OwnClassifier
  /** `name@version` of each kind, as it stands in the first event of a thread. */
  readonly versions: Readonly<Record<string, string>>
}

/** One's own parts. Their names are their own within each kind: see `partFaults`. */
export interface OwnParts {
  readonly detectors?: readonly OwnDetector[]
  readonly rungs?: readonly OwnRung[]
  readonly classifier?: OwnClassifier
}

export const BUILT_IN: WatchParts = {
  detectors: BUILT_IN_TABLE,
  rungs: new Map(),
  versions: { detectors: BUILT_IN_TABLE.version },
}

/** The parts that ship, and one's own beside them. */
export function watchParts({ detectors = [], rungs = [], classifier }: OwnParts): WatchParts {
  const table = detectors.length === 0 ? BUILT_IN_TABLE : tableOf(detectors)
  return {
    detectors: table,
    rungs: new Map(rungs.map(rung => [rung.name, rung])),
    ...(classifier ? { classifier } : {}),
    versions: {
      detectors: table.version,
      ...(rungs.length > 0 ? { rungs: rungs.map(versionOf).join(' ') } : {}),
      ...(classifier ? { classifier: versionOf(classifier) } : {}),
    },
  }
}

function versionOf({ name, version }: { readonly name: string; readonly version: number }): string {
  return `${name}@${version}`
}
