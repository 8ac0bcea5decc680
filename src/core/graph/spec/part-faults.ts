/** Faults of custom parts: names of detectors and rungs that are unknown or taken. */
import { DETECTOR_NAMES } from '../../watch/detect/detectors.ts'
import type { WatchParts } from '../../watch/parts.ts'
import type { Policy } from '../../watch/policy/policy.ts'
import { RUNGS } from '../../watch/policy/policy-keys.ts'
import { unknownKey } from '../../watch/data/fault.ts'
import type { Fault } from './fault.ts'
import type { Spec } from './spec.ts'

const SETTINGS = ['window', 'degenerateOutput', 'tools', 'nodes', 'ignore']
/** The keys of `detect`. */
const KEYS: readonly string[] = [...DETECTOR_NAMES, ...SETTINGS]

/** Unknown names in a spec that names no module which could define them. */
export function missingPartFaults({ parts, detect, escape }: Spec): Fault[] {
  const detectors = Object.keys(detect)
    .filter(name => !KEYS.includes(name))
    .map(name => ({ path: `detect.${name}`, message: unknownKey(name, KEYS) }))
  return [
    ...(parts?.detectors?.length ? [] : detectors),
    ...(parts?.rungs?.length ? [] : unknownRungs(escape.ladder ?? [], RUNGS)),
  ]
}

/** Names in a policy that these parts do not have, and parts with the same name. */
export function partFaults(
  { detect, escape }: Pick<Policy, 'detect' | 'escape'>,
  { detectors, rungs }: WatchParts,
): Fault[] {
  const custom = detectors.detectors.slice(DETECTOR_NAMES.length).map(({ name }) => name)
  const known = [...DETECTOR_NAMES, ...custom]
  return [
    ...custom
      .filter((name, index) => KEYS.includes(name) || custom.indexOf(name) < index)
      .map(name => duplicateName('detectors', name)),
    ...[...rungs.keys()].filter(isBuiltInRung).map(name => duplicateName('rungs', name)),
    ...Object.keys(detect.own)
      .filter(name => !custom.includes(name))
      .map(name => unknownName(`detect.${name}`, 'detector', name, known)),
    ...unknownRungs(escape.ladder, [...RUNGS, ...rungs.keys()]),
  ]
}

function isBuiltInRung(name: string): boolean {
  return (RUNGS as readonly string[]).includes(name)
}

function unknownRungs(ladder: readonly string[], known: readonly string[]): Fault[] {
  return ladder.flatMap((name, index) =>
    known.includes(name) ? [] : [unknownName(`escape.ladder[${index}]`, 'rung', name, known)],
  )
}

function duplicateName(kind: 'detectors' | 'rungs', name: string): Fault {
  return { path: `parts.${kind}`, message: `'${name}' is already taken; expected a unique name` }
}

function unknownName(path: string, kind: string, name: string, known: readonly string[]): Fault {
  return { path, message: `unknown ${kind} '${name}'; expected one of: ${known.join(', ')}` }
}
