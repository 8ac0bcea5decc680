/** The seam between a node and its channels: what it is given, what of its output is kept, and which label the output earns. */
import type { Json } from '../watch/data/json.ts'
import type { Channels, Context, View, Writes } from './channels.ts'
import type { WorkingNode } from './spec/node.ts'
import type { Fault } from './spec/fault.ts'
import type { Spec } from './spec/spec.ts'
import { workingNodes } from './spec/nodes.ts'
import { namesIn, whenCompiler } from './spec/when.ts'

export interface AppliedOutput {
  readonly label?: string
  /** The new values of the channels that were written. */
  readonly writes: Writes
  readonly faults: readonly Fault[]
}

interface OutputApplier {
  /** What a node is given. */
  inputOf(node: string, context: Context): View
  /** What a node's output makes of the channels, and the label it earns. */
  settle(node: string, context: Context, output: Json): AppliedOutput
}

export function outputApplier(spec: Spec, channels: Channels): OutputApplier {
  const nodes = new Map(workingNodes(spec))
  const labelled = labellerOf(spec)
  return {
    inputOf: (name, context) => {
      const node = nodes.get(name)
      const given = node?.in
      const whole = channels.view(context)
      if (given === undefined) return whole
      const over = node?.use === 'map' ? (node as { over: string }).over : undefined
      const named = Array.isArray(given) ? Object.fromEntries(given.map(key => [key, key])) : given
      return narrowOutput(whole, over === undefined ? named : { ...named, [over]: over })
    },
    settle: (name, context, output) => {
      const writes = writesOf(nodes.get(name)?.out, output)
      const faults = channels.check(writes)
      if (faults.length > 0) return { writes: {}, faults }
      const after = channels.apply(context, writes)
      const written = Object.fromEntries(
        Object.keys(writes).map(channel => [channel, after[channel] ?? null]),
      )
      return {
        writes: written,
        ...labelled(name, channel =>
          channel === 'output' ? output : channels.read(after, channel),
        ),
      }
    },
  }
}

function narrowOutput(
  whole: Readonly<Record<string, Json>>,
  names: Readonly<Record<string, string>>,
): Record<string, Json> {
  const view = {}
  for (const [name, channel] of Object.entries(names))
    Object.defineProperty(view, name, { enumerable: true, get: () => whole[channel] })
  return view
}

/** The label a node earns, by the first of its conditions that holds. */
export function labellerOf(
  spec: Spec,
): (node: string, read: (name: string) => Json) => Pick<AppliedOutput, 'label' | 'faults'> {
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
        return {
          faults: [
            {
              path: `nodes.${node}.when.${label}`,
              message: (error as Error).message.split('\n')[0] ?? '',
            },
          ],
        }
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
      const value = at(output, path)
      return value === undefined ? [] : [[channel, value] as const]
    }),
  )
}

function at(value: Json, path: string): Json | undefined {
  if (path === '.') return value
  let inner: Json | undefined = value
  for (const key of path.split('.')) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, key)) return undefined
    inner = (inner as Readonly<Record<string, Json>>)[key]
  }
  return inner
}
