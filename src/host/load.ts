/** Loading graphs: a spec with everything it names, a graph that a module exports, the graph of a stored thread. */
import { basename, dirname, resolve } from 'node:path'
import type { AnyStateMachine } from 'xstate'
import { type AnyModel, modelFrom } from './model-from.ts'
import { checkSecrets } from './notifiers.ts'
import type { Nested } from '../core/graph/worst-case/model-cost.ts'
import type { Fault } from '../core/graph/spec/fault.ts'
import { type AgentMachine, machineOfSpec } from '../core/graph/agent-machine.ts'
import type { ModelSpec } from '../core/graph/spec/resource.ts'
import type { Spec } from '../core/graph/spec/spec.ts'
import type { Json } from '../core/watch/data/json.ts'
import { type CustomParts, watchParts } from '../core/watch/parts.ts'
import { resolveModule } from '../adapters/spec/resolve-module.ts'
import { canonical, hash } from '../core/watch/data/signature.ts'
import {
  graphIn,
  graphsBelow,
  type Library,
  loadLibrary,
  nameOf,
  nestedIn,
  recursiveIn,
  type GraphFile,
} from '../adapters/spec/library.ts'
import { loadSpec, withSettings } from '../adapters/spec/load-spec.ts'
import { loadParts, loadStatechart, loadUses } from '../adapters/spec/load-uses.ts'
import { faultText, type PlacedFault, readSource } from '../adapters/spec/source.ts'
import { bindGraph, isCannotBind } from '../kit/bind/bind.ts'
import type { CustomTool } from '../kit/bind/bind-tool.ts'
import type { Script } from '../testing/script.ts'
import { scriptedModel } from '../testing/scripted-model.ts'
import type { Graph, Model } from '../runtime/ports.ts'

/** A spec has faults, or what it names cannot be used. The message names each fault with its place. */
export class SpecFaults extends Error {
  override readonly name = 'SpecFaults'
  readonly code = 'spec-faults'
  constructor(faults: readonly PlacedFault[]) {
    super(faults.map(faultText).join('\n'))
  }
}

/** Whether an error is a `SpecFaults`. */
export function isSpecFaults(error: unknown): error is SpecFaults {
  return error instanceof SpecFaults
}

/** A spec that was read, with the specs that it runs. */
export interface LoadedSpec {
  readonly file: string
  readonly spec: Spec
  /** The files of the graphs that it runs, by their paths. */
  readonly library: Library
  /** The names of the graphs by which it is run again. */
  readonly recursive: ReadonlySet<string>
  /** The graphs it runs, with those that they run. */
  readonly inside: Nested['inside']
}

/** What `loadGraph` takes beside the file. */
export interface LoadOptions {
  /** Used in place of the models that the spec declares under these names. */
  readonly models?: Readonly<Record<string, AnyModel>>
  /** Used in place of the tools that the spec declares under these names. */
  readonly tools?: Readonly<Record<string, CustomTool>>
  /** The folder that workspace tools are confined to. Default: the current one. */
  readonly workspace?: string
  /** Changes of the spec, as `limits.steps=20`. */
  readonly settings?: readonly string[]
}

/**
 * A graph from a file: a spec with the modules, scripts and graphs that it names, or `./agent.ts#support`, what a module exports.
 * @throws SpecFaults, NoSecret
 * @example
 * const support = await loadGraph('./support.yaml', { models: { fast: openai('gpt-4o-mini') } })
 */
export async function loadGraph(file: string, options: LoadOptions = {}): Promise<Graph> {
  if (isModule(file)) return exportedGraph(file)
  return bindLoaded(await loadSpecs(file, options.settings), options)
}

