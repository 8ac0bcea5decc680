/** A node that is a set of regions: they work at the same time, each on nodes of its own, and the node is done when all have ended. */
import { z } from 'zod'
import { name, nodeName } from './name.ts'
import { customNode, finalNode, type NodeSpec, workingNode } from './node.ts'

const inside = z
  .union([workingNode, customNode, finalNode])
  .meta({ id: 'regionNode', description: 'A node of a region: any but a set of regions.' })

const region = z
  .strictObject({
    start: nodeName.describe('The node it begins with.'),
    nodes: z
      .record(nodeName, inside)
      .describe(
        'Its own nodes, without regions among them: edges lead to nodes of the same region; a final node ends the region.',
      ),
  })
  .meta({
    id: 'region',
    description:
      'One of several regions that work at the same time: nodes of its own, ways out of its own, a review of its own.',
  })

export const regionsNode = z
  .strictObject({
    regions: z
      .record(nodeName, region)
      .describe('The regions by their names; all begin when the node is entered.'),
    on: z
      .strictObject({
        done: name.describe('Where it leads when every region has ended.'),
        'done.failed': name
          .optional()
          .describe('The same, if one of them ended in `final: failure`; else `done`.'),
        budget: name.optional().describe('Where a spent limit leads: it leaves all regions.'),
        cancelled: name.optional().describe('Where a cancellation leads: it leaves all regions.'),
      })
      .describe('Where it leads.'),
  })
  .meta({
    id: 'regionsNode',
    description:
      'A node that is a set of regions: they work at the same time, and the node is done when all have ended.',
  })

export type RegionsNode = z.infer<typeof regionsNode>
/** A set of regions as it is written. */
export type RegionsNodeInput = z.input<typeof regionsNode>

/** Nodes that stand side by side and may lead to one another: those of the graph itself, or those of one region. */
export interface Area {
  /** The id of the region, `<node>.<region>`; `''` for the graph itself. */
  readonly region: string
  /** Where its nodes stand in the spec: `nodes`, or `nodes.handle.regions.inform.nodes`. */
  readonly path: string
  readonly start: string | undefined
  readonly nodes: Readonly<Record<string, NodeSpec | RegionsNode>>
}

export function isRegions(node: NodeSpec | RegionsNode): node is RegionsNode {
  return 'regions' in node
}

/** The areas of a set of regions. */
export function regionsOf(
  name: string,
  { regions }: RegionsNode,
  path = `nodes.${name}`,
): readonly Area[] {
  return Object.entries(regions).map(([key, { start, nodes }]) => ({
    region: `${name}.${key}`,
    path: `${path}.regions.${key}.nodes`,
    start,
    nodes,
  }))
}

/** The graph itself, and every region in it. All who look at the nodes of a spec find them here. */
export function areasOf({
  start,
  nodes,
}: {
  readonly start?: string | undefined
  readonly nodes: Area['nodes']
}): readonly [Area, ...Area[]] {
  const inner = Object.entries(nodes).flatMap(([name, node]) =>
    isRegions(node) ? regionsOf(name, node) : [],
  )
  return [{ region: '', path: 'nodes', start, nodes }, ...inner]
}
