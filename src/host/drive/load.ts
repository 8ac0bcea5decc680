/** Loads graphs: from a spec and the files it names, from a module, or from the source of a stored thread. */
import { codedError, type Fault, guardOf } from '../../core/watch/data/fault.ts'
import { basename, dirname, resolve } from 'node:path'
import { graphIn, graphsBelow, loadLibrary, nameOf, nestedIn } from '../../adapters/spec/library.ts'
import { recursiveIn, loadSpec, withSettings } from '../../adapters/spec/library.ts'
import { guardBind } from '../../adapters/spec/exit-guard.ts'
import { resolveModule } from '../../adapters/spec/resolve-module.ts'
import type { GraphFile, Library, SpecSource } from '../../adapters/spec/library.ts'
import { loadParts, loadUses } from '../../adapters/spec/load-uses.ts'
import { faultText, type PlacedFault, readSource } from '../../adapters/spec/source.ts'
import { type AgentMachine, machineOfSpec } from '../../core/graph/agent-machine.ts'
import type { ModelSpec } from '../../core/graph/spec/resource.ts'
import { identityOfSpec } from '../../core/graph/spec/identity.ts'
import type { Spec } from '../../core/graph/spec/spec.ts'
import type { Migrate } from '../../core/migration.ts'
import type { Nested } from '../../core/graph/worst-case/worst-case.ts'
import { type Json, defined, isMap, mapFields } from '../../core/watch/data/json.ts'
import { watchParts } from '../../core/watch/parts.ts'
import { bindGraph, isCannotBind, type SpecGraph, withGraphsBelow } from '../../kit/bind/bind.ts'
import { isGraph } from '../../kit/bind/is-graph.ts'
import { nestedOf } from '../../kit/bind/nested.ts'
import type { CustomTool } from '../../kit/bind/bind-tool.ts'
import { redactEnvironment } from '../../kit/redact-environment.ts'
import type { Graph, Model } from '../../runtime/ports.ts'
import { type Script, scriptedModel } from '../../testing/scripted-model.ts'
import { unscriptedModel } from '../../testing/unscripted-model.ts'
import { type AnyModel, modelFrom } from '../definition/model-from.ts'
import { checkSecrets } from './notifiers.ts'

/** A spec has faults, or a part it names is unusable. The message names each fault with its place. */
export class SpecFaults extends codedError('SpecFaults', 'spec-faults') {
  /** The command or the edit that fixes it. */
  readonly hint: string | undefined
  constructor(faults: readonly PlacedFault[], hint?: string) {
    super(faults.map(faultText).join('\n'))
    this.hint = hint
  }
}

/** Whether an error is a `SpecFaults`. */
export const isSpecFaults = guardOf(SpecFaults)

/** A program bound the graph of a thread. The store has only its spec. */
export class BoundElsewhere extends codedError('BoundElsewhere', 'bound-elsewhere') {
  constructor(what = 'the graph of this thread') {
    super(
      `${what} was bound by a program, and the store holds only its spec. Name the module that exports the graph: --graph FILE#NAME, or pass the graph to createRuntime.`,
    )
  }
}

/** Whether an error is a `BoundElsewhere`. */
export const isBoundElsewhere = guardOf(BoundElsewhere)

/** A spec, with the specs it runs. */
export interface LoadedSpec extends GraphFile {
  /** The files of the graphs it runs, by path. */
  readonly library: Library
  /** The names of the graphs that lead back to it. */
  readonly recursive: ReadonlySet<string>
  /** The graphs it runs, with the graphs they run. */
  readonly inside: Nested['inside']
}

/** The options of `loadGraph`. */
export interface LoadOptions {
  /** Replace the models that the spec declares under these names. */
  readonly models?: Readonly<Record<string, AnyModel>>
  /** Replace the tools that the spec declares under these names. */
  readonly tools?: Readonly<Record<string, CustomTool>>
  /** Every model answers from its offline script, also if an endpoint is configured. */
  readonly offline?: true
  /** The folder that confines workspace tools. Default: the current folder. */
  readonly workspace?: string
  /** Moves waiting threads of earlier versions of the spec to this one. */
  readonly migrate?: Migrate
  /** Overrides of the spec, such as `limits.steps=20`. */
  readonly settings?: readonly string[]
}

/**
 * Loads a graph from a spec, with its modules, scripts and graphs, or from an export of a module (`./agent.ts#support`).
 * @throws SpecFaults, NoSecret
 * @example
 * const support = await loadGraph('./support.yaml', { models: { fast: openai('gpt-4o-mini') } })
 */
export async function loadGraph(file: string, options: LoadOptions = {}): Promise<Graph> {
  if (isModule(file)) return exportedGraph(file)
  const graph = await bindLoaded(await loadSpecs(file, options.settings), options)
  return { ...graph, ...defined({ migrate: options.migrate }) }
}

