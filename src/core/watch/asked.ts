/** What a call asks for, as far as calls are compared by it. */
import type { Json } from './json.ts'
import { among, type WordSketch, written } from './likeness.ts'
import type { Reading } from './reading.ts'
import { callKey } from './signature.ts'
import { READ_MAX, read, type Reader, wordHash } from './words.ts'

export interface Asked {
  /** The identity of the call: its tool, and those of its arguments that count. */
  readonly key: string
  readonly words: WordSketch
  /** The numbers in it, in their order: `page: 2` is not `page: 3`. */
  readonly numbers: string
  /** All words and numbers, to be told from what an answer says of its own. */
  readonly told: WordSketch
  /** It only waits: nothing can come of it. */
  readonly waits?: true
  /** It looks for something: an empty answer means that there is none. */
  readonly seeks?: true
}

/** Arguments in which an agent says why it calls: no part of what it asks. They differ each time, also in a loop. */
const NOTE = /^(description|explanation|reason|reasoning|rationale|thoughts?|comments?|notes?|task_?progress|display_?name)$/i

/** The beginning of the tool's name, or of its first argument: what a shell runs. */
const SEEKS = /^(find|search|grep|rg|locate|which|look_?up|query)(_|\b)/i
const WAITS = /^(sleep|wait|delay|pause)(_|\b)/i

/** Words that stand in a call, and in an error, without the one quoting the other. */
const COMMON: ReadonlySet<number> = new Set(
  'a an the this that it its is are was be of in on at to for from with by as and or not no any all if while we there file files directory command error errors line syntax unexpected end find found looking matching invalid argument arguments option failed'
    .split(' ')
    .map(wordHash),
)

/** More than any error quotes of its call. */
const TOLD_MAX = 48

/** `known`: the key the call has, where all of its arguments count. */
export function askedBy(tool: string, args: Json, { identity, ignore }: Reading = {}, known?: string): Asked {
  const counting = identity || ignore || hasNotes(args) ? countingOf(args, identity, ignore ?? []) : args
  const words: number[] = []
  const told: number[] = []
  let numbers = 0
  const reader: Reader = {
    word(hash) {
      among(words, hash)
      if (told.length < TOLD_MAX && !COMMON.has(hash)) told.push(hash)
    },
    number(hash) {
      numbers = Math.imul(numbers ^ hash, 0x01000193) >>> 0
      if (told.length < TOLD_MAX) told.push(hash)
    },
  }
  readValues(counting, reader, READ_MAX)
  const key = counting === args && known !== undefined ? known : callKey(tool, counting)
  const asked = { key, words: written(words), numbers: numbers.toString(36), told: written(told) }
  const first = firstText(counting)
  if (SEEKS.test(tool) || SEEKS.test(first)) return { ...asked, seeks: true }
  return WAITS.test(tool) || WAITS.test(first) ? { ...asked, waits: true } : asked
}

function hasNotes(args: Json): boolean {
  return isMap(args) && Object.keys(args).some(name => NOTE.test(name))
}

/** Where nothing else is left, the notes are what is asked. */
function countingOf(args: Json, identity: readonly string[] | undefined, ignore: readonly string[]): Json {
  if (!isMap(args)) return args
  const names = Object.keys(args).filter(name => (identity ? identity.includes(name) : !NOTE.test(name) && !ignore.includes(name)))
  return names.length === 0 ? args : Object.fromEntries(names.map(name => [name, args[name] as Json]))
}

/** Reads the values in `value`, not the names; returns how many characters are left of `budget`. */
function readValues(value: Json, reader: Reader, budget: number): number {
  if (budget <= 0 || value === null) return budget
  if (typeof value !== 'object') {
    const text = typeof value === 'string' ? value : String(value)
    read(text, 'none', reader)
    return budget - Math.min(text.length, READ_MAX)
  }
  let left = budget
  for (const inner of Object.values(value)) left = readValues(inner as Json, reader, left)
  return left
}

function firstText(value: Json): string {
  const first = isMap(value) ? Object.values(value)[0] : value
  return typeof first === 'string' ? first.trimStart().slice(0, 12) : ''
}

function isMap(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
