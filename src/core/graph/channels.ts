/** The channels of a graph: how a context begins, what a write does to it, and what of it a node sees. */
import { z } from 'zod'
import type { Json } from '../watch/data/json.ts'
import { hasher } from './hasher.ts'
import { appendItem, EMPTY_LOG, itemsOf, type Log, logOf } from './log.ts'
import type { ChannelSpec } from './spec/resource.ts'
import { type Fault, faultsOf, nameHint } from './spec/fault.ts'

/** The values of all channels; an append channel holds a `Log`. */
export type Context = Readonly<Record<string, Json>>

export type Writes = Readonly<Record<string, Json>>

/** A reading of a context that costs nothing until a channel is looked at. */
export type View = Readonly<Record<string, Json>>

export interface Channels {
  /** The channels that hold a `Log`. */
  readonly logs: ReadonlySet<string>
  readonly start: Context
  /** What is wrong with these writes: an undeclared channel, or a value its schema refuses. */
  check(writes: Writes): readonly Fault[]
  apply(context: Context, writes: Writes): Context
  read(context: Context, channel: string): Json
  view(context: Context): View
  /** The hash of the channels that count when states are compared; `ignored` are left out. */
  hash(context: Context, ignored: readonly string[]): string
}

interface Channel {
  readonly spec: ChannelSpec
  readonly schema: z.ZodType
}

export function channelsOf(specs: Readonly<Record<string, ChannelSpec>>): Channels {
  const channels = new Map<string, Channel>(
    Object.entries(specs).map(([name, spec]) => {
      const { reducer: _, volatile: __, default: ___, ...schema } = spec
      return [name, { spec, schema: z.fromJSONSchema(schema) as z.ZodType }]
    }),
  )
  const names = [...channels.keys()]
  const logs = new Set(names.filter(name => channels.get(name)?.spec.reducer === 'append'))
  const hashOf = hasher()
  const read = (context: Context, name: string): Json => {
    const value = context[name] ?? null
    return value !== null && logs.has(name) ? (itemsOf(value as unknown as Log) as Json) : value
  }
  return {
    logs,
    start: Object.fromEntries([...channels].map(([name, { spec }]) => [name, initialValue(spec)])),
    check: writes =>
      Object.entries(writes).flatMap(([name, value]) => valueFaults(channels, name, value)),
    apply: (context, writes) => {
      const next: Record<string, Json> = { ...context }
      for (const [name, value] of Object.entries(writes))
        next[name] = applyReducer(
          channels.get(name)?.spec.reducer ?? 'last',
          next[name] ?? null,
          value,
        )
      return next
    },
    read,
    view: context => {
      const view = {}
      for (const name of names)
        Object.defineProperty(view, name, { enumerable: true, get: () => read(context, name) })
      return view
    },
    hash: (context, ignored) => {
      const counting = [...channels].filter(
        ([name, { spec }]) => !logs.has(name) && !spec.volatile && !ignored.includes(name),
      )
      return counting.map(([name]) => hashOf(name, context[name] ?? null)).join('.')
    },
  }
}

function initialValue({ reducer, default: value }: ChannelSpec): Json {
  if (reducer === 'append')
    return (value === undefined ? EMPTY_LOG : logOf(value as Json[])) as unknown as Json
  return (value as Json | undefined) ?? (reducer === 'merge' ? {} : null)
}

function valueFaults(channels: ReadonlyMap<string, Channel>, name: string, value: Json): Fault[] {
  const channel = channels.get(name)
  if (!channel)
    return [
      {
        path: name,
        message: `unknown channel '${name}'; ${nameHint(name, [...channels.keys()])}`,
      },
    ]
  const items = channel.spec.reducer === 'append' && Array.isArray(value) ? value : [value]
  return items.flatMap(item => faultsOf(channel.schema.safeParse(item).error?.issues ?? [], [name]))
}

function applyReducer(reducer: ChannelSpec['reducer'], before: Json, value: Json): Json {
  switch (reducer) {
    case 'last':
      return value
    case 'append': {
      const items = Array.isArray(value) ? value : [value]
      return items.reduce<Log>(appendItem, before as unknown as Log) as unknown as Json
    }
    case 'merge':
      return { ...(before as object), ...(value as object) }
    case 'max':
      return before === null || (value as number) > (before as number) ? value : before
  }
}
