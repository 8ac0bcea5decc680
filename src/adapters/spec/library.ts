/** The graphs that a spec runs at any depth, each file read once. Only the folder of the spec and below. */
import { dirname, resolve } from 'node:path'
import type { Nested } from '../../core/graph/worst-case/worst-case.ts'
import { type Spec, inlineGraphs } from '../../core/graph/spec/spec.ts'
import { canonical, hash, isMap, notJsonAt } from '../../core/watch/data/json.ts'
import { type OrPlaced, type PlacedFault, parserMessage, readSource } from './source.ts'
import { placeFaults, resolveInside } from './resolve-module.ts'
import { readYaml, yamlText } from './yaml.ts'
import { type Fault, truncate } from '../../core/watch/data/fault.ts'
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
export const nameOf = ({ file, spec }: GraphFile): string => `${file} ${contentOf(spec)}`

/** A spec that contains others is named again at each of its levels. */
const contents = new WeakMap<Spec, string>()

function contentOf(spec: Spec): string {
  const known = contents.get(spec)
  if (known !== undefined) return known
  const content = hash(canonical(spec))
  contents.set(spec, content)
  return content
}

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
  return yamlText(Object.fromEntries(whole))
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
