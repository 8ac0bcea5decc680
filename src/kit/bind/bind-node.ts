/** A node of a spec: what its `use` performs. */
import { type Fault, nameHint } from '../../core/graph/spec/fault.ts'
import type { WorkingNode } from '../../core/graph/spec/node.ts'
import { offeredTools, type Spec } from '../../core/graph/spec/spec.ts'
import type { Json } from '../../core/watch/data/json.ts'
import type { Node } from '../../runtime/ports.ts'
import { withoutImplementation } from './bind-tool.ts'
import { COMPLETES, type Made } from './builtins.ts'
import type { CustomNode } from '../nodes/node.ts'
import { graphNode, pass, toolNode, messageNode } from '../nodes/basic.ts'
import { mapNode, type MapNodeOptions } from '../nodes/map.ts'
import { modelNode } from '../nodes/model.ts'
import { toolsNode } from '../nodes/tools.ts'

export function nodeOf(spec: Spec, node: WorkingNode, own: CustomNode | undefined): Made<Node> {
  // What a pass or a tool is given stands in the journal at every step: never the whole context because nobody said `in`.
  const nothing = node.in === undefined
  switch (node.use) {
    case 'pass':
      return { value: nothing ? async () => ({}) : pass }
    case 'message':
      return { value: messageNode }
    case 'tool': {
      const { tool, args = nothing ? {} : undefined } = node as Extract<
        WorkingNode,
        { use: 'tool' }
      >
      return { value: toolNode(tool, args as Json | undefined) }
    }
    case 'graph':
      // As for a tool: its input stands in two journals.
      return { value: graphNode((node as { graph: string }).graph, nothing) }
    case 'map':
      return { value: mapNode({ ...(node as Omit<MapNodeOptions, 'alone'>), alone: nothing }) }
    case 'tools':
      return {
        value: toolsNode({ allowed: offeredTools(spec), completing: completingTools(spec) }),
      }
    case 'model':
      return { value: modelNodeOf(spec, node as Extract<WorkingNode, { use: 'model' }>) }
    default: {
      const settings = ('with' in node ? node.with : null) as Json
      if (!own) return withoutImplementation(node.use)
      const faults = unknownUses(spec, own)
      return faults.length > 0 ? { faults } : { value: task => own(task, settings) }
    }
  }
}

/** What a node says it calls and the spec lacks. */
function unknownUses({ tools, models, graphs }: Spec, { uses }: CustomNode): Fault[] {
  if (!uses) return []
  const missing = (kind: string, names: readonly string[], known: object) =>
    names.flatMap(name =>
      Object.hasOwn(known, name)
        ? []
        : [
            {
              path: 'use',
              message: `calls the ${kind} '${name}', which the graph lacks; ${nameHint(name, Object.keys(known))}`,
            },
          ],
    )
  return [
    ...missing('tool', Object.keys(uses.tools), tools),
    ...missing('model', uses.models, models),
    ...missing('graph', Object.keys(uses.graphs), graphs),
  ]
}

function modelNodeOf(
  spec: Spec,
  {
    model,
    prompt,
    preamble,
    tools = [],
    command,
    history,
    in: input = [],
  }: Extract<WorkingNode, { use: 'model' }>,
): Node {
  const completing = completingTools(spec)
  const names = Array.isArray(input) ? input : Object.keys(input)
  return modelNode({
    model,
    prompt,
    preamble,
    tools,
    completes: tools.find(name => completing.has(name)),
    command,
    history,
    others: names.filter(name => name !== 'goal' && name !== 'messages'),
  })
}

function completingTools(spec: Spec): ReadonlySet<string> {
  return new Set(
    Object.entries(spec.tools).flatMap(([name, { use }]) => (use === COMPLETES ? [name] : [])),
  )
}