/** Whether a reference names a module and its export, not a spec. */
export const isModule = (file: string): boolean => /\.[cm]?[jt]s(#|$)/.test(file)

/** The spec of an exported graph, with the graphs it runs, and its machine. @throws SpecFaults */
export async function loadExported(reference: string) {
  const graph = await exportedGraph(reference)
  return { ...nestedGraph(graph), machine: graph.machine }
}

/** A graph, its spec, and the graphs it runs. */
export function nestedGraph(graph: Graph) {
  const below = (of: Graph, seen = new Set<Graph>()): typeof seen => {
    for (const one of Object.values(of.graphs ?? {})) if (!seen.has(one)) below(one, seen.add(one))
    return seen
  }
  const names = Object.entries(graph.graphs ?? {}).filter(([, one]) => below(one).has(graph))
  const recursive = new Set(names.map(([name]) => name))
  return { ...nestedOf(graph as SpecGraph), recursive, code: graph }
}

async function exportedGraph(reference: string): Promise<SpecGraph> {
  const [path = '', name = 'default'] = reference.split('#')
  const file = resolve(path)
  const expected = 'a graph, as bindGraph or createAgent returns it'
  const [folder, use] = [dirname(file), `./${basename(file)}#${name}`]
  const { value, faults = [] } = await resolveModule<SpecGraph>(folder, use, isGraph, expected)
  if (value !== undefined) return value
  const placed = faults.map(({ message }) => ({ file: path, path: '', message }))
  throw new SpecFaults(placed, faults.some(isMissingExport) ? exportHint(path, name) : undefined)
}

const isMissingExport = ({ message }: Pick<Fault, 'message'>) => / exports no '/.test(message)

const exportHint = (path: string, name: string) =>
  name === 'default'
    ? `export the graph, for example with \`export default agent\`, or name its export: ${path}#NAME`
    : `name one of its exports, or export the graph: ${path}#NAME`

/** Reads a spec and all specs it runs, without binding them. @throws SpecFaults */
export async function loadSpecs(
  file: string,
  settings: readonly string[] = [],
  edit: (value: unknown) => unknown = value => value,
): Promise<LoadedSpec> {
  const read = await loadSpec(file, value => edit(withSettings(value, settings)))
  if (read.faults) throw new SpecFaults(read.faults, inputHint(read.faults, settings))
  const loaded = valid(read)
  const { library } = valid(await loadLibrary(loaded))
  const from = { ...loaded, file: resolve(file) }
  const { inside } = nestedIn(library, from)
  return { ...loaded, library, recursive: recursiveIn(library, from), inside }
}

/** A setting whose key is unknown may be meant for the input. */
function inputHint(faults: readonly PlacedFault[], settings: readonly string[]) {
  const name = settings
    .map(setting => setting.slice(0, setting.indexOf('=')))
    .find(key => faults.some(of => of.path === key && of.message.startsWith(UNKNOWN_KEY)))
  if (name === undefined) return undefined
  return `--set changes the spec; values of its input go in --input '{"${name}": "…"}'`
}

const UNKNOWN_KEY = 'is unknown; expected one of'

/** @throws SpecFaults, NoSecret */
export async function bindLoaded(loaded: Bindable, options: LoadOptions = {}): Promise<Graph> {
  checkSecrets(loaded.spec.notify ?? [], process.env)
  return bindWithoutSecrets(loaded, options)
}

type Bindable = Pick<LoadedSpec, 'file' | 'spec' | 'library'>

/** @throws SpecFaults */
export async function bindWithoutSecrets(
  { file, spec, library }: Bindable,
  { models, tools, offline, workspace = '.' }: LoadOptions = {},
): Promise<Graph> {
  const source = { file: resolve(file), spec, library, workspace: resolve(workspace) }
  return bindSource(source, defined({ models, tools, offline }))
}

/** Merges a policy change from a file with `path=value` settings. @throws SpecFaults */
export async function loadPolicyChange(settings: readonly string[], file?: string): Promise<Json> {
  const read = file === undefined ? undefined : valid(await readSource(file))
  return withSettings(read?.source.value, settings) as Json
}

/** The source of a graph in the store, from which another process binds it again. */
type Source = Pick<LoadedSpec, 'file' | 'spec' | 'library'> & { readonly workspace: string }

/** Binds the graph of a stored thread from its source. @throws SpecFaults, BoundElsewhere */
export async function graphOfSource(
  source: Json,
  options: Pick<LoadOptions, 'offline'> = {},
): Promise<Graph> {
  if (isSpecAlone(source)) throw new BoundElsewhere()
  return bindSource(source as unknown as Source, options)
}

/** The machine of a stored thread, to inspect it. @throws SpecFaults, BoundElsewhere */
export async function machineOfSource(source: Json): Promise<AgentMachine> {
  if (isSpecAlone(source)) {
    const spec = source as unknown as Spec
    if (spec.machine !== undefined) throw new BoundElsewhere(`the statechart '${spec.machine}'`)
    return machineOfSpec(spec)
  }
  return machineOfLoaded(source as unknown as Source)
}

/** The machine of a loaded spec, without its code. @throws SpecFaults */
export async function machineOfLoaded(loaded: Bindable): Promise<AgentMachine> {
  const { statechart, own } = valid(await loadParts(placing(loaded)))
  return withGraphsBelow(
    machineOfSpec(loaded.spec, statechart, watchParts(own, redactEnvironment())),
    identitiesBelow(loaded),
  )
}

/** The identities of the graphs that a graph runs, at any depth. */
export function identitiesBelow(of: Bindable): readonly string[] {
  return graphsBelow(of.library, of)
    .map(one => identityOfSpec(one.spec))
    .sort()
}

/** Whether a source is only a spec, as `bindGraph` stores it. */
export const isSpecAlone = (source: Json): boolean => isMap(source) && 'escapement' in source

function placing({ file, spec }: GraphFile): SpecSource {
  return { file, spec, place: fault => ({ ...fault, file }) }
}

/** @throws SpecFaults */
function valid<T extends { readonly faults?: readonly PlacedFault[] | undefined }>(loaded: T) {
  if (loaded.faults) throw new SpecFaults(loaded.faults)
  return loaded as Exclude<T, { readonly faults: readonly PlacedFault[] }>
}

type Replaced = Pick<LoadOptions, 'models' | 'tools' | 'offline'>
type Graphs = Readonly<Record<string, Graph>>
type Family = Map<string, Graph>

/** Binds a graph and all graphs it runs, each once, because they can run each other. */
async function bindSource(source: Source, replaced: Replaced = {}, family: Family = new Map()) {
  const known = family.get(nameOf(source))
  if (known) return known
  const graphs: Record<string, Graph> = {}
  const graph = await bindOne(source, graphs, replaced)
  family.set(nameOf(source), graph)
  for (const name of Object.keys(source.spec.graphs)) {
    const child = graphIn(source.library, source, name)
    if (child) graphs[name] = await bindSource({ ...source, ...child }, replaced, family)
  }
  return graph
}

async function bindOne(of: Source, graphs: Graphs, replaced: Replaced): Promise<Graph> {
  const { file, spec, workspace, library } = of
  const from = placing({ file, spec })
  const { uses } = valid(await loadUses(from))
  const models = await modelsOf(spec, uses.scripts, replaced)
  const { statechart: machine, own } = valid(await loadParts(from))
  const below = graphsBelow(library, from)
  const files = below.flatMap(({ file }) => (library[file] ? [[file, library[file]]] : []))
  const source = { file, spec, workspace, library: Object.fromEntries(files) }
  // A spec below may not declare all replaced tools.
  const tools = mapFields(replaced.tools ?? {}, (tool, name) =>
    Object.hasOwn(spec.tools, name) ? tool : undefined,
  )
  try {
    const parts = {
      ...{ workspace, graphs, own, nodes: uses.nodes, tools: { ...uses.tools, ...tools } },
      model: (name: string) => models[name] as Model,
      below: identitiesBelow(of),
      ...defined({ machine }),
    }
    const graph = await guardBind(file, () => bindGraph(spec, parts))
    return { ...graph, source: source as unknown as Json }
  } catch (error) {
    throw isCannotBind(error) ? new SpecFaults(error.faults.map(from.place)) : error
  }
}

/** The models of a spec. A script answers where no endpoint is configured; LangChain is loaded only for an endpoint. */
async function modelsOf(
  spec: Spec,
  scripts: Readonly<Record<string, Script>>,
  { models: given = {}, offline }: Replaced,
) {
  const models = Object.entries(spec.models).map(async ([name, of]) => {
    const model = Object.hasOwn(given, name) ? given[name] : undefined
    if (model) return [name, modelFrom(model)] as const
    const script = scripts[name]
    if (script && (offline || !hasEndpoint(of))) return [name, scriptedModel(of, script)] as const
    if (offline) return [name, unscriptedModel(name, of)] as const
    const { openaiModel } = await import('../../adapters/model/langchain/openai-model.ts')
    return [name, openaiModel(of, process.env)] as const
  })
  return Object.fromEntries(await Promise.all(models))
}

const hasEndpoint = ({ baseURL, keyFrom }: ModelSpec): boolean =>
  [baseURL, process.env.OPENAI_BASE_URL, process.env[keyFrom]].some(Boolean)
