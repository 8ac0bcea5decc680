/** From any value to a sound spec, or to the list of what is wrong with it. */
import { z } from 'zod'
import { outcomeEdges } from './edges.ts'
import { namesIn, whenCompiler } from './when.ts'
import { type Fault, faultsOf, specMessageFor, SPEC } from './fault.ts'
import { agentFaults, expandAgent } from './agent.ts'
import { areaFaults, nestedRegions } from './area-faults.ts'
import { missingPartFaults } from './custom-parts.ts'
import { nameFaults } from './name-faults.ts'
import { isRegions } from './region.ts'
import {
  inlineGraphs,
  isFinal,
  nodesOf,
  pathsOf,
  SPEC_VERSION,
  type Spec,
  spec,
  workingNodes,
} from './spec.ts'
import { substituteFaults } from './substitute-faults.ts'

export type SpecRead =
  | { readonly spec: Spec; readonly faults?: undefined }
  | { readonly spec?: undefined; readonly faults: readonly Fault[] }

/** The spec in a value, its defaults filled in, or what is wrong with it. Never throws for plain data. */
export function readSpec(value: unknown): SpecRead {
  const early = earlyFault(value)
  if (early) return { faults: [early] }
  const wrong = agentFaults(value)
  if (wrong.length > 0) return { faults: wrong }
  const parsed = spec.safeParse(expandAgent(value), { error: specMessageFor })
  if (!parsed.success) return { faults: faultsOf(parsed.error.issues) }
  const faults = semanticFaults(parsed.data)
  return faults.length > 0 ? { faults } : { spec: parsed.data }
}

/**
 * More than anybody draws. Reading, compiling and stepping cost what a graph has nodes; what lint and the bound say of its cycles
 * costs the square of it, for every tool may fail and every lap may be the dearest, and many more would keep people waiting.
 */
const NODES_MAX = 2_000

/** What is wrong beyond the shape, in the graphs inside as well. */
function semanticFaults(of: Spec): Fault[] {
  const size = nodesOf(of).size
  if (size > NODES_MAX)
    return [
      {
        path: 'nodes',
        message: `has ${size} nodes, those in regions included; expected at most ${NODES_MAX}: put parts of the graph into graphs of their own`,
      },
    ]
  const inside = inlineGraphs(of).flatMap(([name, graph]) =>
    semanticFaults(graph).map(({ path, message }) => ({ path: `graphs.${name}.${path}`, message })),
  )
  return [
    ...machineFaults(of),
    ...areaFaults(of),
    ...nameFaults(of),
    ...substituteFaults(of),
    ...channelFaults(of),
    ...expressionFaults(of),
    ...missingPartFaults(of),
    ...inside,
  ]
}

/** Either the spec's own edges are the law, or a statechart written by hand is. */
function machineFaults(of: Spec): Fault[] {
  const { start, machine, nodes } = of
  const all = Object.entries(nodes)
  if (machine === undefined) {
    const paths = pathsOf(of)
    const edgeless = workingNodes(of).filter(([, node]) => node.on === undefined)
    const unstarted =
      start === undefined
        ? [{ path: 'start', message: 'is missing; expected the node to begin with' }]
        : []
    return [
      ...unstarted,
      ...edgeless.map(([name]) => ({
        path: `${paths.get(name)}.on`,
        message: 'is missing; expected where the outcomes of the node lead',
      })),
    ]
  }
  const edges = all.flatMap(([name, node]) =>
    isFinal(node) || isRegions(node) || outcomeEdges(node).length > 0
      ? [
          {
            path: `nodes.${name}`,
            message:
              'has edges, regions or is final; where a `machine` is named, the machine says where everything leads',
          },
        ]
      : [],
  )
  return [...machineOwnedFaults(of), ...edges]
}

/** What a statechart written by hand says itself: beside it, the spec would say it in vain. */
function machineOwnedFaults(of: Spec): Fault[] {
  const context = 'is not allowed beside `machine`, whose actions keep the context'
  return [
    ...(of.start === undefined
      ? []
      : [
          { path: 'start', message: 'is not allowed beside `machine`, which begins where it says' },
        ]),
    ...(Object.keys(of.channels).length === 0 ? [] : [{ path: 'channels', message: context }]),
    ...workingNodes(of).flatMap(([name, node]) => [
      ...(node.in === undefined ? [] : [{ path: `nodes.${name}.in`, message: context }]),
      ...(node.out === undefined ? [] : [{ path: `nodes.${name}.out`, message: context }]),
      ...(node.phase === undefined
        ? []
        : [
            {
              path: `nodes.${name}.phase`,
              message: 'is not allowed beside `machine`, which tags its states with `phase`',
            },
          ]),
    ]),
  ]
}

/** What zod would say in words that help nobody. */
function earlyFault(value: unknown): Fault | undefined {
  if (value === null || value === undefined)
    return {
      path: SPEC,
      message: 'is empty; expected a graph with escapement, id, start and nodes',
    }
  if (typeof value !== 'object' || Array.isArray(value))
    return { path: SPEC, message: 'expected a map with escapement, id, start and nodes' }
  const polluting = pollutingKey(value)
  if (polluting) return { path: polluting, message: 'is not allowed as a key' }
  const nested = nestedRegions(value)
  if (nested) return nested
  const version = (value as { escapement?: unknown }).escapement
  if (typeof version === 'number' && version > SPEC_VERSION)
    return {
      path: 'escapement',
      message: `is written for version ${version} of the notation; this build understands version ${SPEC_VERSION}: upgrade escapement`,
    }
  return undefined
}

/** The path of a key that would reach into an object's prototype. */
function pollutingKey(value: unknown, path = ''): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const key of Object.keys(value)) {
    const at = path ? `${path}.${key}` : key
    if (key === '__proto__') return at
    const inner = pollutingKey((value as Record<string, unknown>)[key], at)
    if (inner) return inner
  }
  return undefined
}

function channelFaults({ channels }: Spec): Fault[] {
  return Object.entries(channels).flatMap(
    ([name, { reducer, volatile: _, default: initial, ...schema }]) => {
      try {
        const item = z.fromJSONSchema(schema)
        if (initial === undefined) return []
        const whole = reducer === 'append' ? z.array(item) : item
        return faultsOf(whole.safeParse(initial).error?.issues ?? [], ['channels', name, 'default'])
      } catch (error) {
        return [
          { path: `channels.${name}`, message: `is no JSON Schema: ${(error as Error).message}` },
        ]
      }
    },
  )
}

function expressionFaults(of: Spec): Fault[] {
  const paths = pathsOf(of)
  const expressions: (readonly [path: string, text: string])[] = workingNodes(of).flatMap(
    ([name, { when = {} }]) =>
      Object.entries(when).map(
        ([label, text]) => [`${paths.get(name)}.when.${label}`, text] as const,
      ),
  )
  if (of.progress !== undefined) expressions.push(['progress', of.progress])
  const compile = whenCompiler(namesIn(of))
  return expressions.flatMap(([path, text]) => {
    const { fault } = compile(text)
    return fault ? [{ path, message: fault }] : []
  })
}
