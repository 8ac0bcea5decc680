/** Loads a scenario file with the graph of each policy, its scripts and its fake system. */
import { dirname, join, resolve } from 'node:path'
import { nodeOwner } from '../../adapters/node/ports.ts'
import { resolveModule, placeFaults, type Resolved } from '../../adapters/spec/resolve-module.ts'
import { readScriptFile } from '../../adapters/spec/load-uses.ts'
import { type PlacedFault, readSource, type Source } from '../../adapters/spec/source.ts'
import { changePolicy } from '../../core/graph/spec/policy-schema.ts'
import type { Fault } from '../../core/watch/data/fault.ts'
import { type Json, mapFields } from '../../core/watch/data/json.ts'
import { nameHint } from '../../core/watch/data/schema-faults.ts'
import { mergePatch, POLICY } from '../../core/watch/policy/policy.ts'
import type { SpecGraph } from '../../kit/bind/bind.ts'
import type { Graph } from '../../runtime/ports.ts'
import { gateFaults } from '../../simulate/monte/gates.ts'
import type { Subjects } from '../../simulate/monte/monte.ts'
import type { CreateSystem } from '../../simulate/run/fake-system.ts'
import { proxyFaults } from '../../simulate/proxy/proxy-faults.ts'
import { targetFaults } from '../../simulate/scenario/check.ts'
import { type Cell, withCell } from '../../simulate/scenario/vary.ts'
import { readScenario, type Scenario } from '../../simulate/scenario/scenario.ts'
import { type Script, scriptedModel } from '../../testing/scripted-model.ts'
import { bindLoaded, isModule, loadGraph, loadSpecs, SpecFaults } from '../drive/load.ts'
import { withPolicy, withScripts } from './module-graph.ts'
import { systemTools } from './system-tools.ts'
import type { RunToken } from './token.ts'

/** A scenario with the graph of each of its policies. */
export interface LoadedScenario {
  readonly scenario: Scenario
  readonly subjects: Subjects
  /** The scenario as it is written. */
  readonly value: Json
}

/**
 * Loads a scenario file, with the values of a cell of its grid. Every model answers from a script, also if an endpoint is configured.
 * @throws SpecFaults with the place of each fault in its file
 * @example const { scenario, subjects } = await loadScenario('graphs/ring.scenario.yaml')
 */
export async function loadScenario(file: string, cell: Cell = {}): Promise<LoadedScenario> {
  const { source, faults } = await readSource(file)
  if (!source) throw new SpecFaults(faults)
  const changed = withCell(source.value as Json, cell)
  if (changed.faults.length > 0) throw new SpecFaults(changed.faults.map(source.place))
  return loadSource({ ...source, value: changed.value })
}

/** Loads a scenario for a proxy. It needs no graph. @throws SpecFaults with the place of each fault in its file */
export async function loadProxyScenario(file: string): Promise<Scenario> {
  const source = await readSource(file)
  if (!source.source) throw new SpecFaults(source.faults)
  const { value, place } = source.source
  const { scenario, faults } = readScenario(value)
  if (!scenario) throw new SpecFaults(faults.map(place))
  const impossible = proxyFaults(scenario)
  if (impossible.length > 0) throw new SpecFaults(impossible.map(place))
  return scenario
}

/** Loads the scenario of a token. @throws SpecFaults */
export function loadFromToken({ folder, scenario }: RunToken): Promise<LoadedScenario> {
  const file = join(folder, '(the token)')
  return loadSource({ file, value: scenario, place: fault => ({ ...fault, file }) })
}

async function loadSource(source: Source): Promise<LoadedScenario> {
  const { scenario, faults } = readScenario(source.value)
  if (!scenario) throw new SpecFaults(faults.map(source.place))
  return { scenario, subjects: await subjectsOf(scenario, source), value: source.value as Json }
}

