/** The JSON Schemas of what a person types: the input of a graph, and the output of a node. Forms and clients use them. */
import { defined } from '../watch/data/json.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

/** What these schemas need of a spec. A face reads it from JSON, an older version may have stored it. */
export interface ChannelSource {
  readonly channels?: Readonly<Record<string, JsonSchema>>
  readonly input?: readonly string[]
  readonly nodes?: Readonly<Record<string, NodeSource>>
}

interface NodeSource {
  readonly out?: string | readonly string[] | Readonly<Record<string, string>>
  readonly regions?: Readonly<Record<string, { readonly nodes?: ChannelSource['nodes'] }>>
}

/** The schema of a write to a channel. A list is written to an append channel, whose schema describes one item. */
function channelSchema({ reducer, volatile: _, default: __, ...schema }: JsonSchema): JsonSchema {
  if (reducer !== 'append') return schema
  const { description, ...items } = schema
  return { type: 'array', items, ...defined({ description }) }
}

/** The input of a graph. All channels can be written, and some are required. */
export function inputSchema({ channels = {}, input = [] }: ChannelSource): JsonSchema {
  const names = [...input, ...Object.keys(channels).filter(name => !input.includes(name))]
  const known = names.map(name => {
    const { reducer, default: start, ...rest } = channels[name] ?? {}
    // The default of an append channel is its first items. An input adds to them.
    const isKept = reducer !== 'append' && start != null
    const shown = isKept ? { default: start } : {}
    return [name, { ...channelSchema({ reducer, ...rest }), ...shown }]
  })
  return { type: 'object', properties: Object.fromEntries(known), required: [...input] }
}

/** The channels that an input is meant for: the required ones, and those that no node writes. */
export function inputChannels(spec: ChannelSource): readonly string[] {
  const { channels = {}, input = [] } = spec
  const written = new Set(nodesIn(spec.nodes).flatMap(({ out }) => Object.keys(pathsOf(out))))
  return [...new Set([...input, ...Object.keys(channels).filter(name => !written.has(name))])]
}

const nodesIn = (nodes: ChannelSource['nodes'] = {}): readonly NodeSource[] =>
  Object.values(nodes).flatMap(node => {
    const regions = Object.values(node.regions ?? {})
    return [node, ...regions.flatMap(region => nodesIn(region.nodes))]
  })

/** The path in the output for each channel that a node writes. `.` is the whole output. */
export function pathsOf(out: NodeSource['out']): Readonly<Record<string, string>> {
  if (out === undefined) return {}
  if (typeof out === 'string') return { [out]: '.' }
  return Array.isArray(out)
    ? Object.fromEntries(out.map(name => [name, name]))
    : (out as Readonly<Record<string, string>>)
}

/** The output of a node that writes channels. Returns `undefined` for a node that writes none, or by paths with several steps. */
export function outputSchema(
  channels: NonNullable<ChannelSource['channels']>,
  out: NodeSource['out'],
): JsonSchema | undefined {
  const paths = Object.entries(pathsOf(out))
  const [whole] = paths.find(([, path]) => path === '.') ?? []
  if (whole !== undefined)
    return paths.length > 1 ? undefined : channelSchema(channels[whole] ?? {})
  if (paths.length === 0 || paths.some(([, path]) => path.includes('.'))) return undefined
  const properties = paths.map(([name, path]) => [path, channelSchema(channels[name] ?? {})])
  return { type: 'object', properties: Object.fromEntries(properties) }
}
