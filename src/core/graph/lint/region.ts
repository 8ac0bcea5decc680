/** Lint: regions that never end, and regions that overwrite one another's channels. */
import {
  type Area,
  areasOf,
  channelsWrittenBy,
  isFinal,
  isRegions,
  regionsOf,
} from '../spec/nodes.ts'
import type { Remark } from './finding.ts'
import { type Flow, reachedFrom, isUsable } from './flow.ts'

/** The set of regions is done when all have ended: one that never does holds it for ever. */
export function endlessRegion(flow: Flow): Remark[] {
  return areasOf(flow.spec)
    .filter(({ region }) => region !== '')
    .filter(({ start = '', nodes }) => {
      const reached = reachedFrom(
        flow,
        [start],
        edge => isUsable(edge) && Object.hasOwn(nodes, edge.target),
      )
      return ![...reached].some(name => isEnd(nodes, name))
    })
    .map(({ region, path }) => ({
      rule: 'endless-region',
      severity: 'error',
      path: path.replace(/\.nodes$/, ''),
      message: `no way from its start leads to an end of the region '${region}', and what follows its set of regions is never reached: lead it to a node of its own that is \`final\``,
    }))
}

function isEnd(nodes: Area['nodes'], name: string): boolean {
  const node = nodes[name]
  return node !== undefined && isFinal(node)
}

/** Of what both have written, the last stays, whichever that was. */
export function sharedChannel({ spec }: Flow): Remark[] {
  return Object.entries(spec.nodes).flatMap(([name, node]) => {
    if (!isRegions(node)) return []
    const writers = new Map<string, string>()
    return regionsOf(name, node).flatMap(area =>
      [...lastChannelsOf(spec, area)].flatMap(([channel, path]): Remark[] => {
        const other = writers.get(channel)
        writers.set(channel, other ?? path)
        const message = `${other} writes '${channel}' at the same time, and what was written last stays: give each region a channel of its own, or the channel another reducer`
        return other === undefined
          ? []
          : [{ rule: 'shared-channel', severity: 'warning', path, message }]
      }),
    )
  })
}

/** The channels of the reducer `last` that a region writes, each with the first place where it does. */
function lastChannelsOf(
  { channels }: Flow['spec'],
  { path, nodes }: Area,
): ReadonlyMap<string, string> {
  const written = Object.entries(nodes).flatMap(([name, node]) =>
    isFinal(node) || isRegions(node)
      ? []
      : channelsWrittenBy(node.out).map(channel => [channel, `${path}.${name}.out`] as const),
  )
  return new Map(written.filter(([channel]) => channels[channel]?.reducer === 'last').reverse())
}
