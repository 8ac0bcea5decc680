/** The graph that a module exports, for a scenario: under a policy, with scripts in place of its models. */
import { machineOfSpec } from '../../core/graph/agent-machine.ts'
import { partFaults } from '../../core/watch/part-faults.ts'
import { readSpec } from '../../core/graph/spec/read.ts'
import { policyOf } from '../../core/graph/spec/spec.ts'
import type { OrFaults } from '../../core/watch/data/fault.ts'
import { canonical, hash, type Json } from '../../core/watch/data/json.ts'
import { mergePatch } from '../../core/watch/policy/policy.ts'
import { type SpecGraph, withGraphsBelow } from '../../kit/bind/bind.ts'
import type { Graph, Model } from '../../runtime/ports.ts'
import { replaceParts } from '../../testing/replace.ts'
import { type Script, scriptedModel } from '../../testing/scripted-model.ts'
import { NoScript } from '../../testing/unscripted-model.ts'
import { identitiesBelow, isSpecAlone, type LoadedSpec } from '../drive/load.ts'

/** The graph and all graphs below it, with a script in place of each model: a live model costs money, and its answers are chance. */
export function withScripts(graph: Graph, scripts: Readonly<Record<string, Script>>): Graph {
  const model = (live: Model, name: string): Model => {
    const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined
    const fault = `model '${name}' has no script; name one under \`models\` of the scenario`
    const ask: Model['ask'] = script
      ? scriptedModel({ id: live.id }, script).ask
      : () => Promise.reject(new NoScript(fault))
    return Object.assign(Object.create(live) as Model, { ask, check: async () => {} })
  }
  return replaceParts(graph, { model, tool: same => same }).get(graph) as Graph
}

/** The graph under another policy. Its code stays, and its source holds the policy, so a stored thread opens with it. */
export function withPolicy(
  graph: SpecGraph,
  change: Readonly<Record<string, Json>>,
): OrFaults<{ readonly graph: SpecGraph }> {
  const { spec, faults = [] } = readSpec(mergePatch(graph.spec as unknown as Json, change))
  if (!spec) return { faults }
  const { machine, source } = graph
  const { parts } = machine
  const policy = policyOf(spec)
  const unknown = partFaults(policy, parts)
  if (unknown.length > 0) return { faults: unknown }
  const isAlone = isSpecAlone(source)
  const changed = isAlone ? spec : { ...(source as object), spec }
  const below = isAlone ? [] : identitiesBelow(changed as unknown as LoadedSpec)
  return {
    graph: {
      ...graph,
      machine:
        spec.machine === undefined
          ? // A program may check its input with more than the channels.
            {
              ...withGraphsBelow(machineOfSpec(spec, undefined, parts), below),
              checkInput: machine.checkInput,
            }
          : // The statechart is code, and none of it depends on the policy.
            { ...machine, policy, hash: hash(canonical([machine.hash, change])) },
      spec,
      source: changed as unknown as Json,
    },
  }
}
