/** The channels of a graph: their initial values, the effect of a write, the view of a node, and the label of its output. */
import type { z } from 'zod'
import { checksIn, newWork, patternStepsIn } from '../watch/data/check-work.ts'
import { type Json, digest, mapFields, valueAt, valuesIn } from '../watch/data/json.ts'
import { FAULTS_MAX, readBounded } from '../watch/data/read-bounded.ts'
import { type Fault, faultsOf, nameHint } from '../watch/data/schema-faults.ts'
import { compileJsonSchema } from './spec/json-schema.ts'
import type { WorkingNode } from './spec/node.ts'
import { type Spec, ofKind, workingNodes } from './spec/spec.ts'
import type { ChannelSpec } from './spec/resource.ts'
import { type Budget, charge, chargeTo, OverBudget } from './cel/cost.ts'
import { namesIn, whenCompiler } from './cel/when.ts'

/** The values of all channels; an append channel holds a `Log`. */
export type Context = Readonly<Record<string, Json>>

export type Writes = Readonly<Record<string, Json>>

/** A view of a context that reads a channel only on access. */
export type View = Readonly<Record<string, Json>>

export type Channels = ReturnType<typeof channelsOf>

/** What an import charges beside its conditions, in steps of CEL. A large map is copied and hashed in 2 µs for each key. */
const CHECK = 4
const KEY = 20
const HASHED_VALUE = 4
const HASHED_CHARACTER = 1 / 16

type Channel = Readonly<{ spec: ChannelSpec; schema: z.ZodType }>

const CONTEXT = Symbol('context')

/** All views share the getter of a log. V8 keeps what a getter of one view closes over until a full collection. */
const getterOf = (name: string, read: (context: Context, name: string) => Json) => ({
  enumerable: true,
  get(this: { readonly [CONTEXT]: Context }): Json {
    return read(this[CONTEXT], name)
  },
})

export function channelsOf(specs: Readonly<Record<string, ChannelSpec>>) {
  const channels = new Map<string, Channel>(
    Object.entries(specs).map(([name, spec]) => {
      const { reducer: _, volatile: __, default: ___, ...schema } = spec
      return [name, { spec, schema: compileJsonSchema(schema) }]
    }),
  )
  const all = Object.fromEntries([...channels.keys()].map(name => [name, name]))
  const logs = new Set(Object.keys(all).filter(name => specs[name]?.reducer === 'append'))
  const counting = Object.keys(all).filter(name => !logs.has(name) && !specs[name]?.volatile)
  const hashOf = hasher()
  const read = (context: Context, name: string): Json => {
    const value = context[name] ?? null
    return value !== null && logs.has(name) ? (itemsOf(value as unknown as Log) as Json) : value
  }
  const getters = new Map([...logs].map(name => [name, getterOf(name, read)]))
  const start = Object.fromEntries(
    [...channels].map(([name, { spec }]) => [name, initialValue(spec)]),
  )
  const apply = (context: Context, writes: Writes, total?: Budget): Context => {
    const next: Record<string, Json> = { ...context }
    for (const [name, value] of Object.entries(writes)) {
      const { reducer = 'last' } = channels.get(name)?.spec ?? {}
      const after = applyReducer(reducer, next[name] ?? null, value)
      if (total && reducer === 'merge') charge(total, KEY * Object.keys(Object(after)).length)
      next[name] = after
    }
    return next
  }
  return {
    logs,
    /** The context of a new thread. */
    initial: (input: Json | undefined, total?: Budget): Context =>
      apply(start, (input ?? {}) as Writes, total),
    check: (writes: Writes, total?: Budget): readonly Fault[] =>
      collectFaults(Object.entries(writes), ([name, value]) =>
        valueFaults(channels, name, value, total),
      ),
    apply,
    read,
    /** The named channels; by default, all of them. A log is read on access. */
    view: (context: Context, names: Readonly<Record<string, string>> = all): View => {
      const view: Record<string, Json> = {}
      for (const [name, channel] of Object.entries(names)) {
        const getter = getters.get(channel)
        if (getter) Object.defineProperty(view, name, getter)
        else view[name] = read(context, channel)
      }
      return Object.freeze(Object.defineProperty(view, CONTEXT, { value: context }))
    },
    /** The hash of the channels that count when states are compared, without those `ignored`. */
    hash: (context: Context, ignored: readonly string[], total?: Budget): string => {
      const left = new Set(ignored)
      charge(total, counting.length + left.size)
      const compared = counting.filter(name => !left.has(name))
      return compared.map(name => hashOf(name, context[name] ?? null, total)).join('.')
    },
  }
}

function initialValue({ reducer, default: value }: ChannelSpec): Json {
  if (reducer === 'append')
    return (value === undefined ? EMPTY_LOG : logOf(value as Json[])) as unknown as Json
  return (value as Json | undefined) ?? (reducer === 'merge' ? {} : null)
}

