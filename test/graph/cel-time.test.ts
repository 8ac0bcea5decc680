/**
 * The time of each operator and function of CEL, with the values for which it takes longest, for the steps that it costs. Half a second
 * for 5,000,000 steps are 100 ns for each; the bound leaves room for slow machines.
 */
import { Environment } from '@marcbachmann/cel-js'
import { describe, expect, test } from 'vitest'
import { FUNCTIONS, OPERATORS } from '../../src/core/graph/cel/operations.ts'
import { whenCompiler } from '../../src/core/graph/cel/when.ts'
import type { Json } from '../../src/core/watch/data/json.ts'

const STEPS = 200_000
const NANOSECONDS = 1_000

const numbers = (length: number) => Array.from({ length }, (_, at) => at)
const byKey = (length: number, of: (at: number) => [string, Json]) =>
  Object.fromEntries(numbers(length).map(of))
const nested = (levels: number, of: (inner: Json, level: number) => Json): Json =>
  numbers(levels).reduce<Json>(of, 1)

const TEXT = 20_000
const VALUES: Readonly<Record<string, Json>> = {
  l: numbers(100),
  i: 5,
  d: 1.5,
  t: true,
  s: 'a'.repeat(TEXT),
  other: `${'a'.repeat(TEXT - 1)}b`,
  dotted: 'İ'.repeat(TEXT),
  wide: '中'.repeat(TEXT),
  lone: '\u{d800}'.repeat(TEXT),
  spaces: `${'\u3000'.repeat(TEXT)}x`,
  digits: '9'.repeat(TEXT),
  needle: `${'a'.repeat(248)}b`,
  first: `b${'a'.repeat(248)}`,
  middle: `${'a'.repeat(1_000)}b${'a'.repeat(1_000)}`,
  ints: numbers(1_000),
  doubles: numbers(1_000).map(at => at + 0.123456789),
  texts: numbers(5_000).map(at => `s${at}`),
  empty: Array.from({ length: 5_000 }, () => ''),
  map: byKey(1_000, at => [`k${at}`, at]),
  indexed: byKey(1_000, at => [`${at * 7_919}`, at]),
  large: byKey(20_000, at => [`k${at}`, at]),
  maps: numbers(1_000).map(at => ({ [`k${at}`]: 1 })),
  empties: numbers(100).map(() => ({})),
  levels: nested(300, inner => [inner]),
  shapes: numbers(200).map(at =>
    nested(60, (inner, level) => ((at * 31 + level * level) % 7 < 3 ? [inner] : { x: inner })),
  ),
  same: `[${'{"a":1},'.repeat(2_000)}1]`,
  keys: `[${numbers(2_000).map(at => `{"k${at}":1}`)}]`,
  object: `{${numbers(2_000).map(at => `"k${at}":1`)}}`,
  brackets: '['.repeat(TEXT) + ']'.repeat(TEXT),
  hour: '1h'.repeat(10),
  number: '1'.repeat(26),
  zone: 'A/'.repeat(2_000),
  time: '2026-01-01T00:00:00Z',
}

/** So many lists and maps in one another that all of their places could never be read. */
const shared = (of: string) => {
  const levels = numbers(30).map(at => 30 - at)
  const inner = levels.reduce(
    (body, at) => `cel.bind(v${at}, [v${at - 1}, v${at - 1}], ${body})`,
    of,
  )
  return `cel.bind(v0, [1], ${inner})`
}
const many = (part: string, by: string, count = 40) =>
  Array.from({ length: count }, () => part).join(by)
const around = (count: number, before: string, inner: string, after: string) =>
  `${before.repeat(count)}${inner}${after.repeat(count)}`