async function subjectsOf(scenario: Scenario, source: Source): Promise<Subjects> {
  const folder = resolve(dirname(source.file), scenario.folder)
  const throwAt = faultThrower(source)
  const { graph: file } = scenario
  if (file === undefined) {
    const message =
      'missing; expected the spec of the graph, or a module that exports it, as ./FILE#NAME (only `sim proxy` needs none)'
    throw new SpecFaults([source.place({ path: 'graph', message })])
  }
  const scripts = await scriptsOf(scenario, folder, throwAt)
  const system = await systemOf(scenario, folder, throwAt)
  const bound: Record<string, Graph> = {}
  for (const [policy, change] of Object.entries(scenario.policies)) {
    bound[policy] = await graphOf(resolve(folder, file), {
      policy,
      change,
      scripts,
      system,
      throwAt,
    })
  }
  const [graph] = Object.values(bound) as [Graph]
  const names = { tool: namesIn(graph, 'tools'), model: namesIn(graph, 'models') }
  const unknown = Object.keys(scenario.models).find(name => !names.model.includes(name))
  if (unknown !== undefined)
    throwAt(`models.${unknown}`, [
      { message: `the graph has no such model; ${nameHint(unknown, names.model)}` },
    ])
  const faults = [...targetFaults(scenario.faults, names), ...gateFaults(scenario)]
  if (faults.length > 0) throw new SpecFaults(faults.map(source.place))
  throwAt('input', graph.machine.checkInput(scenario.input as Json))
  const shared = { scenario, system, redact: nodeOwner().redact }
  return Object.fromEntries(
    Object.entries(bound).map(([policy, graph]) => [policy, { ...shared, policy, graph }]),
  )
}

type ThrowAt = (
  path: string,
  faults: readonly (PlacedFault | { readonly message: string })[],
) => void

/** Throws faults with their place in the scenario file. */
const faultThrower =
  ({ place }: Source): ThrowAt =>
  (path, faults) => {
    if (faults.length > 0) throw new SpecFaults(placeFaults(faults, path, place))
  }

function valueOr<T>(resolved: Resolved<T>, path: string, throwAt: ThrowAt): T {
  throwAt(path, resolved.faults ?? [])
  return resolved.value as T
}

async function scriptsOf({ models }: Scenario, folder: string, throwAt: ThrowAt) {
  const scripts: Record<string, Script> = {}
  for (const [name, path] of Object.entries(models))
    scripts[name] = valueOr(await readScriptFile(folder, path), `models.${name}`, throwAt)
  return scripts
}

async function systemOf({ system }: Scenario, folder: string, throwAt: ThrowAt) {
  if (system === undefined) return undefined
  const isFunction = (value: unknown) => typeof value === 'function'
  const expected = 'a function that returns a fake system'
  const found = await resolveModule<CreateSystem>(folder, system, isFunction, expected)
  return valueOr(found, 'system', throwAt)
}

interface GraphParts {
  readonly policy: string
  readonly change: Readonly<Record<string, Json>>
  readonly scripts: Readonly<Record<string, Script>>
  readonly system: CreateSystem | undefined
  readonly throwAt: ThrowAt
}

/** The graph under a policy. Its source holds the policy, so a stored thread opens with it. */
async function graphOf(file: string, parts: GraphParts): Promise<Graph> {
  const { policy, change, scripts, throwAt } = parts
  const isChange = Object.keys(change).length > 0
  const throwAtPolicy = (faults: readonly Fault[]) =>
    throwAt(
      `policies.${policy}`,
      faults.map(({ path, message }) => ({ message: `${path}: ${message}` })),
    )
  throwAtPolicy((isChange && changePolicy(POLICY, change).faults) || [])
  if (!isModule(file)) return specGraph(file, parts)
  const graph = await loadGraph(file)
  if (!isChange) return withScripts(graph, scripts)
  const { graph: changed, faults } = withPolicy(graph as SpecGraph, change)
  if (!changed) throw throwAtPolicy(faults)
  return withScripts(changed, scripts)
}

async function specGraph(file: string, { change, scripts, system, throwAt }: GraphParts) {
  const loaded = await loadSpecs(file, [], value => mergePatch(value as Json, change))
  const models = mapFields(scripts, (script, name) =>
    scriptedModel(loaded.spec.models[name] ?? { id: name }, script),
  )
  const { tools, missing } = await systemTools(loaded, system)
  throwAt('graph', missing)
  return bindLoaded(loaded, { models, tools, offline: true, workspace: dirname(file) })
}

/** The names of the tools or models of a graph and of all graphs below it. */
function namesIn(
  graph: Graph,
  kind: 'tools' | 'models',
  seen = new Set<Graph>(),
): readonly string[] {
  if (seen.has(graph)) return []
  seen.add(graph)
  const below = Object.values(graph.graphs ?? {}).flatMap(other => namesIn(other, kind, seen))
  return [...new Set([...Object.keys(graph[kind]), ...below])]
}
