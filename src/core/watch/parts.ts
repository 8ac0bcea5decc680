/** The parts of the watchdog: its detectors, rungs and classifier, built-in and custom. */
import { type CustomClassifier, type CustomDetector, withMaskedErrors } from './detect/custom.ts'
import { BUILT_IN_TABLE, type DetectorTable, tableOf } from './detect/detectors.ts'
import { type CustomRung, withMaskedTexts } from './escape/rungs.ts'
import type { Redact } from './failure/failure.ts'

/** The version of escapement in the first event of a thread. */
export const VERSION = '0.2.0'

/** Detectors, rungs and the classifier, with the versions that are journaled. */
export interface WatchParts {
  readonly detectors: DetectorTable
  readonly rungs: ReadonlyMap<string, CustomRung>
  /** Takes precedence over the table of rules. */
  readonly classifier?: CustomClassifier
  /** `name@version` of each kind, in the first event of a thread. */
  readonly versions: Readonly<Record<string, string>>
  /** Removes secrets from what custom code returns and throws. */
  readonly redact: Redact
}

/** Custom parts. Names are unique within each kind: see `partFaults`. */
export interface CustomParts {
  readonly detectors?: readonly CustomDetector[]
  readonly rungs?: readonly CustomRung[]
  readonly classifier?: CustomClassifier
}

/**
 * The built-in parts plus custom ones. A fold of a journal runs them again, and its run is stored and shown in many places:
 * secrets are therefore removed here, before any text of a part enters a run.
 */
export function watchParts(
  { detectors = [], rungs = [], classifier }: CustomParts,
  redact: Redact = value => value,
): WatchParts {
  const table = detectors.length === 0 ? BUILT_IN_TABLE : tableOf(detectors, redact)
  return {
    detectors: table,
    rungs: new Map(rungs.map(rung => [rung.name, withMaskedTexts(rung, redact)])),
    ...(classifier ? { classifier: withMaskedErrors(classifier, redact) } : {}),
    redact,
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

export const BUILT_IN: WatchParts = watchParts({})
