/** Structure-aware mutations of JSON values: each changes one place of a valid value to something hostile. */
import type { Json } from '../../../src/core/watch/data/json.ts'
import type { Chance } from '../chance.ts'

type Place = readonly (string | number)[]

/** One mutation. The same seed and value give the same result. */
export function mutate(value: Json, donor: Json, chance: Chance): Json {
  const at = chance.pick(placesIn(value))
  return changed(value, at, inner => chance.pick(MUTATIONS)(inner, donor, chance))
}

type Mutation = (inner: Json, donor: Json, chance: Chance) => Json | undefined

const DEEP = 1_500
const deep = (): Json => Array.from({ length: DEEP }).reduce<Json>(inner => [inner], 0)

/** Values that parsers have failed on. */
const HOSTILE: readonly (() => Json)[] = [
  ...[null, true, false, 0, -1, 0.5, 1e308, -0, 2 ** 53, '', ' ', '0', 'null', [], {}].map(
    value => () => value as Json,
  ),
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', '../../etc/passwd'].map(
    value => () => value,
  ),
  ...['\u0000', '\u001b[2J', '\u202e', '\ud800', '\ufeff', 'a\nb', '{{x}}', '(a+)+$', '1h'].map(
    value => () => value,
  ),
  () => 'x'.repeat(5_000),
  () => '('.repeat(500),
  () => [[[[]]], { a: [{ b: null }] }],
  deep,
  () => Array.from({ length: 500 }, (_, index) => index),
]

const POLLUTING = ['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'then', 'length']

const MUTATIONS: readonly Mutation[] = [
  (_, __, chance) => chance.pick(HOSTILE)(),
  (_, __, chance) => chance.pick(HOSTILE)(),
  () => undefined,
  (_, donor, chance) => valueAt(donor, chance.pick(placesIn(donor))),
  (inner, _, chance) => withKey(inner, chance.pick(POLLUTING), { polluted: 1 }),
  (inner, donor, chance) => withKey(inner, String(chance.pick(keysOf(donor))), donor),
  (inner, _, chance) => renamed(inner, chance),
  inner => [inner],
  inner => ({ inner }),
  inner => (Array.isArray(inner) ? [...inner, ...inner].slice(0, 2_000) : inner),
  inner => (Array.isArray(inner) ? inner.toReversed() : inner),
  (inner, _, chance) => neighbor(inner, chance),
  (inner, _, chance) => neighbor(inner, chance),
]

/** A value of the same kind that differs a little. */
function neighbor(inner: Json, chance: Chance): Json {
  if (typeof inner === 'number') return chance.pick([inner + 1, -inner, inner * 1e9, inner / 3, 0])
  if (typeof inner === 'boolean') return !inner
  if (typeof inner === 'string') return typo(inner, chance)
  return inner === null ? 0 : JSON.stringify(inner)
}

export function typo(text: string, chance: Chance): string {
  const at = chance.below(text.length + 1)
  const more = chance.pick([...'.:#{}[]()"\'\\/*+?|&!<>=-_ \n\u0000aZ9é', '', '__proto__', '😀'])
  return text.slice(0, at) + more + text.slice(at + chance.below(3))
}

const TOKEN = /\s+|[A-Za-z_]\w*|\d+(?:\.\d+)?|"[^"]*"|'[^']*'|[^\w\s]/g

/** Changes one token of a text to a token of another text of the same kind, or joins both texts. */
export function retyped(text: string, donor: string, chance: Chance): string {
  const draw = chance.next()
  if (draw < 0.1) return typo(text, chance)
  if (draw < 0.25) return `(${text}) ${chance.pick(['&&', '||', '==', '+', '?'])} (${donor})`
  if (draw < 0.3) return `${chance.pick(['!', '-', 'size'])}(${text})`
  const tokens = text.match(TOKEN) ?? ['']
  const at = chance.below(tokens.length)
  const kind = kindOf(tokens[at])
  const others = [...(donor.match(TOKEN) ?? []), ...KNOWN].filter(other => kindOf(other) === kind)
  return tokens.with(at, others.length > 0 ? chance.pick(others) : '').join('')
}

const KNOWN = [
  'results',
  'answer',
  'count',
  'list',
  'goal',
  'output',
  'null',
  'true',
  '0',
  '1.5',
  '"x"',
  '==',
  '>',
  '+',
]

function kindOf(token = ''): string {
  if (/^\s/.test(token)) return 'space'
  if (/^[\w"']/.test(token)) return 'value'
  return /^[()[\]{}]/.test(token) ? token : 'sign'
}

function withKey(inner: Json, key: string, value: Json): Json {
  if (!isMap(inner)) return inner
  // An own key, also for `__proto__`.
  return Object.fromEntries([...Object.entries(inner), [key, value]])
}

function renamed(inner: Json, chance: Chance): Json {
  if (!isMap(inner)) return inner
  const keys = Object.keys(inner)
  const at = chance.below(keys.length)
  const name = chance.next() < 0.5 ? typo(keys[at] ?? '', chance) : chance.pick(POLLUTING)
  return Object.fromEntries(
    Object.entries(inner).map(([key, value], index) => [index === at ? name : key, value]),
  )
}

const keysOf = (value: Json): readonly string[] =>
  isMap(value) && Object.keys(value).length > 0 ? Object.keys(value) : ['x']

function isMap(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The places of a value, the whole value first. */
function placesIn(value: Json, most = 400): readonly Place[] {
  const places: Place[] = [[]]
  for (const place of places) {
    const inner = valueAt(value, place)
    if (typeof inner !== 'object' || inner === null) continue
    for (const key of Object.keys(inner)) {
      if (places.length >= most) return places
      places.push([...place, Array.isArray(inner) ? Number(key) : key])
    }
  }
  return places
}

function valueAt(value: Json, place: Place): Json {
  let inner: Json = value
  for (const key of place)
    inner = Object.hasOwn(Object(inner), key) ? ((inner as never)[key] as Json) : null
  return inner
}

function changed(
  value: Json,
  [key, ...rest]: Place,
  change: (inner: Json) => Json | undefined,
): Json {
  if (key === undefined) return change(value) ?? null
  if (Array.isArray(value))
    return value.flatMap((inner, index) => {
      if (index !== key) return [inner]
      const next = rest.length === 0 ? change(inner) : changed(inner, rest, change)
      return next === undefined ? [] : [next]
    })
  if (!isMap(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      if (name !== key) return [[name, inner]]
      const next = rest.length === 0 ? change(inner) : changed(inner, rest, change)
      return next === undefined ? [] : [[name, next]]
    }),
  )
}
