/** Detectors, rungs and the classifier that a spec takes from modules beside it. */
import { dirname, resolve } from 'node:path'
import type { CustomRung } from '../../core/watch/rungs.ts'
import type { CustomClassifier, CustomDetector } from '../../core/watch/detect/custom.ts'
import type { CustomParts } from '../../core/watch/parts.ts'
import { resolveModule } from './resolve-module.ts'
import type { SpecLoaded } from './load-spec.ts'
import type { PlacedFault } from './source.ts'

type PartsLoaded =
  | { readonly own: CustomParts; readonly faults?: undefined }
  | { readonly own?: undefined; readonly faults: readonly PlacedFault[] }

/** Never throws for what is wrong with a module. */
export async function loadParts({
  file,
  spec,
  place,
}: Extract<SpecLoaded, { place: unknown }>): Promise<PartsLoaded> {
  const folder = dirname(resolve(file))
  const faults: PlacedFault[] = []
  const load = async <T>(
    path: string,
    use: string,
    { does, maker }: Kind,
  ): Promise<readonly T[]> => {
    const { value, faults: own = [] } = await resolveModule<T>(
      folder,
      use,
      part => isPart(part, does),
      `what ${maker}({ … }) returns`,
    )
    if (value !== undefined) return [value]
    faults.push(
      ...own.map(fault => ('file' in fault ? fault : place({ path, message: fault.message }))),
    )
    return []
  }
  const loadAll = async <T>(
    path: string,
    uses: readonly string[],
    kind: Kind,
  ): Promise<readonly T[]> =>
    (await Promise.all(uses.map((use, index) => load<T>(`${path}[${index}]`, use, kind)))).flat()
  const { detectors = [], rungs = [], classifier } = spec.parts ?? {}
  const [found] =
    classifier === undefined
      ? []
      : await load<CustomClassifier>('parts.classifier', classifier, {
          does: 'classify',
          maker: 'defineClassifier',
        })
  const own: CustomParts = {
    detectors: await loadAll<CustomDetector>('parts.detectors', detectors, {
      does: 'observe',
      maker: 'defineDetector',
    }),
    rungs: await loadAll<CustomRung>('parts.rungs', rungs, { does: 'choose', maker: 'defineRung' }),
    ...(found ? { classifier: found } : {}),
  }
  return faults.length > 0 ? { faults } : { own }
}

interface Kind {
  /** The method that makes a part one of this kind. */
  readonly does: string
  readonly maker: string
}

function isPart(value: unknown, method: string): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { name, version, [method]: does } = value as Readonly<Record<string, unknown>>
  return typeof name === 'string' && typeof version === 'number' && typeof does === 'function'
}
