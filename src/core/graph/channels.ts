/** The channels of a graph: their initial values, the effect of a write, and the view of a node. */
import type { z } from 'zod'
import type { Json } from '../watch/data/json.ts'
import { digest } from '../watch/data/signature.ts'
import { appendItem, EMPTY_LOG, itemsOf, type Log, logOf } from './log.ts'
import { type Fault, faultsOf, nameHint } from './spec/fault.ts'
import { compileJsonSchema } from './spec/json-schema.ts'
import type { ChannelSpec } from './spec/resource.ts'

/** The values of all channels; an append channel holds a `Log`. */
export type Context = Readonly<Record<string, Json>>

export type Writes = Readonly<Record<string, Json>>

/** A view of a context that reads a channel only on access. */
export type View = Readonly<Record<string, Json>>

export interface Channels {
  readonly logs: ReadonlySet<string>
  readonly start: Context
  check(writes: Writes): readonly Fault[]
  apply(context: Context, writes: Writes): Context
  read(context: Context, channel: string): Json
  /** The named channels; by default, all of them. */
  view(context: Context, names?: Readonly<Record<string, string>>): View
  /** The hash of the channels that count when states are compared, without those `ignored`. */
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
      return [name, { spec, schema: compileJsonSchema(schema) }]
    }),
  )
  const all = Object.fromEntries([...channels.keys()].map(name => [name, name]))
  const logs = new Set(Object.keys(all).filter(name => specs[name]?.reducer === 'append'))
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
      for (const [name, value] of Object.entries(writes)) {
        const { reducer = 'last' } = channels.get(name)?.spec ?? {}
        next[name] = applyReducer(reducer, next[name] ?? null, value)
      }
      return next
    },
    read,
    view: (context, names = all) => {
      const view = {}
      for (const [name, channel] of Object.entries(names))
        Object.defineProperty(view, name, { enumerable: true, get: () => read(context, channel) })
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
  if (!channel) {
    const message = `unknown channel '${name}'; ${nameHint(name, [...channels.keys()])}`
    return [{ path: name, message }]
  }
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

/** Caches the hash of the latest value under each name: only changed values are hashed again. */
export function hasher(): (name: string, value: Json) => string {
  const latest = new Map<string, { value: Json; hash: string }>()
  return (name, value) => {
    const known = latest.get(name)
    if (known?.value === value) return known.hash
    const { hash } = digest(value)
    latest.set(name, { value, hash })
    return hash
  }
}
