/** Reads values by their kinds: checks them, converts durations, and fills in defaults. Never throws. */
import { SPAN_EXPECTED, SPAN_MAX, spanIn, spanText } from './duration.ts'
import { isTypo, kindOf, unknownKey } from './fault.ts'
import { notJsonAt } from './json.ts'
import type { Kind, OutOf, PartShape, Problem, Shape } from './policy-kinds.ts'

/** The value, or what is wrong with it. */
export type Reading<T> =
  | { readonly value: T; readonly problems?: undefined }
  | { readonly value?: undefined; readonly problems: readonly Problem[] }

/** `conditionFault` says what is wrong with a condition; without it every text is one. */
export function readAs<K extends Kind>(
  kind: K,
  value: unknown,
  conditionFault: ConditionFault = () => undefined,
): Reading<OutOf<K>> {
  const problems: Problem[] = []
  const read = readAt(kind, value, { path: [], problems, conditionFault })
  return problems.length > 0 ? { problems } : { value: read as OutOf<K> }
}

export type ConditionFault = (text: string) => string | undefined

/** All defaults of a kind, read; `undefined` where it has none. */
export function defaultOf<K extends Kind>(kind: K): OutOf<K> | undefined {
  const { shape } = kind
  if (kind.default !== undefined) return readAs(kind, kind.default).value
  if (shape.type !== 'part' || shape.fills) return undefined
  const keys = Object.entries(shape.keys).map(([key, inner]) => [key, defaultOf(inner)] as const)
  const given = keys.filter(([, value]) => value !== undefined)
  return (given.length > 0 ? Object.fromEntries(given) : undefined) as OutOf<K> | undefined
}

interface At {
  readonly path: readonly PropertyKey[]
  readonly problems: Problem[]
  readonly conditionFault: ConditionFault
}

type Readers = {
  readonly [T in Shape['type']]: (
    shape: Extract<Shape, { type: T }>,
    value: unknown,
    at: At,
  ) => unknown
}

/** What stands for a value that does not fit its shape. */
const UNFIT = Symbol('unfit')

const READERS: Readers = {
  number: ({ whole, min, max, above }, value) =>
    typeof value === 'number' &&
    (whole ? Number.isSafeInteger(value) : Number.isFinite(value)) &&
    value >= (min ?? value) &&
    value <= (max ?? value) &&
    (above === undefined || value > above)
      ? value
      : UNFIT,
  duration(_, value, at) {
    const ms = typeof value === 'string' ? spanIn(value) : value
    if (typeof ms !== 'number' || !(ms >= 0)) return UNFIT
    return ms <= SPAN_MAX ? ms : report(at, `expected at most ${spanText(SPAN_MAX)}`)
  },
  text: ({ min = 0, max = Number.POSITIVE_INFINITY, rule }, value) =>
    typeof value === 'string' &&
    value.length >= min &&
    value.length <= max &&
    (rule?.test(value) ?? true)
      ? value
      : UNFIT,
  choice: ({ of }, value) => (of.includes(value as string) ? value : UNFIT),
  flag: (_, value) => (typeof value === 'boolean' ? value : UNFIT),
  json: (_, value) => (notJsonAt(value) === undefined ? value : UNFIT),
  list({ of, unique, min = 0, max = Number.POSITIVE_INFINITY }, value, at) {
    if (!Array.isArray(value) || value.length < min || value.length > max) return UNFIT
    if (unique && new Set(value).size < value.length) report(at, 'expected each item once')
    return value.map((item, index) => readAt(of, item, below(at, index)))
  },
  record({ key: name, of }, value, at) {
    if (!isMap(value)) return UNFIT
    const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
    return Object.fromEntries(
      entries.map(([key, inner]) => {
        readAt(name, key, below(at, key))
        return [key, readAt(of, inner, below(at, key))]
      }),
    )
  },
  condition(_, value, at) {
    if (typeof value !== 'string') return UNFIT
    const fault = at.conditionFault(value)
    return fault === undefined ? value : report(at, fault)
  },
  literalOr: ({ literals, of }, value, at) =>
    literals.includes(value as string)
      ? value
      : isMap(value) || isShort(of, value)
        ? readAt(of, value, at)
        : UNFIT,
  part: readPart,
}

