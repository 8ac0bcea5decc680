/** Names in a policy that its parts do not have, and parts whose names are taken. */
import { type Fault, unknownKey } from './data/fault.ts'
import { nameHint } from './data/schema-faults.ts'
import { DETECTOR_NAMES } from './detect/detectors.ts'
import type { WatchParts } from './parts.ts'
import { RUNGS } from './policy/policy-keys.ts'
import type { EscapePolicy, Policy } from './policy/policy.ts'

const SETTINGS = ['window', 'degenerateOutput', 'tools', 'nodes', 'ignore']
/** The keys of `detect` without those of custom detectors. */
export const DETECT_KEYS: readonly string[] = [...DETECTOR_NAMES, ...SETTINGS]

/** Parts whose names are taken, and names in a policy that its parts do not have. */
export const partFaults = (
  policy: Pick<Policy, 'detect' | 'escape'>,
  parts: WatchParts,
): readonly Fault[] => [...takenNames(parts), ...unknownParts(policy, parts)]

export function takenNames({ detectors, rungs }: WatchParts): readonly Fault[] {
  const custom = customDetectors(detectors)
  return [
    ...custom
      .filter((name, index) => DETECT_KEYS.includes(name) || custom.indexOf(name) < index)
      .map(name => takenName('detectors', name)),
    ...[...rungs.keys()].filter(isBuiltInRung).map(name => takenName('rungs', name)),
  ]
}

export function unknownParts(
  { detect, escape }: Pick<Policy, 'detect' | 'escape'>,
  { detectors, rungs }: WatchParts,
): readonly Fault[] {
  const custom = customDetectors(detectors)
  const known = [...DETECT_KEYS, ...custom]
  return [
    ...Object.keys(detect.own)
      .filter(name => !custom.includes(name))
      .map(name => ({ path: `detect.${name}`, message: unknownKey(name, known) })),
    ...unknownRungs(escape, [...RUNGS, ...rungs.keys()]),
  ]
}

const customDetectors = ({ detectors }: WatchParts['detectors']): readonly string[] =>
  detectors.slice(DETECTOR_NAMES.length).map(({ name }) => name)

const isBuiltInRung = (name: string): boolean => (RUNGS as readonly string[]).includes(name)

/** The ladder without a follower is a part of the ladder: the worst case holds for both. */
export function unknownRungs(
  { ladder, unattended }: Readonly<Partial<Pick<EscapePolicy, 'ladder' | 'unattended'>>>,
  known: readonly string[],
): readonly Fault[] {
  const unknown = (path: string, rungs: readonly string[] = [], allowed: readonly string[]) =>
    rungs.flatMap((name, index) => {
      const message = `unknown rung '${name}'; ${nameHint(name, allowed)}`
      return allowed.includes(name) ? [] : [{ path: `${path}[${index}]`, message }]
    })
  return [
    ...unknown('escape.ladder', ladder, known),
    ...unknown('escape.unattended.ladder', unattended?.ladder, ladder ?? RUNGS),
  ]
}

function takenName(kind: 'detectors' | 'rungs', name: string): Fault {
  return { path: `parts.${kind}`, message: `'${name}' is already taken; expected a unique name` }
}
