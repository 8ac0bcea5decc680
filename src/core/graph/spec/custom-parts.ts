/** Parts of one's own that a spec names: what the modules beside it export. */
import { z } from 'zod'
import { DETECTOR_NAMES } from '../../watch/detect/detectors.ts'
import type { WatchParts } from '../../watch/parts.ts'
import type { Policy } from '../../watch/policy/policy.ts'
import { RUNGS } from '../../watch/policy/policy-keys.ts'
import { unknownKey } from '../../watch/data/fault.ts'
import type { Fault } from './fault.ts'
import { module } from './name.ts'

export const customParts = z
  .strictObject({
    detectors: z
      .array(module)
      .optional()
      .describe('What `defineDetector` returns; each is tuned in `detect` by its name.'),
    rungs: z
      .array(module)
      .optional()
      .describe('What `defineRung` returns; `escape.ladder` says by name where they stand.'),
    classifier: module
      .optional()
      .describe('What `defineClassifier` returns: asked before the rules of `failures`.'),
  })
  .meta({
    id: 'parts',
    description:
      'Parts of your own: what modules beside the spec export. Their names and versions are journalled when a thread begins.',
  })

type CustomPartsSpec = z.infer<typeof customParts>

/** Names of parts that cannot be there, as no module is named where they could come from. */
export function missingPartFaults({
  parts,
  detect,
  escape,
}: {
  readonly parts?: CustomPartsSpec | undefined
  readonly detect: object
  readonly escape: { readonly ladder?: readonly string[] | undefined }
}): Fault[] {
  const detectors = parts?.detectors?.length
    ? []
    : Object.keys(detect).filter(name => !DETECTOR_NAMES.includes(name) && !ALSO.includes(name))
  const rungs = parts?.rungs?.length
    ? []
    : (escape.ladder ?? []).flatMap((name, place) => (isUnknownRung(name) ? [{ name, place }] : []))
  return [
    ...detectors.map(name => ({
      path: `detect.${name}`,
      message: unknownKey(name, [...DETECTOR_NAMES, ...ALSO]),
    })),
    ...rungs.map(({ name, place }) => ({
      path: `escape.ladder[${place}]`,
      message: `there is no rung named '${name}'; expected one of: ${RUNGS.join(', ')}`,
    })),
  ]
}

/** What stands in `detect` beside detectors. */
const ALSO: readonly string[] = ['window', 'degenerateOutput', 'tools', 'nodes', 'ignore']

/** Names in a policy that none of these parts has, and parts that cannot be told apart. */
export function partFaults(
  { detect, escape }: Pick<Policy, 'detect' | 'escape'>,
  { detectors, rungs }: WatchParts,
): Fault[] {
  const own = detectors.detectors.slice(DETECTOR_NAMES.length).map(({ name }) => name)
  return [
    ...own
      .filter(
        (name, index) =>
          DETECTOR_NAMES.includes(name) || ALSO.includes(name) || own.indexOf(name) < index,
      )
      .map(name => duplicateName('detectors', name)),
    ...[...rungs.keys()]
      .filter(name => !isUnknownRung(name))
      .map(name => duplicateName('rungs', name)),
    ...Object.keys(detect.own).flatMap(name =>
      own.includes(name)
        ? []
        : [unknownName(`detect.${name}`, 'detector', name, [...DETECTOR_NAMES, ...own])],
    ),
    ...escape.ladder.flatMap((name, place) =>
      isUnknownRung(name) && !rungs.has(name)
        ? [unknownName(`escape.ladder[${place}]`, 'rung', name, [...RUNGS, ...rungs.keys()])]
        : [],
    ),
  ]
}

function isUnknownRung(name: string): boolean {
  return !(RUNGS as readonly string[]).includes(name)
}

function duplicateName(kind: 'detectors' | 'rungs', name: string): Fault {
  return {
    path: `parts.${kind}`,
    message: `'${name}' is the name of another one; expected a name of its own`,
  }
}

function unknownName(path: string, kind: string, name: string, known: readonly string[]): Fault {
  return {
    path,
    message: `there is no ${kind} named '${name}'; expected one of: ${known.join(', ')}`,
  }
}