function readAt(kind: Kind, value: unknown, at: At): unknown {
  const { shape } = kind
  const reader = READERS[shape.type] as (shape: Shape, value: unknown, at: At) => unknown
  const read = reader(shape, value, at)
  return read === UNFIT
    ? report(at, `expected ${expectation(shape)}, received ${received(value)}${near(shape, value)}`)
    : read
}

function readPart(shape: PartShape, value: unknown, at: At): unknown {
  const { short, shortText } = shape
  if (short && Number.isSafeInteger(value) && (value as number) >= short.min)
    return readPart(shape, { [short.key]: (value as number) + short.plus }, at)
  if (shortText !== undefined && typeof value === 'string') {
    const read = readAt(shape.keys[shortText] as Kind, value, at)
    return { [shortText]: read }
  }
  if (!isMap(value)) return UNFIT
  const { keys, custom, fills, check } = shape
  const before = at.problems.length
  const read = Object.entries(keys).map(([key, kind]) => {
    const given = value[key]
    if (given !== undefined) return [key, readAt(kind, given, below(at, key))] as const
    if (kind.required) report(below(at, key), `is missing; expected ${expectation(kind.shape)}`)
    return [key, fills ? defaultOf(kind) : undefined] as const
  })
  const others = Object.keys(value).filter(
    key => value[key] !== undefined && !Object.hasOwn(keys, key),
  )
  const customs = others.map(key => {
    if (!custom) report(below(at, key), unknownKey(key, Object.keys(keys)))
    return [key, custom && readAt(custom, value[key], below(at, key))] as const
  })
  const whole = Object.fromEntries([...read, ...customs].filter(([, inner]) => inner !== undefined))
  if (check && at.problems.length === before)
    for (const { path, message } of check(whole as never))
      report({ ...at, path: [...at.path, ...path] }, message)
  return whole
}

function report({ path, problems }: At, message: string): undefined {
  problems.push({ path, message })
}

function below(at: At, key: PropertyKey): At {
  return { ...at, path: [...at.path, key] }
}

function expectation(shape: Shape): string {
  switch (shape.type) {
    case 'number':
      return numberExpectation(shape)
    case 'duration':
      return SPAN_EXPECTED
    case 'text':
      return shape.rule?.expected ?? `a text${range(shape, '', ' characters')}`
    case 'choice':
      return `one of: ${shape.of.join(', ')}`
    case 'flag':
      return 'true or false'
    case 'json':
      return 'a JSON value'
    case 'list':
      return `a list${range(shape, ' of', ' items')}`
    case 'condition':
      return 'a condition'
    case 'literalOr':
      return `${expectation(shape.of.shape)}, or ${shape.literals.join(', ')}`
    case 'part':
      return shape.short ? `a map or a whole number of at least ${shape.short.min}` : 'a map'
    default:
      return 'a map'
  }
}

function numberExpectation({ whole, above, ...of }: Extract<Shape, { type: 'number' }>): string {
  return above === undefined
    ? `a ${whole ? 'whole ' : ''}number${range(of, '', '')}`
    : `a number above ${above}`
}

function range(
  { min, max }: { min?: number; max?: number },
  before: string,
  after: string,
): string {
  if (min === undefined && max === undefined) return ''
  if (max === undefined || max === Number.MAX_SAFE_INTEGER)
    return `${before} of at least ${min}${after}`
  return min === undefined
    ? `${before} of at most ${max}${after}`
    : `${before} from ${min} to ${max}${after}`
}

const SHOWN_MAX = 60

function received(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, SHOWN_MAX))
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : kindOf(value)
}

function near(shape: Shape, value: unknown): string {
  const known = shape.type === 'choice' ? shape.of : shape.type === 'text' ? shape.rule?.known : []
  const meant = typeof value === 'string' && known?.find(name => isTypo(value, name))
  return meant ? `; did you mean '${meant}'?` : ''
}

function isShort({ shape }: Kind, value: unknown): boolean {
  if (shape.type !== 'part') return false
  return shape.short
    ? typeof value === 'number'
    : shape.shortText !== undefined && typeof value === 'string'
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
