/**
 * The arguments of a call that count: without the comments of the agent on it, and without blanks around its values.
 *
 * Intuition: an agent that repeats a call explains it in new words each time, also in a record: `{ "payment": { "to": "ada", "reason": "…" } }`.
 * Hard case: in records, most names are those of content. A `display_name` is that of a user, and a `description` beside a `code` or a
 * `query` that of an article. If a record has nothing but comments, they count.
 */
import { isMap, type Json } from '../data/json.ts'

/** Arguments in which an agent explains its call. They differ each time, also in a loop. */
const NOTE = /^(explanation|reason|reasoning|rationale|thoughts?|task_?progress|display_?name)$/i
/** Next to code, a description is a note. Elsewhere it is content, such as the text of a ticket. */
const DESCRIPTION = /^description$/i
const DESCRIBED = /^(command|cmd|code|script|prompt|query)$/i
/** The same for the records in the arguments. */
const INNER_NOTE = /^(explanation|reason|reasoning|rationale)$/i
const INNER_DESCRIBED = /^(command|cmd|script)$/i
/** Records and lists in each other. What is deeper counts as it is. */
const LEVELS_MAX = 6

type Fields = Readonly<Record<string, Json>>

/** Whether an argument is a note, by its name and the names beside it. Forged arguments may have each spelling of a name, beside many others. */
function noteAmong(names: readonly string[]): (name: string) => boolean {
  const isDescribed = names.some(name => DESCRIBED.test(name))
  return name => NOTE.test(name) || (isDescribed && DESCRIPTION.test(name))
}

function innerNoteAmong(names: readonly string[]): (name: string) => boolean {
  const isDescribed = names.some(name => INNER_DESCRIBED.test(name))
  return name => INNER_NOTE.test(name) || (isDescribed && DESCRIPTION.test(name))
}

export const withoutNotes = (args: Json): Json =>
  isMap(args) ? without(args, noteAmong(Object.keys(args))) : args

/** The arguments with one of the names of `identity`, or those that are not to `ignore`. */
export function hintedArgs(
  args: Json,
  identity: readonly string[] | undefined,
  ignore: readonly string[] = [],
): Json {
  if (!isMap(args)) return args
  const listed = new Set(identity ?? ignore)
  const isNote = noteAmong(Object.keys(args))
  return without(args, name => (identity ? !listed.has(name) : isNote(name) || listed.has(name)))
}

/** The record without some of its fields. If none is left, all of them count. */
function without(of: Fields, isLeftOut: (name: string) => boolean): Fields {
  const names = Object.keys(of)
  const counting = names.filter(name => !isLeftOut(name))
  if (counting.length === names.length || counting.length === 0) return of
  return Object.fromEntries(counting.map(name => [name, of[name] as Json]))
}

/** The arguments without the notes in their records, unless they are to `keep`, and without blanks around their texts. The same object, if it has none. */
export const plainArgs = (args: Json, keep: boolean): Json =>
  isMap(args) ? mapped(args, value => plain(value, keep, LEVELS_MAX)) : args

function plain(value: Json, keep: boolean, levels: number): Json {
  if (typeof value === 'string') return value.trim()
  if (typeof value !== 'object' || value === null || levels === 0) return value
  const inner = (each: Json) => plain(each, keep, levels - 1)
  if (!isMap(value)) {
    const items = value.map(inner)
    return items.some((item, at) => item !== value[at]) ? items : value
  }
  return mapped(keep ? value : without(value, innerNoteAmong(Object.keys(value))), inner)
}

/** Most records are plain, and large ones are read at each call: only one that changes is copied. */
function mapped(of: Fields, map: (value: Json) => Json): Fields {
  let next: Record<string, Json> | undefined
  for (const name of Object.keys(of)) {
    const before = of[name] as Json
    const value = map(before)
    if (value === before) continue
    next ??= { ...of }
    next[name] = value
  }
  return next ?? of
}