/** Whether a file names a module and what it exports, not a spec. */
export function isModule(file: string): boolean {
  return /\.[cm]?[jt]s(#|$)/.test(file)
}

async function exportedGraph(reference: string): Promise<Graph> {
  const [path = '', name = 'default'] = reference.split('#')
  const file = resolve(path)
  const { value, faults = [] } = await resolveModule<Graph>(
    dirname(file),
    `./${basename(file)}#${name}`,
    isGraph,
    'a graph, as bindGraph or createAgent returns it',
  )
  if (value !== undefined) return value
  throw new SpecFaults(faults.map(({ message }) => ({ file: path, path: name, message })))
}

function isGraph(value: unknown): boolean {
  const { machine, nodes } = (value ?? {}) as Partial<Graph>
  return typeof machine?.hash === 'string' && typeof nodes === 'object'
}

/** A spec and all that it runs, read and not bound. @throws SpecFaults */
export async function loadSpecs(
  file: string,
  settings: readonly string[] = [],
): Promise<LoadedSpec> {
  const loaded = await loadSpec(file, value => withSettings(value, settings))
  if (loaded.faults) throw new SpecFaults(loaded.faults)
  const { library, faults } = await loadLibrary(loaded)
  if (faults) throw new SpecFaults(faults)
  const from = { ...loaded, file: resolve(file) }
  return {
    ...loaded,
    library,
    recursive: recursiveIn(library, from),
    inside: nestedIn(library, from).inside,
  }
}

/** @throws SpecFaults, NoSecret */
export async function bindLoaded(
  { file, spec, library }: LoadedSpec,
  { models, tools, workspace = '.' }: LoadOptions = {},
): Promise<Graph> {
  checkSecrets(spec.notify ?? [], process.env)
  const source = { file: resolve(file), spec, library, workspace: resolve(workspace) }
  return bindSource(source, { ...(models ? { models } : {}), ...(tools ? { tools } : {}) })
}

/** A change of a policy: what a file holds, and `path=value` laid over it. @throws SpecFaults */
export async function loadPolicyChange(
  settings: readonly string[],
  file: string | undefined,
): Promise<Json> {
  const read = file === undefined ? undefined : await readSource(file)
  if (read?.faults) throw new SpecFaults(read.faults)
  return withSettings(read?.source.value, settings) as Json
}

/** What is kept of a graph beside its journal, so that another process can go on with it. */
interface Source extends GraphFile {
  readonly workspace: string
  /** The files of the graphs that it runs. */
  readonly library: Library
}

type Replaced = Pick<LoadOptions, 'models' | 'tools'>

/** A program has bound the graph of a thread. The store holds its spec, and the program holds the rest. */
export class BoundElsewhere extends Error {
  override readonly name = 'BoundElsewhere'
  readonly code = 'bound-elsewhere'
  constructor(what = 'the graph of this thread') {
    super(
      `${what} was bound by a program, and the store holds only its spec. Name the module that exports the graph: --graph FILE#NAME, or pass the graph to createRuntime.`,
    )
  }
}

/** Whether an error is a `BoundElsewhere`. */
export function isBoundElsewhere(error: unknown): error is BoundElsewhere {
  return error instanceof Error && error.name === 'BoundElsewhere'
}

/** The graph of a stored thread, from what was kept when it started. @throws SpecFaults, BoundElsewhere */
export async function graphOfSource(source: Json): Promise<Graph> {
  if (isSpecAlone(source)) throw new BoundElsewhere()
  return bindSource(source as unknown as Source)
}

/** The machine of a stored thread alone: enough to look at it. @throws SpecFaults, BoundElsewhere */
export async function machineOfSource(source: Json): Promise<AgentMachine> {
  if (isSpecAlone(source)) {
    const spec = source as unknown as Spec
    if (spec.machine !== undefined) throw new BoundElsewhere(`the statechart '${spec.machine}'`)
    return machineOfSpec(spec)
  }
  const { file, spec } = source as unknown as Source
  return machineOfSpec(spec, await statechartOf(file, spec), watchParts(await partsOf(file, spec)))
}

/** What `bindGraph` keeps of a graph where nothing else is known. */
function isSpecAlone(source: Json): boolean {
  return typeof source === 'object' && source !== null && 'escapement' in source
}

async function partsOf(file: string, spec: Spec): Promise<CustomParts> {
  const { own, faults } = await loadParts({ file, spec, place: fault => ({ ...fault, file }) })
  if (faults) throw new SpecFaults(faults)
  return own
}

async function statechartOf(file: string, spec: Spec): Promise<AnyStateMachine | undefined> {
  const { statechart, faults } = await loadStatechart({
    file,
    spec,
    place: fault => ({ ...fault, file }),
  })
  if (faults) throw new SpecFaults(faults)
  return statechart
}

/** A graph and all that it runs, each bound once: they may run one another. */
async function bindSource(
  source: Source,
  replaced: Replaced = {},
  family = new Map<string, Graph>(),
): Promise<Graph> {
  const known = family.get(nameOf(source))
  if (known) return known
  const graphs: Record<string, Graph> = {}
  const graph = await bindAlone(source, graphs, replaced)
  family.set(nameOf(source), graph)
  for (const name of Object.keys(source.spec.graphs)) {
    const child = graphIn(source.library, source, name)
    if (child) graphs[name] = await bindSource({ ...source, ...child }, replaced, family)
  }
  return graph
}

async function bindAlone(
  { file, spec, workspace, library }: Source,
  graphs: Readonly<Record<string, Graph>>,
  replaced: Replaced,
): Promise<Graph> {
  const place = (fault: Fault): PlacedFault => ({ ...fault, file })
  const loaded = await loadUses({ file, spec, place })
  if (loaded.faults) throw new SpecFaults(loaded.faults)
  const { uses } = loaded
  const models = await modelsOf(spec, uses.scripts, replaced.models)
  const statechart = await statechartOf(file, spec)
  const own = await partsOf(file, spec)
  const below = graphsBelow(library, { file, spec })
  const source = {
    file,
    spec,
    workspace,
    library: Object.fromEntries(
      below.flatMap(({ file }) => (library[file] ? [[file, library[file]]] : [])),
    ),
  }
  try {
    const graph = bindGraph(spec, {
      workspace,
      nodes: uses.nodes,
      tools: { ...uses.tools, ...ofSpec(spec, replaced.tools) },
      own,
      model: name => models[name] as Model,
      graphs,
      below: below.map(one => hash(canonical(one.spec))).sort(),
      ...(statechart ? { machine: statechart } : {}),
    })
    return { ...graph, source: source as unknown as Json }
  } catch (error) {
    throw isCannotBind(error) ? new SpecFaults(error.faults.map(place)) : error
  }
}

/** Tools of the specs that declare them: a spec below may lack some. */
function ofSpec(spec: Spec, tools: LoadOptions['tools'] = {}): Record<string, CustomTool> {
  return Object.fromEntries(
    Object.entries(tools).filter(([name]) => Object.hasOwn(spec.tools, name)),
  )
}

/** A model's script answers where no endpoint is configured; LangChain is loaded only if one is. */
async function modelsOf(
  spec: Spec,
  scripts: Readonly<Record<string, Script>>,
  given: LoadOptions['models'] = {},
): Promise<Readonly<Record<string, Model>>> {
  const made = await Promise.all(
    Object.entries(spec.models).map(async ([name, of]) => {
      const model = Object.hasOwn(given, name) ? given[name] : undefined
      if (model) return [name, modelFrom(model)] as const
      const script = scripts[name]
      if (script && !configuredModels(of)) return [name, scriptedModel(of, script)] as const
      const { openaiModel } = await import('../adapters/model/langchain/openai-model.ts')
      return [name, openaiModel(of, process.env)] as const
    }),
  )
  return Object.fromEntries(made)
}

function configuredModels({ baseURL, keyFrom }: ModelSpec): boolean {
  return [baseURL, process.env.OPENAI_BASE_URL, process.env[keyFrom]].some(Boolean)
}
