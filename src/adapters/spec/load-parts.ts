/** Detectors, rungs and the classifier that a spec takes from modules beside it. */
import { dirname, resolve } from 'node:path'
import type { OwnRung } from '../../core/watch/ladder.ts'
import type { OwnClassifier, OwnDetector } from '../../core/watch/detect/own.ts'
import type { OwnParts } from '../../core/watch/parts.ts'
import { exported } from './beside.ts'
import type { SpecLoaded } from './load-spec.ts'
import type { PlacedFault } from './source.ts'

type PartsLoaded =
  | { readonly own: OwnParts; readonly faults?: undefined }
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
    const { value, faults: own = [] } = await exported<T>(
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
      : await load<OwnClassifier>('parts.classifier', classifier, {
          does: 'classify',
          maker: 'defineClassifier',
        })
  const own: OwnParts = {
    detectors: await loadAll<OwnDetector>('parts.detectors', detectors, {
      does: 'observe',
      maker: 'defineDetector',
    }),
    rungs: await loadAll<OwnRung>('parts.rungs', rungs, { does: 'choose', maker: 'defineRung' }),
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
