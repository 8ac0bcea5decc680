/** Checks values by a zod schema at a bounded cost. Zod alone lists every issue, and compares the keys of an intersection pairwise. */
import { z } from 'zod'
import { countWork, newWork, TooMuchWork, type Work } from './check-work.ts'
import { NOT_CHECKED, TOO_LARGE } from './fault.ts'
import { refusePromises } from './refuse-promises.ts'
import { joinSides } from './join-sides.ts'
import { parseOnce, type Results } from './read-once.ts'

type Schema = z.core.$ZodType
type Payload = z.core.ParsePayload
type Parse = Schema['_zod']['parse']
type Issue = z.core.$ZodIssue
type RawIssue = z.core.$ZodRawIssue

/** The most faults that are collected in one list, one record and one check of a schema. */
export const FAULTS_MAX = 200

/** What one check has to remember. Zod passes its context to every schema unchanged. */
interface Bounded extends z.core.ParseContext<z.core.$ZodIssue> {
  bounded?: { intersections: number; readonly results: Results; readonly work: Work }
}

type BoundedRead<T> =
  | { readonly data: T; readonly issues?: undefined }
  | { readonly data?: undefined; readonly issues: readonly Issue[] }

/** Like `safeParse`, without most of the issues if there are many, and with one if the check would take long. @throws $ZodAsyncError for a schema that needs promises */
export function readBounded<S extends Schema>(
  schema: S,
  value: unknown,
  error?: z.core.ParseContext<z.core.$ZodIssue>['error'],
  work = newWork(),
): BoundedRead<z.output<S>> {
  boundSchema(schema)
  const context: Bounded = {
    bounded: { intersections: 0, results: new Map(), work },
    ...(error && { error }),
  }
  try {
    const read = z.safeParse(schema, value, context)
    if (read.success) return { data: read.data }
    const { issues } = read.error
    if (issues.length <= FAULTS_MAX) return { issues }
    return { issues: [...issues.slice(0, FAULTS_MAX - 1), notChecked(value)] }
  } catch (error) {
    if (error instanceof TooMuchWork) return { issues: [notChecked(value, TOO_LARGE)] }
    throw error
  }
}

const notChecked = (input: unknown, message = NOT_CHECKED) => ({
  code: 'custom' as const,
  message,
  input,
  path: [],
})

/** A list of issues that ends the check of its value when it is full. */
class Issues extends Array<RawIssue> {
  static override readonly [Symbol.species] = Array
  readonly weigh: (issue: WeighedIssue) => number
  weight = 0

  constructor(weigh: (issue: WeighedIssue) => number) {
    super()
    this.weigh = weigh
  }

  override push(...issues: RawIssue[]): number {
    for (const issue of issues) {
      this.weight += this.weigh(issue)
      super.push(issue)
    }
    if (this.weight >= FAULTS_MAX) throw new Full(this)
    return this.length
  }
}

class Full extends Error {
  readonly issues: Issues
  constructor(issues: Issues) {
    super('too many issues')
    this.issues = issues
  }
}

type WeighedIssue = Readonly<{ code?: string; path?: readonly PropertyKey[] }>

/** The number of issues, with those inside a union, which zod has built. Branches may share them: the count ends at the maximum. */
function weightOf(issue: WeighedIssue, counted = 0): number {
  let weight = 1
  const { errors = [] } = issue as { errors?: readonly (readonly Issue[])[] }
  for (const inner of errors.flat()) {
    if (counted + weight >= FAULTS_MAX) break
    weight += weightOf(inner, counted + weight)
  }
  return weight
}

/** A refused key may belong to the other side of an intersection: it ends no check there. */
const weightInSide = (issue: WeighedIssue): number =>
  issue.code === 'invalid_key' && issue.path?.length === 1 ? 0 : weightOf(issue)

const isBounded = (context: object): boolean => 'bounded' in context

const bound = new WeakSet<Schema>()

/** Schemas that one walk visits. A lazy schema could return new ones without end. */
const SCHEMAS_MAX = 10_000

/** Changes the schemas in place, once: their checks behave as before without `bounded` in the context. */
function boundSchema(root: Schema): void {
  const open = [root]
  for (let seen = 0; seen < SCHEMAS_MAX; seen++) {
    const schema = open.pop()
    if (!schema) return
    if (bound.has(schema)) continue
    bound.add(schema)
    refusePromises(schema, isBounded)
    const { type } = schema._zod.def
    if (type === 'intersection') changeParse(schema, mergeInLinearTime(schema))
    else if (type === 'union') changeParse(schema, schema._zod.parse)
    else if (canListMany(schema)) stopWhenFull(schema)
    countWork(schema, context => (context as Bounded).bounded?.work)
    open.push(...schemasIn(schema))
  }
}

