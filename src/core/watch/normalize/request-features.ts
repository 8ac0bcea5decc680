/** What a call asks for, as far as calls are compared by it. */
import type { Json } from '../data/json.ts'
import { insertHash, type MinHash, encodeHashes } from './similarity.ts'
import type { ToolHints } from '../policy/detect-keys.ts'
import { callKey, canonical, DEPTH_MAX, hashNumber } from '../data/signature.ts'
import { READ_MAX, read, type Reader } from './words.ts'

export interface RequestFeatures {
  /** The identity of the call: its tool, and those of its arguments that count. */
  readonly key: string
  readonly words: MinHash
  /** The numbers in it, in their order: `page: 2` is not `page: 3`. */
  readonly numbers: MinHash
  readonly aim: Aim
}

/**
 * - `seek`: it looks for something, and an empty answer means that there is none
 * - `wait`: it only waits, and nothing can come of it
 */
export type Aim = 'seek' | 'wait' | 'other'

/** Arguments in which an agent says why it calls: no part of what it asks. They differ each time, also in a loop. */
const NOTE = /^(explanation|reason|reasoning|rationale|thoughts?|task_?progress|display_?name)$/i
/** Beside what is to be run, a description is a note on it; elsewhere it is what is written, as into a ticket. */
const DESCRIPTION = /^description$/i
const DESCRIBED = /^(command|cmd|code|script|prompt|query)$/i

/** The beginning of the tool's name, or of its first argument: what a shell runs. */
const AIM = /^(?:(find|search|grep|rg|locate|which|look_?up|query)|sleep|wait|delay|pause)(?:_|\b)/i

/** Of more numbers, the last stands for all that come after it. */
const NUMBERS_MAX = 8

/** `known`: the key the call has, where all of its arguments count. */
export function requestFeatures(
  tool: string,
  args: Json,
  { identity, ignore }: ToolHints = {},
  known?: string,
): RequestFeatures {
  const counting =
    identity || ignore || hasNotes(args) ? significantArgs(args, identity, ignore ?? []) : args
  const words: number[] = []
  const numbers: number[] = []
  const reader: Reader = {
    word: hash => insertHash(words, hash),
    number(hash) {
      if (numbers.length < NUMBERS_MAX) numbers.push(hash)
      else
        numbers[NUMBERS_MAX - 1] =
          (Math.imul(numbers[NUMBERS_MAX - 1] as number, 0x01000193) ^ hash) & 0x3ffff
    },
  }
  readValues(counting, reader, { budget: READ_MAX, depth: 0 })
  const key = counting === args && known !== undefined ? known : callKey(tool, counting)
  return {
    key,
    words: encodeHashes(words),
    numbers: encodeHashes(numbers),
    aim: aimOf(AIM.exec(tool) ?? AIM.exec(firstText(counting))),
  }
}

function aimOf(found: RegExpExecArray | null): Aim {
  return found === null ? 'other' : found[1] === undefined ? 'wait' : 'seek'
}

function hasNotes(args: Json): boolean {
  return isMap(args) && Object.keys(args).some((name, _, names) => isNote(name, names))
}

function isNote(name: string, names: readonly string[]): boolean {
  return NOTE.test(name) || (DESCRIPTION.test(name) && names.some(other => DESCRIBED.test(other)))
}

/** Where nothing else is left, the notes are what is asked. */
function significantArgs(
  args: Json,
  identity: readonly string[] | undefined,
  ignore: readonly string[],
): Json {
  if (!isMap(args)) return args
  const names = Object.keys(args).filter((name, _, all) =>
    identity ? identity.includes(name) : !isNote(name, all) && !ignore.includes(name),
  )
  return names.length === 0
    ? args
    : Object.fromEntries(names.map(name => [name, args[name] as Json]))
}

/** Reads the values in `value`, not the names; returns how many characters are left of `budget`. */
function readValues(
  value: Json,
  reader: Reader,
  { budget, depth }: { readonly budget: number; readonly depth: number },
): number {
  if (budget <= 0 || value === null || depth > DEPTH_MAX) return budget
  if (typeof value !== 'object') {
    const text = typeof value === 'string' ? value : String(value)
    read(text, 'none', reader)
    return budget - Math.min(text.length, READ_MAX)
  }
  // In another order, or with one of them in another state, the things in a list are another list.
  if (Array.isArray(value) && value.some(isMap))
    reader.number(hashNumber(canonical(value)) & 0x3ffff)
  let left = budget
  for (const inner of Object.values(value))
    left = readValues(inner as Json, reader, { budget: left, depth: depth + 1 })
  return left
}

function firstText(value: Json): string {
  const first = isMap(value) ? Object.values(value)[0] : value
  return typeof first === 'string' ? first.trimStart().slice(0, 12) : ''
}

function isMap(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
