/** What a spec uses from its folder: modules with custom nodes, tools, parts and statecharts, and the scripts of its models. */
import { dirname, resolve } from 'node:path'
import type { AnyStateMachine } from 'xstate'
import { pathsOf, workingNodes } from '../../core/graph/spec/nodes.ts'
import type { CustomClassifier, CustomDetector } from '../../core/watch/detect/custom.ts'
import type { CustomParts } from '../../core/watch/parts.ts'
import type { CustomRung } from '../../core/watch/escape/rungs.ts'
import type { CustomTool } from '../../kit/bind/bind-tool.ts'
import type { CustomNode } from '../../kit/nodes/node.ts'
import { readScript, type Script } from '../../testing/script.ts'
import type { SpecSource } from './load-spec.ts'
import { placed, resolveInside, resolveModule, type Resolved } from './resolve-module.ts'
import { type PlacedFault, readSource } from './source.ts'

/** By the names of the nodes, tools and models in the spec. */
export interface Uses {
  readonly nodes: Readonly<Record<string, CustomNode>>
  readonly tools: Readonly<Record<string, CustomTool>>
  readonly scripts: Readonly<Record<string, Script>>
}

interface Faulty {
  readonly faults: readonly PlacedFault[]
}

/** Loads modules and scripts from the spec's folder only. A fault of a module or a script is returned, not thrown. */
export async function loadUses(
  source: SpecSource,
): Promise<{ readonly uses: Uses; readonly faults?: undefined } | (Faulty & { uses?: undefined })> {
  const { spec } = source
  const { folder, faults, load } = loader(source)
  const paths = pathsOf(spec)
  const nodes = workingNodes(spec).map(
    ([name, { use }]) => [name, `${paths.get(name)}.use`, use] as const,
  )
  const tools = Object.entries(spec.tools).map(
    ([name, { use }]) => [name, `tools.${name}.use`, use] as const,
  )
  const scripts = Object.entries(spec.models).flatMap(([name, { offline }]) =>
    offline === undefined ? [] : [[name, `models.${name}.offline`, offline] as const],
  )
  const uses: Uses = {
    nodes: await load(nodes.filter(isCustom), use =>
      resolveModule<CustomNode>(folder, use, isFunction, 'what node(…) returns'),
    ),
    tools: await load(tools.filter(isCustom), use =>
      resolveModule<CustomTool>(folder, use, isToolLike, 'a tool, or a function that makes one'),
    ),
    scripts: await load(scripts, path => scriptAt(folder, path)),
  }
  return faults.length > 0 ? { faults } : { uses }
}

/** Loads the detectors, rungs and the classifier of a spec. A fault of a module is returned, not thrown. */
export async function loadParts(
  source: SpecSource,
): Promise<
  { readonly own: CustomParts; readonly faults?: undefined } | (Faulty & { own?: undefined })
> {
  const { folder, faults, load } = loader(source)
  const { detectors = [], rungs = [], classifier } = source.spec.parts ?? {}
  /** `method`: what makes a part one of this kind. */
  const parts = async <T>(
    uses: readonly (readonly [string, string])[],
    method: string,
    maker: string,
  ) => {
    const entries = uses.map(([path, use]) => [path, path, use] as const)
    const found = await load(entries, use =>
      resolveModule<T>(folder, use, part => isPart(part, method), `what ${maker}({ … }) returns`),
    )
    return Object.values(found)
  }
  const listed = (path: string, uses: readonly string[]) =>
    uses.map((use, index) => [`${path}[${index}]`, use] as const)
  const one = classifier === undefined ? [] : [['parts.classifier', classifier] as const]
  const [found] = await parts<CustomClassifier>(one, 'classify', 'defineClassifier')
  const own: CustomParts = {
    detectors: await parts<CustomDetector>(
      listed('parts.detectors', detectors),
      'observe',
      'defineDetector',
    ),
    rungs: await parts<CustomRung>(listed('parts.rungs', rungs), 'choose', 'defineRung'),
    ...(found ? { classifier: found } : {}),
  }
  return faults.length > 0 ? { faults } : { own }
}

/** Loads the statechart that a spec names with `machine`; a spec with edges has none. A fault is returned, not thrown. */
export async function loadStatechart(
  source: SpecSource,
): Promise<
  | { readonly statechart?: AnyStateMachine; readonly faults?: undefined }
  | (Faulty & { statechart?: undefined })
> {
  const { machine } = source.spec
  if (machine === undefined) return {}
  const { folder, faults, load } = loader(source)
  const { statechart } = await load([['statechart', 'machine', machine]], use =>
    resolveModule<AnyStateMachine>(folder, use, isStatechart, 'a machine made with XState'),
  )
  return statechart ? { statechart } : { faults }
}

/** What a spec names in its folder: a key, the path in the spec, and the reference itself. */
type Entry = readonly [key: string, path: string, use: string]

/** Loads from the folder of a spec. Collects the faults with their places. */
function loader({ file, place }: SpecSource) {
  const faults: PlacedFault[] = []
  const load = async <T>(
    entries: readonly Entry[],
    from: (use: string) => Promise<Resolved<T>>,
  ): Promise<Record<string, T>> => {
    const found: Record<string, T> = {}
    for (const [key, path, use] of entries) {
      const { value, faults: own = [] } = await from(use)
      if (value === undefined) faults.push(...placed(own, path, place))
      else found[key] = value
    }
    return found
  }
  return { folder: dirname(resolve(file)), faults, load }
}

function isCustom([, , use]: Entry): boolean {
  return use.startsWith('./')
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}

function isToolLike(value: unknown): boolean {
  return isFunction(value) || has(value, 'execute')
}

function isPart(value: unknown, method: string): boolean {
  if (!has(value, 'name', 'version', method)) return false
  const { name, version, [method]: does } = value as Readonly<Record<string, unknown>>
  return typeof name === 'string' && typeof version === 'number' && isFunction(does)
}

function isStatechart(value: unknown): boolean {
  return has(value, 'root', 'implementations', 'config')
}

function has(value: unknown, ...names: readonly string[]): boolean {
  return typeof value === 'object' && value !== null && names.every(name => name in value)
}

async function scriptAt(folder: string, path: string): Promise<Resolved<Script>> {
  const found = await resolveInside(folder, path)
  if (found.value === undefined) return found
  const { source, faults } = await readSource(found.value)
  if (!source) return { faults }
  const read = readScript(source.value)
  return read.script ? { value: read.script } : { faults: read.faults.map(source.place) }
}
