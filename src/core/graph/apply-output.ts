/** Applies the output of a node to the channels, and finds its label. */
import type { Json } from '../watch/data/json.ts'
import type { Channels, Context, View, Writes } from './channels.ts'
import type { Fault } from './spec/fault.ts'
import type { WorkingNode } from './spec/node.ts'
import { ofKind, workingNodes } from './spec/nodes.ts'
import type { Spec } from './spec/spec.ts'
import { namesIn, whenCompiler } from './spec/when.ts'

export interface AppliedOutput {
  readonly label?: string
  readonly writes: Writes
  readonly faults: readonly Fault[]
}

export function outputApplier(spec: Spec, channels: Channels) {
  const nodes = new Map(workingNodes(spec))
  const labelOf = labellerOf(spec)
  return {
    inputOf: (name: string, context: Context): View => {
      const node = nodes.get(name)
      const names = node?.in
      if (names === undefined) return channels.view(context)
      const { over } = ofKind(node, 'map') ?? {}
      return channels.view(context, {
        ...(Array.isArray(names) ? Object.fromEntries(names.map(key => [key, key])) : names),
        ...(over === undefined ? {} : { [over]: over }),
      })
    },
    settle: (name: string, context: Context, output: Json): AppliedOutput => {
      const writes = writesOf(nodes.get(name)?.out, output)
      const faults = channels.check(writes)
      if (faults.length > 0) return { writes: {}, faults }
      const after = channels.apply(context, writes)
      const written = Object.keys(writes).map(channel => [channel, after[channel] ?? null])
      const read = (key: string) => (key === 'output' ? output : channels.read(after, key))
      return { writes: Object.fromEntries(written), ...labelOf(name, read) }
    },
  }
}

type Labeller = (
  node: string,
  read: (name: string) => Json,
) => Pick<AppliedOutput, 'label' | 'faults'>

/** Finds the label of a node: the first of its conditions that holds. */
export function labellerOf(spec: Spec): Labeller {
  const compile = whenCompiler(namesIn(spec))
  const labels = new Map(
    workingNodes(spec).map(([name, { when = {} }]) => [
      name,
      Object.entries(when).map(([label, text]) => [label, compile(text)] as const),
    ]),
  )
  return (node, read) => {
    for (const [label, when] of labels.get(node) ?? []) {
      try {
        if (when.evaluate?.(read) === true) return { label, faults: [] }
      } catch (error) {
        const message = (error as Error).message.split('\n')[0] ?? ''
        return { faults: [{ path: `nodes.${node}.when.${label}`, message }] }
      }
    }
    return { faults: [] }
  }
}

function writesOf(out: WorkingNode['out'], output: Json): Writes {
  if (out === undefined) return {}
  if (typeof out === 'string') return { [out]: output }
  const paths = Array.isArray(out) ? out.map(name => [name, name] as const) : Object.entries(out)
  return Object.fromEntries(
    paths.flatMap(([channel, path]) => {
      const value = valueAt(output, path)
      return value === undefined ? [] : [[channel, value] as const]
    }),
  )
}

function valueAt(value: Json, path: string): Json | undefined {
  if (path === '.') return value
  let inner: Json | undefined = value
  for (const key of path.split('.')) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, key)) return undefined
    inner = (inner as Readonly<Record<string, Json>>)[key]
  }
  return inner
}
