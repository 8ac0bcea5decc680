/** Files beside a spec: a spec may use files of its folder and of the folders below only. */
import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Fault } from '../../core/graph/spec/fault.ts'
import { contains } from '../../kit/workspace.ts'
import type { PlacedFault } from './source.ts'

export type Resolved<T> =
  | { readonly value: T; readonly faults?: undefined }
  | {
      readonly value?: undefined
      readonly faults: readonly (PlacedFault | Pick<Fault, 'message'>)[]
    }

/** Faults with places. A fault without a place stands at `path` in the spec. */
export function placed(
  faults: NonNullable<Resolved<unknown>['faults']>,
  path: string,
  place: (fault: Fault) => PlacedFault,
): readonly PlacedFault[] {
  return faults.map(fault => ('file' in fault ? fault : place({ path, message: fault.message })))
}

/** What `./file.ts#name` exports, if it fits. */
export async function resolveModule<T>(
  folder: string,
  use: string,
  fits: (value: unknown) => boolean,
  expected: string,
): Promise<Resolved<T>> {
  const [path = '', name = ''] = use.split('#')
  const found = await resolveInside(folder, path)
  if (found.value === undefined) return found
  let module: Readonly<Record<string, unknown>>
  try {
    module = await import(pathToFileURL(found.value).href)
  } catch (error) {
    return fault(`'${path}' cannot be loaded: ${(error as Error).message}`)
  }
  if (!Object.hasOwn(module, name))
    return fault(
      `'${path}' exports no '${name}'; it exports: ${Object.keys(module).join(', ') || '(nothing)'}`,
    )
  const value = module[name]
  return fits(value)
    ? { value: value as T }
    : fault(`'${name}' in '${path}' is a ${typeof value}; expected ${expected}`)
}

/** The real path of a file in the folder or below it. */
export async function resolveInside(folder: string, path: string): Promise<Resolved<string>> {
  const wanted = resolve(folder, path)
  if (!contains(folder, wanted))
    return fault(
      `'${path}' leads out of the folder of the spec; only files beside it or below can be used`,
    )
  try {
    const [home, real] = await Promise.all([realpath(folder), realpath(wanted)])
    return contains(home, real)
      ? { value: real }
      : fault(`'${path}' is a link that leads out of the folder of the spec`)
  } catch {
    return fault(`file '${path}' not found beside the spec`)
  }
}

function fault(message: string): { readonly faults: readonly Pick<Fault, 'message'>[] } {
  return { faults: [{ message }] }
}
