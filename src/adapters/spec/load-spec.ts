import { stringify } from 'yaml'
import type { Fault } from '../../core/graph/spec/fault.ts'
import { readSpec } from '../../core/graph/spec/read.ts'
import type { Spec } from '../../core/graph/spec/spec.ts'
import { type PlacedFault, readSource } from './source.ts'

/** A spec that was read; `place` adds to a fault where it stands in the file. */
export interface SpecSource {
  readonly file: string
  readonly spec: Spec
  readonly faults?: undefined
  readonly place: (fault: Fault) => PlacedFault
}

export type SpecLoaded =
  | SpecSource
  | { readonly file: string; readonly spec?: undefined; readonly faults: readonly PlacedFault[] }

/**
 * Reads the spec in a file. `edit` may change what was read before it is checked. A fault of the file is returned, not thrown.
 *
 * @example const { spec, faults } = await loadSpec('graphs/ring.yaml')
 */
export async function loadSpec(
  file: string,
  edit: (value: unknown) => unknown = value => value,
): Promise<SpecLoaded> {
  const { source, faults } = await readSource(file)
  if (!source) return { file, faults }
  const read = readSpec(edit(source.value))
  return read.spec
    ? { file, spec: read.spec, place: source.place }
    : { file, faults: read.faults.map(source.place) }
}

/** A spec as YAML: what `extends` adds is written out, empty parts are left out. */
export function specText(spec: Spec): string {
  const whole = Object.entries(spec).filter(([, value]) => !isEmpty(value))
  return stringify(Object.fromEntries(whole), { lineWidth: 0, aliasDuplicateObjects: false })
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