/** Each is evaluated until it has used up its steps. None of them is true. */
const BODIES: Readonly<Record<string, readonly string[]>> = {
  values: ['false', 't && false', '!t', 'false || false', '-i == 3', 't ? i == -1 : i == -2'],
  numbers: ['i + 1 == 3', 'd * 2.0 == 1.0', 'i - 1 < -5', 'i < 1.5', 'i > 9', 'i >= 9', 'i <= 1'],
  remainders: ['i / 3 == 9', 'i % 3 == 9', '7u / 2u == 9u', 'i != 5'],
  equality: [
    's == other',
    's + "a" == "b"',
    'other < s',
    'ints == maps',
    '(ints + [1]) == (ints + [2])',
    '(maps + [1]) == (maps + [2])',
    'map == indexed',
    'large == map',
    '[large] == [map]',
    '[levels, 1] == [levels, 2]',
    shared('v30 == v29'),
  ],
  types: [
    'levels == 1',
    'shapes.exists(q, q == 1)',
    'dyn(shapes[x]) == dyn(y)',
    'dyn(large) == 1',
    'type(map) == string',
    'type(i) == type(t)',
  ],
  in: [
    '"zz" in texts',
    's in texts',
    '1.5 in doubles',
    '"zz" in map',
    'map in empties',
    'map in maps',
    'ints in [[], [], []]',
    shared('v30 in {}'),
  ],
  keys: [
    'map.k5 == -1',
    'map["k" + string(x)] == -1',
    'ints[5] == -1',
    'ints[ints] == -1',
    '{}[duration("1.5s")] == 1',
    '{duration("1.5s"): 1} == {}',
    '{timestamp(time): 1} == {}',
    '{doubles: 1} == {}',
    '{(other + string(x)): 1} == {}',
    '{string(x) + string(y) + string(z): i} == {}',
    shared('{v30: 1} == {}'),
    shared('{}[v30] == 1'),
    shared('l[v30] == 1'),
    'has(map.zz)',
  ],
  size: [
    'size(s) == 1',
    'size(lone) == 1',
    'size(large) == -1',
    'large.size() == -1',
    'size(ints) == -1',
    'size(bytes(wide)) == 1',
  ],
  macros: [
    'large.exists(k, true) == false',
    'indexed.all(k, true) == false',
    'large.map(k, k) == []',
    'map.filter(k, false) == [1]',
    'ints.map(k, k) == []',
    'ints.map(k, {string(k): k}) == []',
    'ints.map(k, true, [k]) == []',
    'ints.exists_one(k, true)',
    'dyn(bytes(s)).exists(q, true) == false',
    around(100, 'cel.bind(q, t, ', `${many('t', ' && ')} && false`, ')'),
  ],
  bytes: [
    'bytes(wide) == bytes("a")',
    'bytes(s).hex() == "a"',
    'bytes(wide).base64() == "a"',
    'string(bytes(wide)) == "a"',
    String.raw`b'\xff\xe4\xff\xe4\xff\xe4\xff\xe4\xff\xe4\xff\xe4\xff\xe4\xff\xe4'.string() == "a"`,
    'bytes("a").at(0) == -1',
    'bytes(s) + bytes(s) == bytes("a")',
  ],
  json: [
    'bytes(same).json() == {}',
    'bytes(keys).json() == {}',
    'size(bytes(object).json()) == 1',
    'bytes(keys).json().zz == 1',
    'bytes(brackets).json().x == 1',
    'bytes(brackets).json() == {}',
    'bytes("[1]").json() == {}',
  ],
  texts: [
    'dotted.lowerAscii() == "a"',
    'lone.upperAscii() == "a"',
    'spaces.trim() == "a"',
    's.startsWith(other)',
    '("b" + s).endsWith(other)',
    's.substring(5) == "b"',
    's.split("") == []',
    'wide.split("") == []',
    's.split("a", 2) == []',
    's.split("aa", 2) == []',
    'texts.join("") == "a"',
    'empty.join("abc") == "a"',
    'texts.join(s) == "a"',
    shared('v30.join("") == ""'),
  ],
  searches: [
    's.contains("b")',
    's.contains("ab")',
    's.contains(needle)',
    's.contains(first)',
    's.contains(middle)',
    'wide.contains("中a")',
    's.indexOf(needle) == 1',
    's.indexOf("ab", 5) == 1',
    's.lastIndexOf(needle) == 1',
    's.lastIndexOf(first) == 1',
    's.lastIndexOf(middle) == 1',
    's.lastIndexOf(needle, 15000) == 1',
  ],
  patterns: [
    's.matches("a+b")',
    's.matches("(x+x+)+y")',
    's.matches("[a-z]{1,400}b")',
    'other.matches(".*a.*b.*c")',
    'dotted.matches(".*a.{100}b")',
    '"a".matches("a{50}")',
    '"a".matches("(" + string(x) + "a)")',
    '"a".matches("(" + string(i))',
  ],
  conversions: [
    'int(digits) == 1',
    'int(spaces) == 1',
    'int(d) == -1',
    'uint(i) == 1u',
    'double(digits) == 1.0',
    'double(dotted) == 1.0',
    'double(i) == 1.0',
    'string(d + double(x)) == "a"',
    'bool("false")',
    'duration(hour) == duration("1s")',
    'duration(number) == duration("1s")',
    'duration(digits) == duration("1s")',
  ],
  times: [
    'timestamp(time) == timestamp(0)',
    'timestamp(time) - timestamp(0) == duration("1s")',
    'timestamp(time) + duration("1s") == timestamp(0)',
    'duration(hour) + duration(hour) < duration("1s")',
    'duration(hour).getHours() == -1',
    'timestamp(0).getDayOfYear() == -1',
    'timestamp(0).getDayOfYear("Asia/Tokyo") == -1',
    'timestamp(0).getHours(zone) == -1',
    ...['Date', 'DayOfMonth', 'DayOfWeek', 'FullYear', 'Month', 'Minutes', 'Seconds'].map(
      name => `timestamp(0).get${name}() == -1`,
    ),
    'timestamp(0).getMilliseconds("UTC") == -1',
  ],
  errors: [
    'int("x") == 1',
    'uint(-1) == 1u',
    'uint("x") == 1u',
    'double("x") == 1.0',
    'bool("x")',
    'timestamp("zz") == timestamp(0)',
    'timestamp(9223372036854775807) == timestamp(0)',
    'timestamp(0).getHours("x") == 1',
    'duration("x") == duration("1s")',
    'bytes("{").json() == {}',
    'bytes("a").at(9) == 1',
    's.substring(-5) == "b"',
    's.indexOf("b", -5) == 5',
    'i / 0 == 1',
    'i % 0 == 1',
    '1u - 2u == 1u',
    '9223372036854775807 + i == 1',
    'map.zz == 1',
    'has(map.zz.y)',
    '{}.x == 1',
    'ints[99999] == -1',
    '!dyn(i)',
    'dyn(i)',
    'i ? true : false',
    'dyn("a") + dyn(1) == 2',
    'dyn(i).size() == 1',
    'i.exists(q, q)',
    '[1, i].map(q, q / 0) == []',
    '[1, i].exists_one(q, q / 0 == 1)',
    '"a".matches("(" + string(i))',
    many('int("x") == 1', ' || '),
    many('int("x") == 1 || 1 / 0 == 1 || {}.x == 1 || !dyn(i)', ' || ', 20),
    many('1 / 0 == 1', ' && '),
    around(200, '!', 'dyn(i)', ''),
    `int("x") == 1${' '.repeat(100_000)}`,
    `int("x") == 1 //${'x'.repeat(100_000)}`,
  ],
}

