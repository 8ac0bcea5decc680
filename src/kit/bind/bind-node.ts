/** A node of a spec: what its `use` performs. */
import { type Fault, nameHint } from '../../core/graph/spec/fault.ts'
import type { WorkingNode } from '../../core/graph/spec/node.ts'
import { offeredTools, type Spec } from '../../core/graph/spec/spec.ts'
import type { Json } from '../../core/watch/data/json.ts'
import type { Node } from '../../runtime/ports.ts'
import { graphNode, messageNode, pass, toolNode } from '../nodes/basic.ts'
import { mapNode } from '../nodes/map.ts'
import { modelNode } from '../nodes/model.ts'
import type { CustomNode } from '../nodes/node.ts'
import { toolsNode } from '../nodes/tools.ts'
import { type Bound, COMPLETES, withoutImplementation } from './bind-tool.ts'

export function bindNode(spec: Spec, node: WorkingNode, custom?: CustomNode): Bound<Node> {
  const value = builtinNode(spec, node)
  if (value) return { value }
  if (!custom) return withoutImplementation(node.use)
  const settings = ('with' in node ? node.with : null) as Json
  const faults = unknownUses(spec, custom)
  return faults.length > 0 ? { faults } : { value: task => custom(task, settings) }
}

/** Without `in`, a pass, a tool or a graph receives nothing: its input is journaled at each step. */
function builtinNode(spec: Spec, node: WorkingNode): Node | undefined {
  const alone = node.in === undefined
  switch (node.use) {
    case 'pass':
      return alone ? async () => ({}) : pass
    case 'message':
      return messageNode
    case 'tool': {
      const { tool, args } = node as NodeOf<'tool'>
      return toolNode(tool, (args ?? (alone ? {} : undefined)) as Json | undefined)
    }
    case 'graph':
      return graphNode((node as { graph: string }).graph, alone)
    case 'map':
      return mapNode({ ...(node as NodeOf<'map'>), alone })
    case 'tools':
      return toolsNode({ allowed: offeredTools(spec), completing: completingTools(spec) })
    case 'model':
      return modelNodeOf(spec, node as NodeOf<'model'>)
    default:
      return undefined
  }
}

type NodeOf<U extends string> = Extract<WorkingNode, { use: U }>

/** What a node declares that it calls and the spec lacks. */
function unknownUses({ tools, models, graphs }: Spec, { uses }: CustomNode): Fault[] {
  if (!uses) return []
  const missing = (kind: string, names: readonly string[], known: object) =>
    names
      .filter(name => !Object.hasOwn(known, name))
      .map(name => `'${name}', which the graph lacks; ${nameHint(name, Object.keys(known))}`)
      .map(message => ({ path: 'use', message: `calls the ${kind} ${message}` }))
  return [
    ...missing('tool', Object.keys(uses.tools), tools),
    ...missing('model', uses.models, models),
    ...missing('graph', Object.keys(uses.graphs), graphs),
  ]
}

function modelNodeOf(spec: Spec, node: NodeOf<'model'>): Node {
  const { tools = [], in: input = [] } = node
  const completing = completingTools(spec)
  const names = Array.isArray(input) ? input : Object.keys(input)
  const completes = tools.find(name => completing.has(name))
  const others = names.filter(name => name !== 'goal' && name !== 'messages')
  // Channels that do not append hold one message, not a conversation.
  const conversation = Array.isArray(input) ? 'messages' : input.messages
  const appends = spec.channels[conversation ?? '']?.reducer === 'append'
  const written = typeof node.out === 'object' ? Object.entries(node.out) : undefined
  const stored = written?.filter(([, path]) => path === 'message')
  const storesMessages = appends && stored?.every(([to]) => to === conversation) === true
  return modelNode({ ...node, tools, completes, others, storesMessages })
}

function completingTools(spec: Spec): ReadonlySet<string> {
  const tools = Object.entries(spec.tools).filter(([, { use }]) => use === COMPLETES)
  return new Set(tools.map(([name]) => name))
}
