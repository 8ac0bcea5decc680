/** Parts of one's own that a spec names: what the modules beside it export. */
import { z } from 'zod'
import { DETECTOR_NAMES } from '../../watch/detect/detectors.ts'
import type { WatchParts } from '../../watch/parts.ts'
import { type Policy, RUNGS } from '../../watch/policy.ts'
import type { Fault } from './fault.ts'
import { module } from './module.ts'

export const ownParts = z
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

type OwnPartsSpec = z.infer<typeof ownParts>

/** Names of parts that cannot be there, as no module is named where they could come from. */
export function partlessFaults({
  parts,
  detect,
  escape,
}: {
  readonly parts?: OwnPartsSpec | undefined
  readonly detect: object
  readonly escape: { readonly ladder?: readonly string[] | undefined }
}): Fault[] {
  const detectors = parts?.detectors?.length
    ? []
    : Object.keys(detect).filter(name => !DETECTOR_NAMES.includes(name) && !ALSO.includes(name))
  const rungs = parts?.rungs?.length
    ? []
    : (escape.ladder ?? []).flatMap((name, place) => (isNoRung(name) ? [{ name, place }] : []))
  return [
    ...detectors.map(name => ({ path: `detect.${name}`, message: 'is not known here' })),
    ...rungs.map(({ name, place }) => ({
      path: `escape.ladder[${place}]`,
      message: `there is no rung named '${name}'; expected one of: ${RUNGS.join(', ')}`,
    })),
  ]
}

/** What stands in `detect` beside detectors. */
const ALSO: readonly string[] = ['window', 'chant', 'tools', 'nodes', 'ignore']

/** Names in a policy that none of these parts has, and parts that cannot be told apart. */
export function partFaults(
  { detect, escape }: Pick<Policy, 'detect' | 'escape'>,
  { detectors, rungs }: WatchParts,
): Fault[] {
  const own = detectors.detectors.slice(detectors.own).map(({ name }) => name)
  return [
    ...own
      .filter(
        (name, index) =>
          DETECTOR_NAMES.includes(name) || ALSO.includes(name) || own.indexOf(name) < index,
      )
      .map(name => taken('detectors', name)),
    ...[...rungs.keys()].filter(name => !isNoRung(name)).map(name => taken('rungs', name)),
    ...Object.keys(detect.own).flatMap(name =>
      own.includes(name)
        ? []
        : [unknown(`detect.${name}`, 'detector', name, [...DETECTOR_NAMES, ...own])],
    ),
    ...escape.ladder.flatMap((name, place) =>
      isNoRung(name) && !rungs.has(name)
        ? [unknown(`escape.ladder[${place}]`, 'rung', name, [...RUNGS, ...rungs.keys()])]
        : [],
    ),
  ]
}

function isNoRung(name: string): boolean {
  return !(RUNGS as readonly string[]).includes(name)
}

function taken(kind: 'detectors' | 'rungs', name: string): Fault {
  return {
    path: `parts.${kind}`,
    message: `'${name}' is the name of another one; expected a name of its own`,
  }
}

function unknown(path: string, kind: string, name: string, known: readonly string[]): Fault {
  return {
    path,
    message: `there is no ${kind} named '${name}'; expected one of: ${known.join(', ')}`,
  }
}
