import { dirname, resolve } from 'node:path'
import type { AnyStateMachine } from 'xstate'
import { resolveModule } from './resolve-module.ts'
import type { SpecLoaded } from './load-spec.ts'
import type { PlacedFault } from './source.ts'

export type StatechartLoaded =
  | { readonly statechart?: AnyStateMachine; readonly faults?: undefined }
  | { readonly statechart?: undefined; readonly faults: readonly PlacedFault[] }

/** Loads the statechart that a spec names with `machine`; a spec with edges of its own has none. */
export async function loadStatechart({
  file,
  spec,
  place,
}: Extract<SpecLoaded, { place: unknown }>): Promise<StatechartLoaded> {
  if (spec.machine === undefined) return {}
  const { value, faults } = await resolveModule<AnyStateMachine>(
    dirname(resolve(file)),
    spec.machine,
    isStatechart,
    'a machine made with XState',
  )
  return value === undefined
    ? {
        faults: faults.map(fault =>
          'file' in fault ? fault : place({ path: 'machine', message: fault.message }),
        ),
      }
    : { statechart: value }
}

function isStatechart(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'root' in value &&
    'implementations' in value &&
    'config' in value
  )
}
