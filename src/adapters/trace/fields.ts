/** Reads untrusted JSON field by field, and builds acts from it. Each fault names the place of the invalid value. */
import { oneLine } from '../../core/watch/data/invisible.ts'
import { type Json, isMap, jsonOrText } from '../../core/watch/data/json.ts'
import type { Act } from '../../core/watch/trace-watcher.ts'
import { textOf } from '../../core/watch/answer/result-text.ts'

/** The file is not a valid trace. The message names the file, the line and the expected value. */
export class InvalidTrace extends Error {
  override readonly name = 'InvalidTrace'

  constructor(where: string, message: string) {
    super(oneLine(`${where}: ${message}`))
  }
}

/** A place in a file: `where` is the file and the line, `path` continues from there, as `events[3].tool`. */
export type Place = Readonly<{ where: string; path: string }>

/** Reports an item of an unknown kind. Such an item has no acts. */
export type Skip = (kind: string) => readonly []

export { isMap }

export type Fields = Readonly<Record<string, unknown>>

/** A value with its place. */
export type Located = readonly [Place, unknown]

export function inside({ where, path }: Place, key: string | number): Place {
  const separator = path === '' ? '' : '.'
  return { where, path: path + (typeof key === 'number' ? `[${key}]` : `${separator}${key}`) }
}

/** The items of a list, each with its place. */
export const locate = (place: Place, list: readonly unknown[]): readonly Located[] =>
  list.map((value, index) => [inside(place, index), value] as const)

/** The field as a map. Any other value is an empty map. */
export function mapAt(fields: Fields, name: string): Fields {
  const value = fields[name]
  return isMap(value) ? value : {}
}

function unexpected({ where, path }: Place, what: string, value: unknown): InvalidTrace {
  const got = value === undefined ? 'nothing' : (JSON.stringify(value) ?? String(value))
  const message = `expected ${what}, got ${got.slice(0, 60)}`
  return new InvalidTrace(where, path === '' ? message : `${path}: ${message}`)
}

/** A JSON object of a file. Each method throws `InvalidTrace` for an unexpected field. */
export class Item {
  readonly place: Place
  readonly fields: Fields

  /** @throws InvalidTrace if the value is not a JSON object */
  constructor(place: Place, value: unknown, what: string) {
    if (!isMap(value)) throw unexpected(place, what, value)
    this.place = place
    this.fields = value
  }

  with(fields: Fields): Item {
    return new Item(this.place, fields, '')
  }

  /** The fault of a field. Without a name: of the whole item. */
  expected(what: string, name?: string): InvalidTrace {
    return name === undefined
      ? unexpected(this.place, what, this.fields)
      : unexpected(inside(this.place, name), what, this.fields[name])
  }

  text(name: string): string {
    const value = this.fields[name]
    if (typeof value !== 'string') throw this.expected('a text', name)
    return value
  }

  /** `null` counts as absent. */
  optional(name: string): string | undefined {
    return (this.fields[name] ?? undefined) === undefined ? undefined : this.text(name)
  }

  item(name: string, what: string): Item {
    return new Item(inside(this.place, name), this.fields[name], what)
  }

  /** A list that is absent or `null` is empty. */
  items(name: string, what: string): readonly Item[] {
    const list = this.fields[name] ?? []
    if (!Array.isArray(list)) throw this.expected('a list', name)
    const place = inside(this.place, name)
    return locate(place, list).map(([at, value]) => new Item(at, value, what))
  }
}

/** A text of the agent. A blank text is not an act. */
export function agentText(text: string, by?: unknown): readonly Act[] {
  if (text.trim() === '') return []
  return [{ act: 'said', text, ...(typeof by === 'string' && by !== '' ? { by } : {}) }]
}

export const userText = (text: string): readonly Act[] =>
  text === '' ? [] : [{ act: 'said', text, by: 'user', person: true }]

export function toolCall(call: string | undefined, tool: string, args: unknown) {
  const id = call === undefined ? {} : { call }
  return { act: 'called', ...id, tool, args: (args ?? null) as Json } as const
}

export const toolAnswer = (call: string | undefined, ok: boolean | null, text: string) =>
  ({ act: 'answered', ...(call === undefined ? {} : { call }), ok, text }) as const

/** The text of a message. Its content is a text or a list of parts. */
export function contentText(content: unknown): string {
  if (!Array.isArray(content)) return jsonText(content)
  return content
    .map(part => (isMap(part) ? part[TEXT_FIELDS[jsonText(part.type)] ?? ''] : part))
    .filter(text => typeof text === 'string')
    .join('\n')
}

/** The field with the text, by the type of the part. */
const TEXT_FIELDS: Readonly<Record<string, string>> = {
  text: 'text',
  input_text: 'text',
  output_text: 'text',
  refusal: 'refusal',
}

/** A text unchanged, any other value as JSON. */
export const jsonText = (value: unknown): string => textOf((value ?? null) as Json)

/** Parses JSON in a text. */
export const parseArgs = (given: unknown): Json =>
  typeof given === 'string' ? jsonOrText(given) : ((given ?? null) as Json)
