/** Resolves files beside a spec. A spec may use only files in its folder and below. */
import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Fault } from '../../core/watch/data/fault.ts'
import { contains } from '../../kit/workspace.ts'
import type { OrFaults, PlacedFault } from './source.ts'

export type Resolved<T> = OrFaults<{ readonly value: T }, PlacedFault | Pick<Fault, 'message'>>

/** Adds `path` in the spec to each fault without a place. */
export function placed(
  faults: NonNullable<Resolved<unknown>['faults']>,
  path: string,
  place: (fault: Fault) => PlacedFault,
): readonly PlacedFault[] {
  return faults.map(fault => ('file' in fault ? fault : place({ path, message: fault.message })))
}

/** The export that `./file.ts#name` refers to, if it fits. */
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
    module = await settled(import(pathToFileURL(found.value).href))
  } catch (error) {
    return fault(`'${path}' cannot be loaded: ${(error as Error).message}`)
  }
  const names = Object.keys(module).join(', ') || '(nothing)'
  if (!Object.hasOwn(module, name))
    return fault(`'${path}' exports no '${name}'; it exports: ${names}`)
  const value = module[name]
  return fits(value)
    ? { value: value as T }
    : fault(`'${name}' in '${path}' is a ${typeof value}; expected ${expected}`)
}

/** How long a module may take to load, in ms. */
const LOAD_MAX = 30_000

/** Rejects when a module does not finish loading: its top-level `await` waits for something that cannot happen. */
async function settled<T>(loading: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const fail = () => reject(new Error('its top-level `await` does not end'))
  const timer = setTimeout(fail, LOAD_MAX).unref()
  // The event loop is empty, and Node.js would exit with code 13.
  process.once('beforeExit', fail)
  try {
    return await Promise.race([loading, promise])
  } finally {
    clearTimeout(timer)
    process.off('beforeExit', fail)
  }
}

/** The real path of a file in the folder or below it. */
export async function resolveInside(folder: string, path: string): Promise<Resolved<string>> {
  const file = resolve(folder, path)
  const scope = 'only files beside it or below can be used'
  if (!contains(folder, file))
    return fault(`'${path}' leads out of the folder of the spec; ${scope}`)
  try {
    const [root, value] = await Promise.all([realpath(folder), realpath(file)])
    return contains(root, value)
      ? { value }
      : fault(`'${path}' is a link that leads out of the folder of the spec`)
  } catch {
    return fault(`file '${path}' not found beside the spec`)
  }
}

function fault(message: string) {
  return { faults: [{ message }] }
}
