/**
 * The values of a call that combines them: `{ "from": "BER", "to": "JFK" }`.
 *
 * Intuition: four origins and five destinations are twenty questions, although all of their names are known after eight. So are five
 * dates and four numbers of guests. A number that only counts up is a new value each time, so it is never a combination of known ones.
 * Hard case: the words of a text in another order are the same question. A text of other words is another value, so it is never a known
 * one; the variants of a long text could be combined with any option, therefore only calls with the same long texts are compared.
 * Rejected: leaving out calls with nested, empty or long arguments, because a strict schema sends all fields: `"airlines": []`.
 */
import { canonical, hash, hashNumber, isMap, type Json, remember, shortHash } from '../data/json.ts'
import { addHashes, encodeHashes, hashCount, hasHashes, type MinHash, oneHash } from '../text/similarity.ts'
import { itemText } from './items.ts'

export interface Combined {
  /** The tool, and the long values beside which the others are combined. */
  readonly frame: string
  /** A hash for each other value with the name of its argument. */
  readonly values: MinHash
}

/** The values of the latest frames, and how they were combined. */
export type Combinations = readonly (readonly [frame: string, values: string, known: string])[]

const VALUES_MAX = 16
const LEVELS_MAX = 3
const FRAMES_MAX = 3
/** Characters of the long values. */
const FRAME_MAX = 2_000

type Argument = readonly [name: string, value: Json]

/** `undefined` for a call with less than two short values, or with much text. `beside`: what else a dispatcher is told. */
export function combinedIn(subject: string, args: Json, beside?: Json): Combined | undefined {
  if (!isMap(args)) return undefined
  const values: number[] = []
  let frame = beside === undefined ? subject : `${subject} ${canonical(beside)}`
  for (const [name, value] of argumentsIn(args, '', LEVELS_MAX)) {
    const text = values.length < VALUES_MAX ? valueText(value) : undefined
    if (text === undefined) frame += ` ${name} ${textLength(value) > FRAME_MAX ? '' : canonical(value)}`
    else values.push(hashNumber(`${name} ${text}`) % 0x40000)
    if (textLength(value) > FRAME_MAX || frame.length > FRAME_MAX) return undefined
  }
  if (values.length < 2) return undefined
  return { frame: shortHash(hash(frame)), values: encodeHashes(values.toSorted((a, b) => a - b)) }
}

const textLength = (value: Json): number => (typeof value === 'string' ? value.length : 0)

/** The arguments, also those in records. */
function argumentsIn(record: Readonly<Record<string, Json>>, path: string, levels: number) {
  const all: Argument[] = []
  for (const [key, value] of Object.entries(record)) {
    const name = `${path}${key}`
    if (levels > 1 && isMap(value) && Object.keys(value).length > 0)
      all.push(...argumentsIn(value, `${name}.`, levels - 1))
    else all.push([name, value])
  }
  return all
}

/** The text of a value that is chosen, not worded. A list is one value. */
function valueText(value: Json): string | undefined {
  if (value === null || typeof value === 'boolean' || value === '') return String(value)
  if (typeof value !== 'object') return sortedText(value)
  const inner = Object.values(value)
  if (inner.length > VALUES_MAX || (inner.length > 0 && isMap(value))) return undefined
  const texts = inner.map(each => sortedText(each as Json))
  return texts.includes(undefined) ? undefined : canonical(texts)
}

/** The words of a short text in any order: `blue widget` and `widget, blue` are one value. */
const sortedText = (value: Json): string | undefined =>
  itemText(value)
    ?.split(/[\s,;]+/)
    .toSorted()
    .join(' ')

/** The combinations after a call, and whether it combines known values as no earlier call did. */
export function combine(
  before: Combinations,
  { frame, values }: Combined,
): readonly [Combinations, boolean] {
  const row = before.find(([other]) => other === frame)
  const [, choices, known] = row ?? [frame, '', '']
  const combination = oneHash(hashNumber(values))
  // Two arguments have other values, too. A call that only leaves out an option combines nothing.
  const isChoice = hashCount(choices) >= hashCount(values) + 2 && hasHashes(choices, values)
  const isNew = isChoice && !hasHashes(known, combination)
  const next = [frame, addHashes(choices, values), addHashes(known, combination)] as const
  const others = before.filter(other => other !== row)
  return [remember(others, next, FRAMES_MAX), isNew]
}