/** The types that hold further values, or checks that may add an issue for each of them. */
const HOLDERS = new Set(['array', 'tuple', 'record', 'object', 'set', 'map', 'transform'])

function stopWhenFull(schema: Schema): void {
  const { run } = schema._zod
  schema._zod.run = (payload, context) => {
    const { bounded } = context as Bounded
    const { value } = payload
    if (!bounded) return run(payload, context)
    const { issues: before } = payload
    const isShort = Array.isArray(value) && value.length < FAULTS_MAX
    const weigh = bounded.intersections > 0 ? weightInSide : weightOf
    const issues = new Issues(isShort ? () => 1 : weigh)
    const restore = () => {
      payload.issues = before
      before.push(...issues)
    }
    payload.issues = issues
    try {
      const after = run(payload, context)
      restore()
      return after
    } catch (error) {
      if (!(error instanceof Full) || error.issues !== issues) throw error
      issues.length = Math.min(issues.length, FAULTS_MAX - 1)
      restore()
      before.push(notChecked(value))
      return payload
    }
  }
}

/** An object of named properties has few issues, unless its other properties or its checks add them. */
function canListMany({ _zod: { def } }: Schema): boolean {
  if (!HOLDERS.has(def.type)) return false
  if (def.type !== 'object') return true
  const { catchall } = def as z.core.$ZodObjectDef
  return (
    (def.checks?.length ?? 0) > 0 ||
    (catchall !== undefined && catchall._zod.def.type !== 'unknown')
  )
}

/** Has a schema check each value once in a bounded read, by `parse`. */
function changeParse(schema: Schema, parse: Parse): void {
  const inside = schema._zod
  const { parse: original } = inside
  const isPlain = inside.run === original
  inside.parse = (payload, context) => {
    const { bounded } = context as Bounded
    if (!bounded) return original(payload, context)
    return parseOnce(schema, parse, bounded.results)(payload, context)
  }
  if (isPlain) inside.run = inside.parse
}

function mergeInLinearTime(schema: Schema): Parse {
  const { left, right } = schema._zod.def as z.core.$ZodIntersectionDef
  return (payload, context) => {
    const { bounded } = context as Required<Bounded>
    bounded.intersections++
    // Under `safeParse`, a side that needs a promise throws.
    const check = (side: Schema) =>
      side._zod.run({ value: payload.value, issues: [] }, context) as Payload
    const joined = joinSides(payload, check(left), check(right), issues =>
      fewOf(issues, payload.value, context as Bounded),
    )
    bounded.intersections--
    return joined
  }
}

/** The different issues, if there are too many. Sides that share a part each list its issues: they would double at each level. */
function fewOf(issues: readonly RawIssue[], value: unknown, context: Bounded) {
  if (issues.length <= FAULTS_MAX) return issues
  const different = new Map<string, RawIssue>()
  for (const issue of issues) {
    const { path, message } = z.core.util.finalizeIssue(issue, context, z.config())
    const key = JSON.stringify([message, ...path.map(String)])
    if (!different.has(key)) different.set(key, issue)
    if (different.size > FAULTS_MAX)
      return [...[...different.values()].slice(0, FAULTS_MAX - 1), notChecked(value)]
  }
  return [...different.values()]
}

/** The keys of a definition with schemas, lists of them, or maps of them. */
const INNER = ['element', 'keyType', 'valueType', 'catchall', 'rest', 'innerType', 'in', 'out']
const MORE = ['left', 'right', 'options', 'items', 'shape']

function schemasIn({ _zod: inside }: Schema): Schema[] {
  const def = inside.def as unknown as Readonly<Record<string, unknown>>
  const lazy = def.type === 'lazy' ? (inside as z.core.$ZodLazyInternals).innerType : undefined
  return [lazy, ...[...INNER, ...MORE].map(key => def[key])]
    .flatMap(value => (isSchema(value) ? [value] : Object.values(Object(value))))
    .filter(isSchema)
}

const isSchema = (value: unknown): value is Schema =>
  Object(value) === value && Object((value as Schema)._zod).def !== undefined
