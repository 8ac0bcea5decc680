/**
 * The values of a call that combines them: `{ "from": "BER", "to": "JFK" }`.
 *
 * Intuition: four origins and five destinations are twenty questions, although all of their names are known after eight. So are five
 * dates and four numbers of guests. A number that only counts up is a new value each time, so it is never a combination of known ones.
 * Hard case: the words of a text in another order are the same question. A text of other words is another value, so it is never a known
 * one; the variants of a long text could be combined with any option, therefore only calls with the same long texts are compared.
 * Hard case: models leave out optional arguments. Beside `{ "city": "Oslo", "pets": true }`, an absent `pets` is a value of `{ "city": "Oslo" }`.
 * But an agent that only drops options, and adds them again, asks one question over and over: some argument must have had another value.
 * Rejected: leaving out calls with nested, empty or long arguments, because a strict schema sends all fields: `"airlines": []`.
 */
import { canonical, hashNumber, isMap, type Json, remember } from '../data/json.ts'
import {
  addHashes,
  encodeHashes,
  hashCount,
  hasHashes,
  type MinHash,
  newHashes,
  oneHash,
} from '../text/similarity.ts'
import { itemText } from './items.ts'

export interface Combined {
  /** The tool, and the long values beside which the others are combined. */
  readonly frame: MinHash
  /** A hash for the name of each other value. Among the values of a grid, it stands for its absence. */
  readonly names: MinHash
  /** A hash for each other value with its name. */
  readonly values: MinHash
}

/** The latest frames, each with the names, the values and the combinations beside it, between blanks, in one string. */
export type Grids = readonly string[]

const VALUES_MAX = 16
const LEVELS_MAX = 3
/** Also the calls with one argument, to which another may be added. */
const GRIDS_MAX = 6
const NAMES_MAX = 32
/** The combinations of a grid. A larger one that is repeated may not be seen. */
const KNOWN_MAX = 64
/** Characters of the long values. */
const FRAME_MAX = 2_000

type Argument = readonly [name: string, value: Json]

/** `undefined` for a call without a short value, or with much text. `beside`: what else a dispatcher is told. */
export function combinedIn(subject: string, args: Json, beside?: Json): Combined | undefined {
  if (!isMap(args)) return undefined
  const names: number[] = []
  const values: number[] = []
  let frame = beside === undefined ? subject : `${subject} ${canonical(beside)}`
  for (const [name, value] of argumentsIn(args, '', LEVELS_MAX)) {
    const text = values.length < VALUES_MAX ? valueText(value) : undefined
    if (text !== undefined) {
      names.push(hashNumber(name) % 0x40000)
      values.push(hashNumber(`${name} ${text}`) % 0x40000)
    } else if (frame.length <= FRAME_MAX) frame += ` ${name} ${canonical(value)}`
  }
  if (values.length === 0 || frame.length > FRAME_MAX) return undefined
  return {
    frame: oneHash(hashNumber(frame)),
    names: encodeHashes(names),
    values: encodeHashes(values.toSorted((a, b) => a - b)),
  }
}

/** The arguments, also those in records. */
const argumentsIn = (record: Json, path: string, levels: number): readonly Argument[] =>
  Object.entries(record ?? {}).flatMap(([key, value]) => {
    const isRecord = levels > 1 && isMap(value) && Object.keys(value).length > 0
    return isRecord ? argumentsIn(value, `${path}${key}.`, levels - 1) : [[path + key, value]]
  })

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

/** The grids after a call, and whether it combines known values as no earlier call did. */
export function combine(before: Grids, call: Combined): readonly [Grids, boolean] {
  const { frame } = call
  const row = before.find(other => other.startsWith(frame))
  const [names = '', chosen = '', known = ''] = row?.slice(frame.length).split(' ') ?? []
  // What no earlier call named was absent from all of them.
  const choices = row === undefined ? '' : addHashes(chosen, newHashes(names, call.names))
  const values = call.values + newHashes(call.names, names)
  const combination = oneHash(hashNumber(call.values))
  const all = addHashes(names, call.names, NAMES_MAX)
  const isGrid = hashCount(all) > 1 && hashCount(newHashes(all, choices)) > hashCount(all)
  const isChoice = isGrid && hasHashes(choices, values)
  const isNew = isChoice && !hasHashes(known, combination)
  const next = `${frame}${all} ${addHashes(choices, values)} ${addHashes(known, combination, KNOWN_MAX)}`
  const others = before.filter(other => other !== row)
  return [remember(others, next, GRIDS_MAX), isNew]
}