function valueFaults(
  channels: ReadonlyMap<string, Channel>,
  name: string,
  value: Json,
  total: Budget | undefined,
): Fault[] {
  const channel = channels.get(name)
  if (!channel) {
    const message = `unknown channel '${name}'; ${nameHint(name, [...channels.keys()])}`
    return [{ path: name, message }]
  }
  const items = channel.spec.reducer === 'append' && Array.isArray(value) ? value : [value]
  return collectFaults(items, item => {
    charge(total, 0)
    const work = newWork(total?.left)
    const { issues = [] } = readBounded(channel.schema, item, undefined, work)
    charge(total, CHECK * checksIn(work) + patternStepsIn(work, total?.left))
    // A check that was cut short has no result.
    if (work.patterns !== undefined && work.patterns < 0) charge(total, 0)
    return faultsOf(issues, [name])
  })
}

/** The faults of all items, or of the first ones if there are many. */
function collectFaults<T>(items: readonly T[], faultsIn: (item: T) => readonly Fault[]): Fault[] {
  const faults: Fault[] = []
  for (const item of items) {
    if (faults.length >= FAULTS_MAX) break
    faults.push(...faultsIn(item))
  }
  return faults
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
export function hasher(): (name: string, value: Json, total?: Budget) => string {
  const latest = new Map<string, { value: Json; hash: string }>()
  return (name, value, total) => {
    const known = latest.get(name)
    if (known?.value === value) return known.hash
    const { hash, length } = digest(value)
    if (total) charge(total, HASHED_VALUE * valuesIn(value) + HASHED_CHARACTER * length)
    latest.set(name, { value, hash })
    return hash
  }
}

export type AppliedOutput = Readonly<{ label?: string; writes: Writes; faults: readonly Fault[] }>

export function outputApplier(spec: Spec, channels: Channels) {
  const nodes = new Map(workingNodes(spec))
  const labelOf = labelerOf(spec)
  const inputOf = (name: string, context: Context): View => {
    const node = nodes.get(name)
    const names = node?.in
    if (names === undefined) return channels.view(context)
    const { over } = ofKind(node, 'map') ?? {}
    return channels.view(context, {
      ...(Array.isArray(names) ? Object.fromEntries(names.map(key => [key, key])) : names),
      ...(over === undefined ? {} : { [over]: over }),
    })
  }
  return {
    inputOf,
    judgedIn: (name: string, context: Context): View =>
      nodes.get(name)?.in === undefined ? {} : inputOf(name, context),
    applyOutput: (name: string, context: Context, output: Json, total?: Budget): AppliedOutput => {
      const writes = writesOf(nodes.get(name)?.out, output)
      const faults = channels.check(writes, total)
      if (faults.length > 0) return { writes: {}, faults }
      const after = channels.apply(context, writes, total)
      const written = Object.keys(writes).map(channel => [channel, after[channel] ?? null])
      const read = (key: string) => (key === 'output' ? output : channels.read(after, key))
      return { writes: Object.fromEntries(written), ...labelOf(name, read, total) }
    },
  }
}

type Read = (name: string) => Json
type Labeler = (node: string, read: Read, total?: Budget) => Omit<AppliedOutput, 'writes'>

/** Finds the label of a node: the first of its conditions that holds. */
export function labelerOf(spec: Spec): Labeler {
  const compile = whenCompiler(namesIn(spec))
  const labels = new Map(
    workingNodes(spec).map(([name, { when = {} }]) => {
      return [name, Object.entries(when).map(([label, text]) => [label, compile(text)] as const)]
    }),
  )
  return (node, read, total) => {
    for (const [label, when] of labels.get(node) ?? []) {
      try {
        const holds = chargeTo(total, budget => when.evaluate?.(read, budget))
        if (holds === true) return { label, faults: [] }
      } catch (error) {
        if (error instanceof OverBudget) throw error
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
  const paths = Array.isArray(out) ? Object.fromEntries(out.map(name => [name, name])) : out
  return mapFields(paths, path => (path === '.' ? output : valueAt(output, path)))
}

export interface Log {
  readonly length: number
  readonly levels: readonly (readonly Chunk[])[]
  readonly tail: readonly Json[]
}

/** 64 items, or 64 chunks of the level below. */
export type Chunk = readonly Json[]

export const CHUNK = 64
export const EMPTY_LOG: Log = { length: 0, levels: [], tail: [] }

export function appendItem(log: Log, item: Json): Log {
  const tail = [...log.tail, item]
  const length = log.length + 1
  return tail.length < CHUNK
    ? { ...log, length, tail }
    : { length, levels: carryChunk(log.levels, tail), tail: [] }
}

function carryChunk(levels: Log['levels'], full: Chunk): Log['levels'] {
  const [first = [], ...rest] = levels
  const level = [...first, full]
  return level.length < CHUNK ? [level, ...rest] : [[], ...carryChunk(rest, level)]
}

export const logOf = (items: readonly Json[]): Log => items.reduce<Log>(appendItem, EMPTY_LOG)

/** All items, oldest first. Costs O(n). */
export function itemsOf(log: Log): readonly Json[] {
  const oldestFirst = log.levels
    .map((chunks, level) => chunks.flatMap(chunk => flattenChunk(chunk, level)))
    .reverse()
  return [...oldestFirst.flat(), ...log.tail]
}

const flattenChunk = (chunk: Chunk, level: number): readonly Json[] =>
  level === 0 ? chunk : chunk.flatMap(inner => flattenChunk(inner as Chunk, level - 1))
