/**
 * What the operators and functions of CEL cost beside the step of each part: they are charged before they begin, by the values that they read.
 * A function that is missing here cannot be called.
 */
import { COMPUTED, LITERAL } from './matches.ts'
import { keysOf, lengthOf, sizeOf } from './values.ts'

/** Steps for the operands; those of a method begin with its receiver. */
export type Cost = (...operands: readonly unknown[]) => number

/** Items of a list that `+` copies, or `join` reads, in the time of one step. */
const ITEMS = 2
/** Parts that `split` can make in the time of one step. */
const PARTS = 2
/** Characters that take the time of one step if each is decoded, as for `size` and in changes of case. */
const DECODED = 8
/** Characters of JSON that are parsed in the time of one step. Most of it are objects of which each has other keys. */
const PARSED = 2
/** Comparisons of a search in the time of one step; a search from the end is slower. */
const COMPARISONS = 512
const COMPARISONS_LAST = 256
/** From this length of a text that is searched for, the time grows with both lengths. */
const LONG = 250
/** The pattern of `duration` tries each length from each place. */
const DURATION = 200
/** A time zone is looked up at each call, which takes up to a millisecond. */
const TIME_ZONE = 10_000
/** A key that is neither a text nor a number is converted to a text, twice if it is missing. A duration formats its fraction. */
const CONVERTED_KEY = 1_000
const CONVERSIONS = 4

const free: Cost = () => 0
const read: Cost = (...operands) => operands.reduce<number>((sum, each) => sum + lengthOf(each), 0)
const decode: Cost = value => textLength(value) / DECODED
const compare: Cost = (left, right) => sizeOf(left) + sizeOf(right)

const textLength = (value: unknown): number => (typeof value === 'string' ? value.length : 0)
const itemsOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0)

/** A key of a map: `map[key]` and `{key: …}`. */
export const keyCost: Cost = key =>
  typeof key === 'object' && key !== null
    ? CONVERTED_KEY + CONVERSIONS * sizeOf(key)
    : lengthOf(key)

/** The keys of a map are listed before a macro begins. */
export const iterationCost: Cost = keysOf

/** For each item of a list, all keys of a map may be listed. */
const search: Cost = (value, among) => {
  if (!Array.isArray(among)) return keyCost(value)
  return sizeOf(among) + (typeof value === 'object' ? among.length * sizeOf(value) : 0)
}

const find: Cost = (text, part) =>
  read(text, part) + (textLength(part) < LONG ? 0 : pairs(text, part) / COMPARISONS)
const findLast: Cost = (text, part) => read(text, part) + pairs(text, part) / COMPARISONS_LAST

/** Each place of a text, with each character of a text that is searched for. */
const pairs = (text: unknown, part: unknown): number =>
  textLength(part) > textLength(text) ? 0 : textLength(text) * textLength(part)

const split: Cost = (text, separator) =>
  find(text, separator) + textLength(text) / Math.max(1, textLength(separator)) / PARTS

function join(list: unknown, separator: unknown): number {
  if (!Array.isArray(list)) return 0
  const each = 1 / ITEMS + lengthOf(separator)
  return (list as readonly unknown[]).reduce<number>((sum, item) => sum + each + lengthOf(item), 0)
}

const zoned: Cost = (_, zone) => (zone === undefined ? 0 : TIME_ZONE + decode(zone))

/** Functions and methods by name. */
export const FUNCTIONS: ReadonlyMap<string, Cost> = new Map([
  ...['dyn', 'type', 'at', 'has', 'all', 'exists', 'exists_one', 'map', 'filter', 'bind'].map(
    name => [name, free] as const,
  ),
  ...['bool', 'int', 'uint', 'string', 'bytes', 'hex', 'base64', 'timestamp', 'trim'].map(
    name => [name, read] as const,
  ),
  // Both charge for themselves.
  ...[LITERAL, COMPUTED].map(name => [name, free] as const),
  ...['startsWith', 'endsWith', 'substring'].map(name => [name, read] as const),
  ...['double', 'lowerAscii', 'upperAscii'].map(name => [name, decode] as const),
  ['size', value => decode(value) + keysOf(value)],
  ['contains', find],
  ['indexOf', find],
  ['lastIndexOf', findLast],
  ['split', split],
  ['join', join],
  ['json', bytes => (bytes as Uint8Array).length / PARSED],
  ['duration', text => textLength(text) ** 3 / DURATION],
  ...['Date', 'DayOfMonth', 'DayOfWeek', 'DayOfYear', 'FullYear', 'Month'].map(
    name => [`get${name}`, zoned] as const,
  ),
  ...['Hours', 'Minutes', 'Seconds', 'Milliseconds'].map(name => [`get${name}`, zoned] as const),
])

/** Binary operators. */
export const OPERATORS: ReadonlyMap<string, Cost> = new Map([
  ...['==', '!='].map(name => [name, compare] as const),
  ['in', search],
  ['+', (left, right) => read(left, right) + (itemsOf(left) + itemsOf(right)) / ITEMS],
  ...['<', '<=', '>', '>='].map(name => [name, read] as const),
  ...['-', '*', '/', '%'].map(name => [name, free] as const),
])
