import type { Fault } from '../../core/graph/spec/fault.ts'
import { readSpec } from '../../core/graph/spec/read.ts'
import type { Spec } from '../../core/graph/spec/spec.ts'
import { type PlacedFault, readSource } from './source.ts'

export type SpecLoaded =
  | {
      readonly file: string
      readonly spec: Spec
      readonly faults?: undefined
      readonly place: (fault: Fault) => PlacedFault
    }
  | { readonly file: string; readonly spec?: undefined; readonly faults: readonly PlacedFault[] }

/** Reads the spec in a file. `edit` may change what was read before it is checked. Never throws for what is wrong with the file. */
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
