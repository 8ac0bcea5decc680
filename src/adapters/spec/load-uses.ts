/** Loads what a spec uses from its folder: modules with custom nodes, tools, parts and statecharts, and scripts of models. */
import { dirname, resolve } from 'node:path'
import type { AnyStateMachine } from 'xstate'
import { pathsOf, workingNodes } from '../../core/graph/spec/nodes.ts'
import type { CustomClassifier, CustomDetector } from '../../core/watch/detect/custom.ts'
import type { CustomParts } from '../../core/watch/parts.ts'
import type { CustomRung } from '../../core/watch/escape/rungs.ts'
import type { CustomTool } from '../../kit/bind/bind-tool.ts'
import type { CustomNode } from '../../kit/nodes/node.ts'
import { readScript, type Script } from '../../testing/scripted-model.ts'
import type { SpecSource } from './load-spec.ts'
import { placed, resolveInside, resolveModule, type Resolved } from './library.ts'
import { type OrFaults, type PlacedFault, readSource } from './source.ts'

/** By the names of the nodes, tools and models in the spec. */
export interface Uses {
  readonly nodes: Readonly<Record<string, CustomNode>>
  readonly tools: Readonly<Record<string, CustomTool>>
  readonly scripts: Readonly<Record<string, Script>>
}

/** Loads custom nodes, custom tools and scripts. Returns faults and does not throw them. */
export async function loadUses(source: SpecSource): Promise<OrFaults<{ readonly uses: Uses }>> {
  const { spec } = source
  const loader = new Loader(source)
  const paths = pathsOf(spec)
  const isCustom = ([, , use]: Entry) => use.startsWith('./')
  const nodes = workingNodes(spec).map(
    ([key, { use }]): Entry => [key, `${paths.get(key)}.use`, use],
  )
  const tools = Object.entries(spec.tools).map(
    ([key, { use }]): Entry => [key, `tools.${key}.use`, use],
  )
  const scripts = Object.entries(spec.models).flatMap(([name, { offline }]): readonly Entry[] =>
    offline === undefined ? [] : [[name, `models.${name}.offline`, offline]],
  )
  const isTool = (value: unknown) => isFunction(value) || has(value, 'execute')
  const nodeText = 'what node(…) returns'
  const toolText = 'a tool, or a function that makes one'
  const uses: Uses = {
    nodes: await loader.modules<CustomNode>(nodes.filter(isCustom), isFunction, nodeText),
    tools: await loader.modules<CustomTool>(tools.filter(isCustom), isTool, toolText),
    scripts: await loader.load(scripts, path => readScriptFile(loader.folder, path)),
  }
  return loader.faults.length > 0 ? { faults: loader.faults } : { uses }
}

/** Loads the detectors, rungs and the classifier of a spec. Returns faults and does not throw them. */
export async function loadParts(
  source: SpecSource,
): Promise<OrFaults<{ readonly own: CustomParts }>> {
  const loader = new Loader(source)
  const { detectors = [], rungs = [], classifier } = source.spec.parts ?? {}
  const load = async <T>(uses: Readonly<Record<string, string>>, method: string, maker: string) => {
    const entries = Object.entries(uses).map(([path, use]): Entry => [path, path, use])
    const fits = (value: unknown) => isPart(value, method)
    const parts = await loader.modules<T>(entries, fits, `what ${maker}({ … }) returns`)
    return Object.values(parts)
  }
  const listed = (list: string, uses: readonly string[]) =>
    Object.fromEntries(uses.map((use, index) => [`parts.${list}[${index}]`, use]))
  const one: Record<string, string> =
    classifier === undefined ? {} : { 'parts.classifier': classifier }
  const [custom] = await load<CustomClassifier>(one, 'classify', 'defineClassifier')
  const own: CustomParts = {
    detectors: await load<CustomDetector>(
      listed('detectors', detectors),
      'observe',
      'defineDetector',
    ),
    rungs: await load<CustomRung>(listed('rungs', rungs), 'choose', 'defineRung'),
    ...(custom ? { classifier: custom } : {}),
  }
  return loader.faults.length > 0 ? { faults: loader.faults } : { own }
}

/** Loads the statechart in `machine` of a spec. A spec with edges has no statechart. Returns faults and does not throw them. */
export async function loadStatechart(
  source: SpecSource,
): Promise<OrFaults<{ readonly statechart?: AnyStateMachine }>> {
  const { machine } = source.spec
  if (machine === undefined) return {}
  const loader = new Loader(source)
  const fits = (value: unknown) => has(value, 'root', 'implementations', 'config')
  const entries: readonly Entry[] = [['statechart', 'machine', machine]]
  const { statechart } = await loader.modules<AnyStateMachine>(
    entries,
    fits,
    'a machine made with XState',
  )
  return statechart ? { statechart } : { faults: loader.faults }
}

/** A reference in a spec: the key of the result, the path in the spec, and the reference itself. */
type Entry = readonly [key: string, path: string, use: string]

/** Loads from the folder of a spec, and collects the faults with their places. */
class Loader {
  readonly folder: string
  readonly faults: PlacedFault[] = []
  readonly #place: SpecSource['place']

  constructor({ file, place }: SpecSource) {
    this.folder = dirname(resolve(file))
    this.#place = place
  }

  modules<T>(entries: readonly Entry[], fits: (value: unknown) => boolean, expected: string) {
    return this.load(entries, use => resolveModule<T>(this.folder, use, fits, expected))
  }

  async load<T>(entries: readonly Entry[], read: (use: string) => Promise<Resolved<T>>) {
    const values: Record<string, T> = {}
    for (const [key, path, use] of entries) {
      const { value, faults = [] } = await read(use)
      if (value === undefined) this.faults.push(...placed(faults, path, this.#place))
      else values[key] = value
    }
    return values
  }
}

const isFunction = (value: unknown): boolean => typeof value === 'function'

function isPart(value: unknown, method: string): boolean {
  if (!has(value, 'name', 'version', method)) return false
  const part = value as Readonly<Record<string, unknown>>
  return (
    typeof part.name === 'string' && typeof part.version === 'number' && isFunction(part[method])
  )
}

function has(value: unknown, ...names: readonly string[]): boolean {
  return typeof value === 'object' && value !== null && names.every(name => name in value)
}

async function readScriptFile(folder: string, path: string): Promise<Resolved<Script>> {
  const { value: file, faults: missing } = await resolveInside(folder, path)
  if (file === undefined) return { faults: missing }
  const { source, faults } = await readSource(file)
  if (!source) return { faults }
  const { script, faults: invalid } = readScript(source.value)
  return script ? { value: script } : { faults: invalid.map(source.place) }
}
