/** Files beside a spec: modules, and the graphs that a spec runs at any depth, each read once. Only the folder of the spec and below. */
import { dirname, resolve } from 'node:path'
import type { Nested } from '../../core/graph/worst-case/worst-case.ts'
import { type Spec, inlineGraphs } from '../../core/graph/spec/spec.ts'
import { factsOf } from '../../core/watch/failure/failure.ts'
import { guardExit } from '../node/exit-guard.ts'
import { canonical, hash, isMap, notJsonAt } from '../../core/watch/data/json.ts'
import { type OrPlaced, type PlacedFault, parserMessage, readSource } from './source.ts'
import { readYaml } from './yaml.ts'
import { realpath } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { type Fault, type OrFaults, truncate } from '../../core/watch/data/fault.ts'
import { contains } from '../../kit/workspace.ts'
import { stringify } from 'yaml'
import { readSpec } from '../../core/graph/spec/read.ts'

/** Specs by the absolute paths of their files. */
export type Library = Readonly<Record<string, Spec>>

/** A graph and the file that contains it. */
export type GraphFile = Readonly<{ file: string; spec: Spec }>

/** The most files of one library. */
const FILES_MAX = 64

/** Reads all files that a spec refers to, directly or through others. Returns faults and does not throw them. */
export async function loadLibrary(root: SpecSource): Promise<OrPlaced<{ library: Library }>> {
  const library: Record<string, Spec> = {}
  const open = [{ ...root, file: resolve(root.file) }]
  const known = new Map(open.map(one => [one.file, one]))
  for (const { file, spec, place } of open) {
    for (const [at, path] of filesIn(spec)) {
      const wanted = resolve(dirname(file), path)
      const loaded = known.get(wanted) ?? (await loadNextTo(file, path))
      if (loaded.faults) return { faults: placeFaults(loaded.faults, at, place) }
      library[wanted] = loaded.spec
      if (known.has(wanted)) continue
      if (known.size >= FILES_MAX)
        return { faults: [place({ path: at, message: `leads to more than ${FILES_MAX} files` })] }
      open.push({ ...loaded, file: wanted })
      known.set(wanted, { ...loaded, file: wanted })
    }
  }
  return { library }
}

async function loadNextTo(file: string, path: string) {
  const found = await resolveInside(dirname(file), path)
  return found.value === undefined ? found : loadSpec(found.value)
}

/** The files in a spec and in its inline graphs, each with its path in the spec. */
function filesIn(spec: Spec, at = ''): readonly (readonly [at: string, path: string])[] {
  const files = Object.entries(spec.graphs).flatMap(([name, graph]) =>
    typeof graph === 'string' ? [[`${at}graphs.${name}`, graph] as const] : [],
  )
  const inner = inlineGraphs(spec).flatMap(([name, graph]) =>
    filesIn(graph, `${at}graphs.${name}.`),
  )
  return [...files, ...inner]
}

/** The graph with this name in a spec. `undefined` if the library does not contain it. */
export function graphIn(library: Library, from: GraphFile, name: string): GraphFile | undefined {
  const graph = from.spec.graphs[name]
  if (typeof graph === 'object') return { file: from.file, spec: graph }
  const path = resolve(dirname(from.file), graph ?? '')
  const found = library[path]
  return found && { file: path, spec: found }
}

/** A spec with all graphs that it runs. */
export function nestedIn(library: Library, from: GraphFile): Nested {
  return {
    spec: from.spec,
    inside: name => {
      const graph = graphIn(library, from, name)
      return graph && nestedIn(library, graph)
    },
  }
}

/** Identifies a graph by its file and its content. */
export const nameOf = ({ file, spec }: GraphFile): string => `${file} ${hash(canonical(spec))}`

/** The names of the graphs that run the spec again, directly or through others. */
export function recursiveIn(library: Library, from: GraphFile): ReadonlySet<string> {
  const own = nameOf(from)
  const names = Object.keys(from.spec.graphs).filter(name => {
    const graph = graphIn(library, from, name)
    return graph && [graph, ...graphsBelow(library, graph)].some(below => nameOf(below) === own)
  })
  return new Set(names)
}

