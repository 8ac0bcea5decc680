/** Loads what a spec uses from its folder: modules with custom nodes, tools, parts and statecharts, and scripts of models. */
import { dirname, resolve } from 'node:path'
import type { AnyStateMachine } from 'xstate'
import { faultLine } from '../../core/watch/data/fault.ts'
import { stateIdFaults } from '../../core/graph/chart.ts'
import { pathsOf, workingNodes } from '../../core/graph/spec/spec.ts'
import type { CustomClassifier } from '../../core/watch/detect/custom.ts'
import type { CustomParts } from '../../core/watch/parts.ts'
import type { CustomTool } from '../../kit/bind/bind-tool.ts'
import type { CustomNode } from '../../kit/nodes/node.ts'
import { readScript, type Script } from '../../testing/scripted-model.ts'
import type { SpecSource } from './library.ts'
import { placeFaults, type Resolved, resolveInside, resolveModule } from './resolve-module.ts'
import { type OrPlaced, type PlacedFault, readSource } from './source.ts'

/** By the names of the nodes, tools and models in the spec. */
export interface Uses {
  readonly nodes: Readonly<Record<string, CustomNode>>
  readonly tools: Readonly<Record<string, CustomTool>>
  readonly scripts: Readonly<Record<string, Script>>
}

/** Loads custom nodes, custom tools and scripts. Returns faults and does not throw them. */
export async function loadUses(source: SpecSource): Promise<OrPlaced<{ readonly uses: Uses }>> {
  const { spec } = source
  const { folder, faults, load, modules } = loaderOf(source)
  const paths = pathsOf(spec)
  const custom = (use: string) => (use.startsWith('./') ? use : undefined)
  const nodes = workingNodes(spec).map(
    ([key, { use }]): Entry => [key, `${paths.get(key)}.use`, custom(use)],
  )
  const tools = Object.entries(spec.tools).map(
    ([key, { use }]): Entry => [key, `tools.${key}.use`, custom(use)],
  )
  const scripts = Object.entries(spec.models).map(
    ([key, { offline }]): Entry => [key, `models.${key}.offline`, offline],
  )
  const isTool = (value: unknown) => isFunction(value) || has(value, 'execute')
  const uses: Uses = {
    nodes: await modules<CustomNode>(nodes, isFunction, 'what node(…) returns'),
    tools: await modules<CustomTool>(tools, isTool, 'a tool, or a function that makes one'),
    scripts: await load(scripts, path => readScriptFile(folder, path)),
  }
  return faults.length > 0 ? { faults } : { uses }
}

/** The statechart in `machine` of a spec, and its custom parts. */
type Parts = Readonly<{ own: CustomParts; statechart?: AnyStateMachine }>

/** Loads the statechart, detectors, rungs and classifier of a spec. Returns faults and does not throw them. */
export async function loadParts(source: SpecSource): Promise<OrPlaced<Parts>> {
  const { faults, modules } = loaderOf(source)
  const { place } = source
  const { machine, parts: { detectors = [], rungs = [], classifier } = {} } = source.spec
  const partsAt = async <T>(entries: readonly Entry[], method: string, maker: string) => {
    const fits = (value: unknown) => isPart(value, method)
    return Object.values(await modules<T>(entries, fits, `what ${maker}({ … }) returns`))
  }
  const listed = (list: string, uses: readonly string[]) =>
    uses.map((use, index): Entry => [String(index), `parts.${list}[${index}]`, use])
  const one: Entry = ['classifier', 'parts.classifier', classifier]
  const [custom] = await partsAt<CustomClassifier>([one], 'classify', 'defineClassifier')
  const own: CustomParts = {
    detectors: await partsAt(listed('detectors', detectors), 'observe', 'defineDetector'),
    rungs: await partsAt(listed('rungs', rungs), 'choose', 'defineRung'),
    ...(custom ? { classifier: custom } : {}),
  }
  const isChart = (value: unknown) => has(value, 'root', 'implementations', 'config')
  const charts: readonly Entry[] = [['statechart', 'machine', machine]]
  const chart = await modules<AnyStateMachine>(charts, isChart, 'a machine made with XState')
  const idFaults = chart.statechart ? stateIdFaults(chart.statechart) : []
  const inChart = idFaults.map(fault => ({ message: faultLine(fault) }))
  faults.push(...placeFaults(inChart, 'machine', place))
  return faults.length > 0 ? { faults } : { own, ...chart }
}

/** A reference in a spec: the key of the result, the path in the spec, and the reference itself, if there is one. */
type Entry = readonly [key: string, path: string, use: string | undefined]

/** Loads from the folder of a spec, and collects the faults with their places. */
function loaderOf({ file, place }: SpecSource) {
  const folder = dirname(resolve(file))
  const faults: PlacedFault[] = []
  async function load<T>(entries: readonly Entry[], read: (use: string) => Promise<Resolved<T>>) {
    const values: Record<string, T> = {}
    for (const [key, path, use] of entries) {
      if (use === undefined) continue
      const { value, faults: wrong = [] } = await read(use)
      if (value === undefined) faults.push(...placeFaults(wrong, path, place))
      else values[key] = value
    }
    return values
  }
  const modules = <T>(entries: readonly Entry[], fits: (value: unknown) => boolean, text: string) =>
    load(entries, use => resolveModule<T>(folder, use, fits, text))
  return { folder, faults, load, modules }
}

const isFunction = (value: unknown): boolean => typeof value === 'function'

function isPart(value: unknown, method: string): boolean {
  if (!has(value, 'name', 'version', method)) return false
  const part = value as Readonly<Record<string, unknown>>
  return (
    typeof part.name === 'string' && typeof part.version === 'number' && isFunction(part[method])
  )
}

const has = (value: unknown, ...names: readonly string[]): boolean =>
  typeof value === 'object' && value !== null && names.every(name => name in value)

/** The script in a file of a folder. */
export async function readScriptFile(folder: string, path: string): Promise<Resolved<Script>> {
  const { value: file, faults: missing } = await resolveInside(folder, path)
  if (file === undefined) return { faults: missing }
  const { source, faults } = await readSource(file)
  if (!source) return { faults }
  const { script, faults: invalid } = readScript(source.value)
  return script ? { value: script } : { faults: invalid.map(source.place) }
}