const compile = whenCompiler(Object.keys(VALUES), { cost: STEPS })

/** Nanoseconds of the processor for each step, until all of them are used up. */
function nanosecondsPerStep(body: string): number {
  const { evaluate, fault } = compile(`l.exists(x, l.exists(y, l.exists(z, ${body}\n)))`)
  if (!evaluate) throw new Error(fault)
  const before = process.cpuUsage()
  expect(() => evaluate(name => VALUES[name] ?? null)).toThrow(`costs more than ${STEPS} steps`)
  const { user, system } = process.cpuUsage(before)
  return ((user + system) * 1_000) / STEPS
}

describe.each(Object.entries(BODIES))('%s take no longer than their steps say', (_, bodies) => {
  test.each(bodies.map(body => [body.slice(0, 60), body] as const))('%s', (_name, body) => {
    // The engine compiles what it repeats, and other work of the process may fall into a measurement.
    for (const _attempt of [1, 2, 3]) if (nanosecondsPerStep(body) < NANOSECONDS) return
    expect(nanosecondsPerStep(body)).toBeLessThan(NANOSECONDS)
  })
})

describe('the library has no function and no operator', () => {
  const all = Object.values(BODIES).flat().join('\n')

  test('whose cost is unknown, or which is not measured here', () => {
    const { functions } = new Environment({ unlistedVariablesAreDyn: true }).getDefinitions()
    // `matches` of the library is replaced, and optional values are not available.
    const called = functions.filter(
      ({ name, receiverType }) => name !== 'matches' && !/^optional/i.test(receiverType ?? ''),
    )
    const names = [...new Set(called.map(({ name }) => name))]
    expect(names.filter(name => !FUNCTIONS.has(name))).toEqual([])
    expect(names.filter(name => !all.includes(`${name}(`))).toEqual([])
    expect([...OPERATORS.keys()].filter(name => !all.includes(` ${name} `))).toEqual([])
  })

  test('of a variable with a name of any length', () => {
    const { fault = '' } = whenCompiler(['a'])('x'.repeat(200_000))
    expect(fault).toMatch(/^CEL: Unknown variable: x+…/)
    expect(fault.length).toBeLessThan(500)
  })

  test('of optional values, which are not available', () => {
    expect(whenCompiler(['a'])('optional.none().hasValue()').fault).toContain(
      'Unknown variable: optional',
    )
    expect(whenCompiler(['optional'])('optional == 1').fault).toBeUndefined()
  })
})