/** All graphs that this one may run, at any depth. It contains the graph itself if that is recursive. */
export function graphsBelow(library: Library, from: GraphFile): readonly GraphFile[] {
  const found = new Map<string, GraphFile>()
  const open = [from]
  for (const one of open) {
    for (const name of Object.keys(one.spec.graphs)) {
      const graph = graphIn(library, one, name)
      if (!graph || found.has(nameOf(graph))) continue
      found.set(nameOf(graph), graph)
      open.push(graph)
    }
  }
  return [...found.values()]
}

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
    return fault(`'${path}' cannot be loaded: ${loadError(factsOf(error))}`)
  }
  if (typeof module !== 'object' || module === null)
    return fault(`'${path}' cannot be loaded: its export 'then' makes it a promise; rename it`)
  try {
    const names = Object.keys(module).join(', ') || '(nothing)'
    if (!Object.hasOwn(module, name))
      return fault(`'${path}' exports no '${name}'; it exports: ${names}`)
  } catch (error) {
    return fault(`'${path}' cannot be read: ${factsOf(error).message}`)
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
    return fault(`'${name}' in '${path}' cannot be read: ${factsOf(error).message}`)
  }
}

/** Node.js reports the syntax, not its cause. */
function loadError({ name, message }: Error): string {
  const isModuleSyntax = /outside a module|Unexpected token 'export'/.test(message)
  return name === 'SyntaxError' && isModuleSyntax
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
    return contains(root, value)
      ? { value }
      : fault(`'${path}' is a link that leads out of the folder of the spec`)
  } catch {
    return fault(`file '${path}' not found`)
  }
}

const fault = (message: string) => ({ faults: [{ message }] })

/** A spec and its file. `place` adds the position in the file to a fault. */
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
 * Reads the spec in a file. `edit` may change the value before the check. Returns faults of the file and does not throw them.
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

/** A spec as YAML, without empty parts. `extends` is expanded. */
export function specText(spec: Spec): string {
  const isEmpty = (value: unknown) =>
    typeof value === 'object' && value !== null && Object.keys(value).length === 0
  const whole = Object.entries(spec).filter(([, value]) => !isEmpty(value))
  return stringify(Object.fromEntries(whole), { lineWidth: 0, aliasDuplicateObjects: false })
}

/** A setting does not fit the spec. */
export class BadSetting extends Error {
  override readonly name = 'UsageError'
}

/** The steps of a path. A spec is not deeper. */
const STEPS_MAX = 100
const PATH_MAX = 1_000

const FORBIDDEN: readonly string[] = ['', '__proto__', 'prototype', 'constructor']

/** A copy of the value with each `path=value` set. The values are YAML. @throws BadSetting */
export function withSettings(value: unknown, settings: readonly string[]): unknown {
  return settings.reduce((spec, setting) => {
    const equals = setting.indexOf('=')
    const path = setting.slice(0, equals).split('.')
    const start = `--set ${truncate(setting, 80)}`
    if (path.length > STEPS_MAX)
      throw new BadSetting(`${start}: has ${path.length} steps; expected at most ${STEPS_MAX}`)
    if (equals > PATH_MAX)
      throw new BadSetting(
        `${start}: has a path of ${equals} characters; expected at most ${PATH_MAX}`,
      )
    if (path.some(key => FORBIDDEN.includes(key)))
      throw new BadSetting(`--set ${setting}: '${path.join('.')}' is not a path of a spec`)
    return withValue(spec, path, parseSetting(setting, setting.slice(equals + 1)))
  }, value)
}

function parseSetting(setting: string, text: string): unknown {
  const start = `--set ${truncate(setting, 80)}`
  let value: unknown
  try {
    const document = readYaml(text, { prettyErrors: false })
    const [error] = document.errors
    if (error) throw error
    value = document.toJS()
  } catch (error) {
    throw new BadSetting(`${start}: ${parserMessage((error as Error).message, 'YAML')}`)
  }
  // An alias may stand inside of what it stands for.
  const unusable = notJsonAt(value)
  if (unusable) throw new BadSetting(`${start}: ${unusable.trim()}`)
  return value
}

function withValue(spec: unknown, [key = '', ...rest]: readonly string[], value: unknown): unknown {
  const map: Readonly<Record<string, unknown>> = isMap(spec) ? spec : {}
  if (rest.length === 0) return { ...map, [key]: value }
  return { ...map, [key]: withValue(Object.hasOwn(map, key) ? map[key] : undefined, rest, value) }
}
