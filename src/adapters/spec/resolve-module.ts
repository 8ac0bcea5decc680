/** Modules beside a spec. Only the folder of the spec and below. */
import { realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Fault, type OrFaults, truncate } from '../../core/watch/data/fault.ts'
import { thrownText } from '../../core/watch/failure/thrown-text.ts'
import { redactEnvironment } from '../../kit/redact-environment.ts'
import { contains } from '../../kit/workspace.ts'
import { guardExit } from './exit-guard.ts'
import type { PlacedFault } from './source.ts'

export type Resolved<T> = OrFaults<{ readonly value: T }, PlacedFault | Pick<Fault, 'message'>>

/** Adds `path` in the spec to each fault without a place. */
export function placeFaults(
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
  const href = pathToFileURL(found.value).href
  const ended = `'${path}' ended the process while it was loaded`
  try {
    module = await guardExit(ended, () => awaitLoading(import(href)))
  } catch (error) {
    return fault(`'${path}' cannot be loaded: ${loadError(error)}`)
  }
  if (typeof module !== 'object' || module === null)
    return fault(`'${path}' cannot be loaded: its export 'then' makes it a promise; rename it`)
  try {
    const names = Object.keys(module).join(', ') || '(nothing)'
    if (!Object.hasOwn(module, name))
      return fault(`'${path}' exports no '${name}'; it exports: ${names}`)
  } catch (error) {
    return fault(`'${path}' cannot be read: ${causeText(error)}`)
  }
  try {
    const value = module[name]
    // An export that throws when it is read must throw here, where its place is known.
    if (typeof value === 'function') Reflect.get(value, 'name')
    return fits(value)
      ? { value: value as T }
      : fault(`'${name}' in '${path}' has the type ${typeof value}; expected ${expected}`)
  } catch (error) {
    // The export, or a getter of it, throws.
    return fault(`'${name}' in '${path}' cannot be read: ${causeText(error)}`)
  }
}

const TEXT_MAX = 2_000

/** Secrets are removed first: half a secret would not be recognized. */
const causeText = (error: unknown): string =>
  truncate(thrownText(error, redactEnvironment()), TEXT_MAX)

/** Node.js reports the syntax, not its cause. */
function loadError(error: unknown): string {
  const message = causeText(error)
  const isModuleSyntax = /outside a module|Unexpected token 'export'/.test(message)
  return error instanceof SyntaxError && isModuleSyntax
    ? `${message}: the nearest package.json says "type": "commonjs"; set "type": "module" there`
    : message
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** How long a module may take to load, in ms. */
const LOAD_MAX = 30_000

/** Rejects when a module does not finish loading: its top-level `await` waits for something that cannot happen. */
async function awaitLoading<T>(loading: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const fail = () => reject(new Error('its top-level `await` does not end'))
  const timer = setTimeout(fail, LOAD_MAX).unref()
  // The event loop is empty, and Node.js would exit with code 13.
  process.once('beforeExit', fail)
  const onSignal = (signal: string) => reject(new Error(`${signal} while it was loaded`))
  // Without another listener, the signal ends the process at once, as it should.
  const handled = SIGNALS.filter(signal => process.listenerCount(signal) > 0)
  for (const signal of handled) process.once(signal, onSignal)
  // A timer or a promise of the module fails beside its `await`. Node.js would print a stack trace and end the process.
  process.once('uncaughtException', reject)
  try {
    return await Promise.race([loading, promise])
  } finally {
    clearTimeout(timer)
    process.off('beforeExit', fail)
    for (const signal of handled) process.off(signal, onSignal)
    process.off('uncaughtException', reject)
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
    if (!contains(root, value))
      return fault(`'${path}' is a link that leads out of the folder of the spec`)
    // Node.js reads a module at once, and a pipe without a writer would block the process.
    return (await stat(value)).isFile() ? { value } : fault(`'${path}' is not a file`)
  } catch {
    return fault(`file '${path}' not found`)
  }
}

const fault = (message: string) => ({ faults: [{ message }] })
