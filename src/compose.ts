/** The parts of the composition root that a command needs only once it runs something. */
import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { AnyStateMachine } from 'xstate'
import { nodePorts } from './adapters/node/ports.ts'
import { checkSecrets, notifiersOf } from './host/notifiers.ts'
import type { Fault } from './core/graph/spec/fault.ts'
import { type AgentMachine, machineOfSpec } from './core/graph/agent-machine.ts'
import type { ModelSpec } from './core/graph/spec/resource.ts'
import type { Spec } from './core/graph/spec/spec.ts'
import type { Json } from './core/watch/json.ts'
import { type CustomParts, watchParts } from './core/watch/parts.ts'
import { loadParts } from './adapters/spec/load-parts.ts'
import { canonical, hash } from './core/watch/signature.ts'
import {
  graphIn,
  graphsBelow,
  type Library,
  loadLibrary,
  nameOf,
  nestedIn,
  recursiveIn,
  type GraphFile,
} from './adapters/spec/library.ts'
import { loadSpec } from './adapters/spec/load-spec.ts'
import { loadStatechart } from './adapters/spec/load-statechart.ts'
import { loadUses } from './adapters/spec/load-uses.ts'
import { withSettings } from './adapters/spec/settings.ts'
import { faultText, type PlacedFault, readSource } from './adapters/spec/source.ts'
import type { LoadedSpec, PortParts } from './faces/cli/app.ts'
import { bindGraph, isCannotBind } from './kit/bind.ts'
import type { Script } from './testing/script.ts'
import { scriptedModel } from './testing/scripted-model.ts'
import { createGate } from './runtime/gate/gate.ts'
import type { Graph, Model, Ports } from './runtime/ports.ts'
import { memoryStore } from './runtime/store/memory-store.ts'
import { type Store, StoreUnavailable } from './runtime/store/store.ts'
import { virtualClock } from './testing/clock.ts'

/** A spec with faults; the message names each with its place. */
class SpecFaults extends Error {
  override readonly name = 'SpecFaults'
  constructor(faults: readonly PlacedFault[]) {
    super(faults.map(faultText).join('\n'))
  }
}

export async function load(file: string, settings: readonly string[]): Promise<LoadedSpec> {
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
export async function bind({ file, spec, library }: LoadedSpec, workspace: string): Promise<Graph> {
  checkSecrets(spec.notify ?? [], process.env)
  return bound({ file: resolve(file), spec, library, workspace: resolve(workspace) })
}

/** A change of a policy: what a file holds, and `path=value` laid over it. @throws SpecFaults */
export async function changeSpec(
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

/** A graph that a program of its own has bound: what it consists of besides its spec is there alone. */
class BoundElsewhere extends Error {
  override readonly name = 'BoundElsewhere'
}

/** @throws SpecFaults, BoundElsewhere */
export async function loadThread(source: Json): Promise<Graph> {
  if (isSpecAlone(source))
    throw new BoundElsewhere(
      'a program of its own has bound the graph of this thread, and it alone can carry it on',
    )
  return bound(source as unknown as Source)
}

/** The machine alone: for commands that only look. @throws SpecFaults, BoundElsewhere */
export async function machine(source: Json): Promise<AgentMachine> {
  if (isSpecAlone(source)) {
    const spec = source as unknown as Spec
    if (spec.machine !== undefined)
      throw new BoundElsewhere(
        `the statechart '${spec.machine}' of this thread is in the program that has bound its graph`,
      )
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
async function bound(source: Source, family = new Map<string, Graph>()): Promise<Graph> {
  const known = family.get(nameOf(source))
  if (known) return known
  const graphs: Record<string, Graph> = {}
  const graph = await boundAlone(source, graphs)
  family.set(nameOf(source), graph)
  for (const name of Object.keys(source.spec.graphs)) {
    const child = graphIn(source.library, source, name)
    if (child) graphs[name] = await bound({ ...source, ...child }, family)
  }
  return graph
}

async function boundAlone(
  { file, spec, workspace, library }: Source,
  graphs: Readonly<Record<string, Graph>>,
): Promise<Graph> {
  const place = (fault: Fault): PlacedFault => ({ ...fault, file })
  const loaded = await loadUses({ file, spec, place })
  if (loaded.faults) throw new SpecFaults(loaded.faults)
  const { uses } = loaded
  const models = await modelsOf(spec, uses.scripts)
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
      tools: uses.tools,
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

/** A model's script answers where no endpoint is configured; LangChain is loaded only if one is. */
async function modelsOf(
  spec: Spec,
  scripts: Readonly<Record<string, Script>>,
): Promise<Readonly<Record<string, Model>>> {
  const made = await Promise.all(
    Object.entries(spec.models).map(async ([name, of]) => {
      const script = scripts[name]
      if (script && !configuredModels(of)) return [name, scriptedModel(of, script)] as const
      const { openaiModel } = await import('./adapters/model/langchain/openai-model.ts')
      return [name, openaiModel(of, process.env)] as const
    }),
  )
  return Object.fromEntries(made)
}

function configuredModels({ baseURL, keyFrom }: ModelSpec): boolean {
  return [baseURL, process.env.OPENAI_BASE_URL, process.env[keyFrom]].some(Boolean)
}

export async function openStore(file: string): Promise<Store> {
  if (file === ':memory:') return memoryStore()
  await mkdir(dirname(resolve(file)), { recursive: true }).catch(cause => {
    throw new StoreUnavailable(`${file} cannot be opened (${cause.message})`, { cause })
  })
  const { sqliteStore } = await import('./adapters/store/sqlite/sqlite-store.ts')
  return sqliteStore({ file })
}

/** Seeded and virtual runs meet a fresh gate: what other threads met must not change them. */
export function ports({ clock, from, seeded, say, ...parts }: PortParts): Ports {
  const { notify = [] } = (parts.graph.source as unknown as Source).spec
  const notifiers = notifiersOf(notify, {
    environment: process.env,
    say: say ?? (line => void process.stderr.write(line)),
  })
  return nodePorts({
    ...parts,
    notifiers,
    ...(seeded ? { gate: createGate() } : {}),
    ...(clock === 'virtual' ? { clock: virtualClock(from) } : {}),
  })
}
